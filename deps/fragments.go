package deps

import (
	"sync"
	"sync/atomic"
)

// Fragments.
//
// An access whose bytes do not all share one fate (two successors follow on different parts of it, or grants arrive
// for a part) is split: every part, a fragment, has a word of its own, which takes the same steps as a whole access's
// (automaton.go), and a next and a first child of its own. Messages between accesses name the bytes that they are
// about. So a fragment is split further where a message ends inside it, and nobody else need know: neighbours name
// bytes, not fragments.
//
// # Conversion
//
// The word of a whole access is changed by atomic additions, without a lock. To split it, take the lock of its
// fragments and add the bit split. What the word held before is the state of every fragment: all events up to then
// came to the whole, and who brought them sends what they made due. Whoever adds bits to a word and finds split in it
// brings the event to the fragments instead, under the lock; the word is dead from then on, and only the bits that
// never change after publication are read from it.
//
// # Counts
//
// Node.pending counts each unsatisfied fragment of a strong access, and Node.refs each fragment that has not sent W.
// Whoever cuts a fragment in two adds to the counts before any event can subtract: the lock is held.
//
// A fragment is never cut after its last message: cuts are made at the ends of events, and an event that reaches a
// part of a fragment has bits for it that it does not have yet.
type fragments struct {
	mu    sync.Mutex
	parts []fragment // ascending, disjoint, covering the access; made when split is set
	// untokened counts the fragments of a commutative access that have not let go of the token; the last one returns it.
	untokened int
}

type fragment struct {
	lo, hi uintptr
	flags  word
	next   *access
	child  *access
}

// span is a range [lo, hi) of addresses. wholeRange is that of the access that it is used with.
type span struct{ lo, hi uintptr }

var wholeRange = span{}

//go:norace
func (x *access) span() span { return span{uintptr(x.ptr), uintptr(x.ptr) + x.size} }

// runs returns the number of contiguous runs of an item, and run the i-th of them.
//
//go:norace
func runs(s *section) int {
	if s == nil {
		return 1
	}
	return s.runs
}

//go:norace
func runOf(lo, size uintptr, s *section, i int) span {
	if s == nil {
		return span{lo, lo + size}
	}
	lo += s.offset(i)
	return span{lo, lo + s.run}
}

//go:norace
func (x *access) run(i int) span { return runOf(uintptr(x.ptr), x.size, x.section(), i) }

// open splits x if it is not split yet, and returns its fragments locked.
//
//go:norace
func (x *access) open() *extra {
	e := x.more.Load()
	if e == nil {
		e = new(extra)
		if !x.more.CompareAndSwap(nil, e) {
			e = x.more.Load()
		}
	}
	e.mu.Lock()
	if atomic.LoadUint32(&x.flags)&split != 0 {
		return e
	}
	f := atomic.AddUint32(&x.flags, split) &^ split
	count := runs(e.section)
	e.parts = make([]fragment, count, count+4)
	for i := range e.parts {
		r := x.run(i)
		e.parts[i] = fragment{lo: r.lo, hi: r.hi, flags: f, next: x.next, child: x.child}
	}
	e.untokened = 0
	if exclusive(f) && !returned(f) {
		e.untokened = 1
	}
	e.count(x, f, count-1)
	return e
}

// count adds to the counts that a fragment with word f takes part in for more of its kind.
//
//go:norace
func (e *fragments) count(x *access, f word, more int) {
	if more == 0 {
		return
	}
	n := x.node
	n.refs.Add(int32(more))
	if f&isWeak == 0 && !satisfied(f) {
		n.pending.Add(int32(more))
	}
	if exclusive(f) && !returned(f) {
		e.untokened += more
	}
}

// exclusive tells whether an access needs a token.
//
//go:norace
func exclusive(f word) bool { return f&(classM|isWeak) == classM }

// find returns the index of the first fragment that ends after at.
//
//go:norace
func (e *fragments) find(at uintptr) int {
	i, j := 0, len(e.parts)
	for i < j {
		if mid := int(uint(i+j) >> 1); e.parts[mid].hi <= at {
			i = mid + 1
		} else {
			j = mid
		}
	}
	return i
}

// cut makes at a border between fragments, if it is inside one.
//
//go:norace
func (e *fragments) cut(x *access, at uintptr) {
	i := e.find(at)
	if i == len(e.parts) || e.parts[i].lo >= at {
		return
	}
	n := len(e.parts)
	if n == cap(e.parts) {
		more := make([]fragment, n, 2*n)
		for k := range e.parts {
			more[k] = e.parts[k]
		}
		e.parts = more
	}
	e.parts = e.parts[:n+1]
	for k := n; k > i; k-- {
		e.parts[k] = e.parts[k-1]
	}
	e.parts[i].hi = at
	e.parts[i+1].lo = at
	e.count(x, e.parts[i].flags, 1)
}

// outbox collects messages of neighbouring fragments into one.
type outbox struct {
	to       *access
	set, ack word
	span     span
}

// partsEvent brings an event to the fragments of x in r, splitting x first if it is whole. With linked or nested in
// set, other is the new next or first child. With done, each fragment finds out by itself whether a child chain
// stands in its place, and those that are done already are left alone.
//
//go:norace
func (mb *Mailbox) partsEvent(x *access, set word, r span, other *access) {
	n := x.node
	if r == wholeRange {
		r = x.span()
	}
	e := x.open()
	e.cut(x, r.lo)
	e.cut(x, r.hi)
	var next, child outbox
	started, sent, returnToken := int32(0), int32(0), false
	for i := e.find(r.lo); i < len(e.parts) && e.parts[i].lo < r.hi; i++ {
		p := &e.parts[i]
		old, set := p.flags, set
		if set&done != 0 {
			if old&done != 0 {
				continue
			}
			if p.child == nil || x.child == drainedChain {
				p.child = x.child // set after the split, perhaps; this goroutine has the task
			}
			set |= chainless(p.child)
		}
		if set&linked != 0 {
			p.next = other
		}
		if set&nested != 0 {
			p.child = other
		}
		f := old | set
		p.flags = f
		due := step(old, set)
		if due == 0 {
			continue
		}
		here := span{p.lo, p.hi}
		if due&untoken != 0 {
			e.untokened--
			returnToken = e.untokened == 0
		}
		if g := due / toChild & (early | inW); g != 0 {
			x.passDownIn(f, here, p.child)
			mb.gather(x, &child, outbox{to: p.child, set: g, ack: g & early << downShift, span: here})
		}
		if g := due & (early | inW); g != 0 {
			if f&terminal == 0 {
				from, set := fromBefore, g
				if f&toParent != 0 {
					from, set = fromBelow, g<<upShift
				}
				x.passIn(f, here, p.next, from)
				mb.gather(x, &next, outbox{to: p.next, set: set, ack: g & early << ackShift, span: here})
			}
			if g == inW {
				sent++
			}
		}
		if due&start != 0 {
			started++
		}
	}
	mb.gather(x, &child, outbox{})
	mb.gather(x, &next, outbox{})
	if returnToken {
		mb.tokens.release(x, mb)
	}
	e.mu.Unlock()
	// After either of these the task may be gone. A task that is started by this has sent nothing.
	if sent > 0 {
		n.unref(sent, mb)
	} else if started > 0 {
		mb.trace(mb.current, n)
		if n.pending.Add(-started) == 0 && n.admit(mb) {
			mb.ready.push(n)
		}
	}
}

// gather joins m to what o holds if it is the same message about the next bytes, otherwise posts what o holds.
//
//go:norace
func (mb *Mailbox) gather(x *access, o *outbox, m outbox) {
	if o.to != nil {
		if o.to == m.to && o.set == m.set && o.ack == m.ack && o.span.hi == m.span.lo {
			o.span.hi = m.span.hi
			return
		}
		to := o.span
		if o.to.section() == nil && to == o.to.span() {
			to = wholeRange
		}
		mb.pushIn(message{to: o.to, from: x, set: o.set, ack: o.ack}, to, o.span)
	}
	*o = m
}

// completeIn tells whether the bytes of x in r owe nobody anything but W to a next that is not there yet, and returns
// the failure that marks them.
//
//go:norace
func (x *access) completeIn(r span) (ok bool, cause error) {
	f := atomic.LoadUint32(&x.flags)
	if f&split == 0 {
		return complete(f), x.causeIn(f, r)
	}
	e := x.open()
	ok = true
	for i := e.find(r.lo); ok && i < len(e.parts) && e.parts[i].lo < r.hi; i++ {
		p := &e.parts[i]
		ok = complete(p.flags)
		if cause == nil {
			cause = x.causeIn(p.flags, span{max(p.lo, r.lo), min(p.hi, r.hi)})
		}
	}
	e.mu.Unlock()
	return ok, cause
}

// grantedIn tells whether children of x's task may use the bytes in r at once.
//
//go:norace
func (x *access) grantedIn(r span) bool {
	f := atomic.LoadUint32(&x.flags)
	if f&split == 0 {
		return f&(inW|private) != 0
	}
	e := x.open()
	ok := true
	for i := e.find(r.lo); ok && i < len(e.parts) && e.parts[i].lo < r.hi; i++ {
		ok = e.parts[i].flags&(inW|private) != 0
	}
	e.mu.Unlock()
	return ok
}

// setChild records for the bytes of x in r that a chain of children stands in their place. The first child, if it was
// linked below x, stays known: it may still have to be told.
//
//go:norace
func (x *access) setChild(r span, child *access) {
	e := x.open()
	e.cut(x, r.lo)
	e.cut(x, r.hi)
	for i := e.find(r.lo); i < len(e.parts) && e.parts[i].lo < r.hi; i++ {
		if p := &e.parts[i]; p.child == nil || child == drainedChain {
			p.child = child
		}
	}
	e.mu.Unlock()
}

//go:norace
func (x *access) waitingInParts() bool {
	e := x.open()
	waiting := false
	for i := range e.parts {
		if f := e.parts[i].flags; f&isWeak == 0 && !satisfied(f) {
			waiting = true
		}
	}
	e.mu.Unlock()
	return waiting
}
