//go:build race

// Package race is how the runtime speaks to Go's race detector.
//
// In a race build the runtime hides its own locks and atomics (Disable … Enable on the goroutine that uses them, and
// //go:norace on every function that touches what they guard), so that an accidental order through a shared queue is
// not mistaken for a declared one. The edges a program declared — spawn, dependencies, taskwait, message completion —
// are then stated one by one with ReleaseMerge and Acquire. Without the race build tag every function here is empty.
//
// Rules for code that runs between Disable and Enable:
//   - //go:norace on every function; the pragma does not reach function literals, so there are none.
//   - no append, map, copy of instrumented slices or channel payload that a visible function also touches: the Go
//     runtime instruments those itself.
//   - Acquire, Release and ReleaseMerge do nothing while hidden: call them outside.
package race

import (
	"runtime"
	"unsafe"
)

// Enabled tells whether this is a race build.
const Enabled = true

// Acquire orders everything released on p before what follows on this goroutine.
func Acquire(p unsafe.Pointer) { runtime.RaceAcquire(p) }

// ReleaseMerge adds what this goroutine did so far to what Acquire on p orders.
func ReleaseMerge(p unsafe.Pointer) { runtime.RaceReleaseMerge(p) }

// Disable hides this goroutine's synchronisation from the detector until the matching Enable. Calls nest.
func Disable() { runtime.RaceDisable() }

// Enable ends the innermost Disable.
func Enable() { runtime.RaceEnable() }

// ReadRange reports a read of n bytes at p, for code that moves user data in hidden functions.
func ReadRange(p unsafe.Pointer, n int) { runtime.RaceReadRange(p, n) }

// WriteRange reports a write of n bytes at p.
func WriteRange(p unsafe.Pointer, n int) { runtime.RaceWriteRange(p, n) }
