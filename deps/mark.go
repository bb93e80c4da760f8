package deps

import "sync/atomic"

// A failed task marks the items it may have written. The mark travels with the grants: whoever is ordered after the
// task and reads the item must not run, and marks what it would have written in turn. It ends at an out, which does
// not need the old value, when a taskwait has returned the error (Node.Waited), or at a task that it is forgiven for.
//
// Marks are rare. They live in a list of the node whose access received them, so that an access needs no room for
// them and a program without failures pays one load per message.
type marks struct {
	first atomic.Pointer[mark]
}

// failure is why a task failed, as its own accesses pass it on.
type failure struct{ cause error }

// forgivable is a cause that somebody has dealt with, perhaps, so that it does not keep every task from running any more
// (Node.CauseUnless). Where only one of several can be passed on it comes last.
type forgivable interface{ Forgiven() bool }

type side uint8

const (
	fromBefore side = iota // came with a grant from the predecessor or from the parent's access
	fromBelow              // came with a grant from the last child
)

type mark struct {
	acc   *access
	side  side
	span  span // the bytes, some of which may not be x's
	cause error
	next  *mark
}

// add records that cause arrived at x for the bytes in r. Whoever delivers a grant calls it before the grant's bit is
// set.
//
//go:norace
func (m *marks) add(x *access, s side, r span, cause error) {
	k := &mark{acc: x, side: s, span: r, cause: cause}
	for {
		k.next = m.first.Load()
		if m.first.CompareAndSwap(k.next, k) {
			return
		}
	}
}

// get returns the cause that arrived at x for bytes in r on side s, or nil.
//
//go:norace
func (m *marks) get(x *access, s side, r span) (cause error) {
	for k := m.first.Load(); k != nil; k = k.next {
		if k.acc == x && k.side == s && k.span.lo < r.hi && r.lo < k.span.hi {
			cause = k.cause
			if f, ok := cause.(forgivable); !ok || !f.Forgiven() {
				break
			}
		}
	}
	return cause
}

// cause returns a mark that forbids n's task to run: one on an item that the task itself reads, and not forgiven. If all
// are forgiven they end here.
//
//go:norace
func (m *marks) cause(n *Node, forgiven func(*Node, error) bool) error {
	first, all := m.first.Load(), true
	for k := first; k != nil; k = k.next {
		if forgiven != nil && forgiven(n, k.cause) {
			continue
		}
		all = false
		if k.side == fromBefore && atomic.LoadUint32(&k.acc.flags)&(isWeak|overwrites) == 0 {
			return k.cause
		}
	}
	if first != nil && all {
		m.first.CompareAndSwap(first, nil)
	}
	return nil
}

// cause returns the mark that x passes on to the next access, given the word f that made the message due.
//
//go:norace
func (x *access) cause(f word) error { return x.causeIn(f, x.span()) }

// causeIn is cause for the bytes in r, whose word is f.
//
//go:norace
func (x *access) causeIn(f word, r span) error {
	n := x.node
	if f&(done|freed) == done && f&classR == 0 {
		if own := n.failure.Load(); own != nil {
			return own.cause
		}
	}
	if n.marks.first.Load() == nil {
		return nil
	}
	switch {
	case f&(done|leaf) == done:
		return n.marks.get(x, fromBelow, r)
	case f&(overwrites|isWeak) == overwrites: // done, or released for reading
		return nil
	}
	return n.marks.get(x, fromBefore, r)
}

// downCause returns the mark that x passes on to its task's children.
//
//go:norace
func (x *access) downCause(f word) error { return x.downCauseIn(f, x.span()) }

//go:norace
func (x *access) downCauseIn(f word, r span) error {
	if f&(overwrites|isWeak) == overwrites {
		return nil
	}
	return x.node.marks.get(x, fromBefore, r)
}
