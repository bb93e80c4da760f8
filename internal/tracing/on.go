//go:build !notrace

// Package tracing tells whether the build can record what happens. Builds without (tag notrace) exist to measure what
// recording costs when it is compiled in and off; see bench/traceoff.
package tracing

// Built tells whether the calls that record are compiled.
const Built = true
