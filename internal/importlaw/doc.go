// Package importlaw holds the packages of this module to the direction of imports: down only. All of it is a test; the
// table in law_test.go is the diagram.
package importlaw
