//go:build !race

package transport

import "unsafe"

// HB is nothing outside race builds.
type HB = struct{}

// Post does nothing outside race builds.
func (op *Op) Post() {}

// Origin returns nothing outside race builds.
func (op *Op) Origin() (none HB) { return none }

// StandFor does nothing outside race builds.
func (op *Op) StandFor(*Op) {}

// Met does nothing outside race builds.
func (op *Op) Met(*Op) {}

// Move copies n bytes of user data.
func Move(to, from unsafe.Pointer, n int) {
	if n > 0 {
		copy(unsafe.Slice((*byte)(to), n), unsafe.Slice((*byte)(from), n))
	}
}
