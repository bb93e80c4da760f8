// Package lint checks rules of this module that the compiler and go vet do not know. All of it is tests, one file per rule:
//
//	format_test.go    gofmt; no path of a developer's machine; import "C" only behind a build tag
//	print_test.go     library packages do not print and do not log
//	comment_test.go   every exported name of a library package has a doc comment
//	example_test.go   every exported function and method of a public package is shown by an Example
//	norace_test.go    what runs hidden from the race detector carries //go:norace, with no function literal inside
//
// source_test.go reads the sources for all of them.
package lint
