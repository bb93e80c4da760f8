//go:build notrace

package tracing

const Built = false
