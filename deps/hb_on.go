//go:build race

package deps

import (
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

// In race builds the detector is told the order that the program declared, and no other (see internal/race). The
// accesses of a chain, with those of the children that stand in it, share one order: an address per class, on which
// a body releases what it did when it gives the item up, and which the bodies ordered after that class acquire.
//
//	class        acquires             releases
//	in           out, concurrent, commutative   in
//	out, inout   all                  out
//	concurrent   in, out, commutative           concurrent
//	commutative  all (tokens order them among each other)   commutative
type order struct{ in, out, concurrent, commutative byte }

type hbRef = *order

//go:norace
func newOrder() hbRef { return new(order) }

// Acquire tells the race detector what the task's accesses order before its body. Call it from the body's goroutine,
// not hidden, once the node is ready.
//
//go:norace
func (n *Node) Acquire() {
	for i := range n.accs {
		n.accs[i].acquire()
	}
}

//go:norace
func (x *access) acquire() {
	f, o := atomic.LoadUint32(&x.flags), x.order
	if f&isWeak != 0 || o == nil {
		return
	}
	race.Acquire(unsafe.Pointer(&o.out))
	if f&classC == 0 {
		race.Acquire(unsafe.Pointer(&o.concurrent))
	}
	if f&classR == 0 {
		race.Acquire(unsafe.Pointer(&o.in))
	}
	race.Acquire(unsafe.Pointer(&o.commutative))
}

// Surrender tells the race detector that what this goroutine did so far comes before whatever is ordered after the
// task's accesses: the body when it ends, an event's completion. Call it before Finish, not hidden.
//
//go:norace
func (n *Node) Surrender() {
	for i := range n.accs {
		n.accs[i].surrender()
	}
}

// SurrenderItem is Surrender for the one item that Release is about to give up.
//
//go:norace
func (n *Node) SurrenderItem(a Access) {
	for i := range n.accs {
		if x := &n.accs[i]; x.ptr == a.ptr && x.size == a.size {
			x.surrender()
		}
	}
}

//go:norace
func (x *access) surrender() {
	f, o := atomic.LoadUint32(&x.flags), x.order
	switch {
	case f&(isWeak|done) != 0 || o == nil: // after a release nothing more is handed on
	case f&classR != 0:
		race.ReleaseMerge(unsafe.Pointer(&o.in))
	case f&classC != 0:
		race.ReleaseMerge(unsafe.Pointer(&o.concurrent))
	case f&classM != 0:
		race.ReleaseMerge(unsafe.Pointer(&o.commutative))
	default:
		race.ReleaseMerge(unsafe.Pointer(&o.out))
	}
}
