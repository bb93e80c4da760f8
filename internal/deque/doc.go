// Package deque is a work-stealing deque of pointers: one goroutine, the owner, pushes and pops at the new end; any
// number of thieves take from the old end.
//
//	operation          who      end   touches                      fails when
//	Push               owner    new   bottom, one cell             never (the ring grows)
//	Pop                owner    new   bottom and top, one cell     empty
//	Peek               owner    new   nothing                      empty
//	Steal, StealBatch  anyone   old   top                          empty, or another taker was faster
//	Len                anyone   —     nothing                      —
//
// It is the deque of Chase and Lev ("Dynamic circular work-stealing deque", 2005) with two changes. The owner takes a
// last element as a thief would, by moving top, instead of withdrawing bottom first; and the owner empties the cells
// that thieves left behind. See [Deque] for the protocol.
//
// Elements come out of the old end in the order they were pushed: everything stolen, by whomever, is strictly
// ascending in push order.
//
// # The race detector
//
// The runtime calls this package hidden from the race detector (see internal/race), so every function is //go:norace and
// uses no closure, append, copy or map.
package deque
