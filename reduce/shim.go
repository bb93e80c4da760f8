package reduce

import (
	"unsafe"

	"github.com/gompss/gompss/deps"
)

// Stands in for deps.Reduce and Access.Reduction: it knows the reduction of the access made last.

var last deps.Reduction

func access(p unsafe.Pointer, bytes uintptr, r deps.Reduction) deps.Access {
	last = r
	return deps.ConcurrentSlice(unsafe.Slice((*byte)(p), bytes))
}

func reductionOf(deps.Access) deps.Reduction { return last }
