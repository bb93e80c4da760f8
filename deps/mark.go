package deps

import (
	"sync/atomic"
	"unsafe"
)

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

// forgivable is a cause that somebody may deal with, or has, so that it does not keep every task from running any more
// (Node.CauseUnless).
type forgivable interface {
	Forgiven() (can, is bool)
}

// lasting tells how long a cause holds: 2 for ever, 1 until it is forgiven, 0 it is. Where only one of several can be
// passed on, the most lasting one is.
//
//go:norace
func lasting(cause error) int {
	f, ok := cause.(forgivable)
	if !ok {
		return 2
	}
	switch can, is := f.Forgiven(); {
	case !can:
		return 2
	case !is:
		return 1
	}
	return 0
}

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
			if cause == nil || lasting(k.cause) > lasting(cause) {
				cause = k.cause
			}
		}
	}
	return cause
}

// cause returns a mark that forbids n's task to run: one on an item that the task itself reads, and not forgiven. If all
// are forgiven they end here.
//
//go:norace
func (m *marks) cause(n *Node, forgiven func(*Node, error) bool) (cause error) {
	first, all := m.first.Load(), true
	for k := first; k != nil; k = k.next {
		if forgiven != nil && forgiven(n, k.cause) {
			continue
		}
		all = false
		if k.side == fromBefore && atomic.LoadUint32(&k.acc.flags)&(isWeak|overwrites) == 0 {
			if cause == nil || lasting(k.cause) > lasting(cause) {
				cause = k.cause
			}
		}
	}
	if first != nil && all {
		m.first.CompareAndSwap(first, nil)
	}
	return cause
}

// causeIn returns a mark that x passes on to the next access for bytes in r, whose word is f, nil if it passes none.
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

// pass marks to with what x, whose word is f, passes on to the next access: for all of x's bytes, each mark by itself, so
// that a failure on a part stays one on a part.
//
//go:norace
func (x *access) pass(f word, to *access, s side) {
	n := x.node
	if n.failure.Load() == nil && n.marks.first.Load() == nil {
		return
	}
	sec := x.section()
	if sec == nil || to.ptr == x.ptr && to.size == x.size && sameSection(sec, to.section()) {
		x.passIn(f, x.span(), to, s)
		return
	}
	for i := 0; i < sec.runs; i++ {
		x.passIn(f, x.run(i), to, s)
	}
}

// passIn is pass for the bytes in r, whose word is f.
//
//go:norace
func (x *access) passIn(f word, r span, to *access, s side) {
	n := x.node
	if f&(done|freed) == done && f&classR == 0 {
		if own := n.failure.Load(); own != nil {
			to.node.marks.add(to, s, r, own.cause)
			return
		}
	}
	if n.marks.first.Load() == nil {
		return
	}
	switch {
	case f&(done|leaf) == done:
		n.marks.copy(x, fromBelow, r, to, s)
	case f&(overwrites|isWeak) == overwrites:
	default:
		n.marks.copy(x, fromBefore, r, to, s)
	}
}

// passDown is pass for the first child.
//
//go:norace
func (x *access) passDown(f word, to *access) {
	if x.node.marks.first.Load() == nil {
		return
	}
	for i := 0; i < runs(x.section()); i++ {
		x.passDownIn(f, x.run(i), to)
	}
}

// passDownIn is passDown for the bytes in r, whose word is f.
//
//go:norace
func (x *access) passDownIn(f word, r span, to *access) {
	if f&(overwrites|isWeak) != overwrites && x.node.marks.first.Load() != nil {
		x.node.marks.copy(x, fromBefore, r, to, fromBefore)
	}
}

// leaveTo marks x with what the complete, or granted, bytes of its predecessor b in r pass on; with down, b is the access
// of the parent's task.
//
//go:norace
func (b *access) leaveTo(x *access, r span, down bool) {
	n := b.node
	if n.failure.Load() == nil && n.marks.first.Load() == nil {
		return
	}
	f := atomic.LoadUint32(&b.flags)
	if f&split == 0 {
		if down {
			b.passDownIn(f, r, x)
		} else {
			b.passIn(f, r, x, fromBefore)
		}
		return
	}
	e := b.open()
	for i := e.find(r.lo); i < len(e.parts) && e.parts[i].lo < r.hi; i++ {
		p := &e.parts[i]
		if q := (span{p.lo, p.hi}).and(r); down {
			b.passDownIn(p.flags, q, x)
		} else {
			b.passIn(p.flags, q, x, fromBefore)
		}
	}
	e.mu.Unlock()
}

// copy gives the marks that arrived at x on one side, for bytes in r, to another access, unless it has them: a grant
// that follows an early one brings the same again.
//
//go:norace
func (m *marks) copy(x *access, from side, r span, to *access, s side) {
	for k := m.first.Load(); k != nil; k = k.next {
		if k.acc != x || k.side != from {
			continue
		}
		if q := k.span.and(r); q.lo < q.hi && !to.node.marks.has(to, s, q, k.cause) {
			to.node.marks.add(to, s, q, k.cause)
		}
	}
}

//go:norace
func (m *marks) has(x *access, s side, r span, cause error) bool {
	for k := m.first.Load(); k != nil; k = k.next {
		if k.acc == x && k.side == s && k.span.lo <= r.lo && r.hi <= k.span.hi && identical(k.cause, cause) {
			return true
		}
	}
	return false
}

// identical tells whether two errors are the same value, also of a type that cannot be compared.
//
//go:norace
func identical(a, b error) bool {
	return *(*[2]unsafe.Pointer)(unsafe.Pointer(&a)) == *(*[2]unsafe.Pointer)(unsafe.Pointer(&b))
}
