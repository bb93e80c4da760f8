package deps

import "sync/atomic"

// Register links the accesses that n declared behind those of its elder siblings and reports whether the task may
// run now; otherwise the node comes out of a Mailbox later. Only the goroutine that runs the parent's body may call
// it. It panics, leaving n out of the order, if n uses otherwise what the parent reduces.
//
// Cost: a look-up per access, and an atomic addition per access that has a live predecessor. An item that overlaps
// others without being equal to one costs a search and a lock for each of them.
//
//go:norace
func (n *Node) Register(mb *Mailbox) bool {
	if len(n.accs) == 0 {
		n.refs.Store(1)
		return true
	}
	if len(n.accs) > scanLimit {
		n.disentangle()
	}
	d := n.parent.openDomain(mb)
	if d.reduces {
		n.compatible(mb)
	}
	count := len(n.accs)
	d.reserve(count, mb)
	n.refs.Store(int32(count) + 1)
	n.pending.Store(int32(count) + 1)
	granted := int32(1)
	n.privatize()
	reductions := false
	for i := range n.accs {
		x := &n.accs[i]
		if x.flags&reducing != 0 {
			reductions = true
			continue
		}
		at := d.find(x.ptr, x.size, x.section())
		switch {
		case at == overlapping:
			if x.joinRegions(d, mb) {
				granted++
			}
			continue
		case at == absent:
			at = d.add(entry{ptr: x.ptr, size: x.size, section: x.section()}, mb)
		}
		if x.join(&d.entries[at], mb) {
			granted++
		}
	}
	// Reductions come last: n must not take part in a scope that its other accesses close and wait for.
	for i := 0; reductions && i < count; i++ {
		if x := &n.accs[i]; x.flags&reducing != 0 {
			x.contribute(d, mb)
			granted++
		}
	}
	if granted == int32(count)+1 && mb.n == 0 {
		// Every access was satisfied as it was linked, so no other goroutine has a count to bring down.
		n.pending.Store(0)
		return n.admit(mb)
	}
	mb.drain()
	if n.pending.Add(-granted) != 0 {
		return false
	}
	return n.admit(mb)
}

// privatize lets the children of a commutative task work under its token, if they can need nothing that the task does
// not have when it starts: with a weak access among the others, a child could wait for a task that waits for the token.
//
//go:norace
func (n *Node) privatize() {
	commutative := false
	for i := range n.accs {
		f := n.accs[i].flags
		if f&isWeak != 0 {
			return
		}
		commutative = commutative || f&classM != 0
	}
	if !commutative {
		return
	}
	for i := range n.accs {
		if x := &n.accs[i]; x.flags&classM != 0 {
			x.flags |= private
		}
	}
}

// join makes x the last access of the entry for its item: it links x behind the one that was, or below the parent's
// access when x is the first. It reports whether the task need not wait for it, as far as that is settled without a
// message.
//
//go:norace
func (x *access) join(e *entry, mb *Mailbox) bool {
	before, up := e.tail, e.up
	e.tail = x
	static := x.flags
	granted := word(0)
	switch {
	case before != nil:
		x.hbAfter(before)
		f := atomic.LoadUint32(&before.flags)
		if f&combining != 0 {
			before.closeScope(mb)
		}
		static |= f & scoped
		x.flags = static
		if f&split == 0 && before.ptr == x.ptr && before.size == x.size {
			if !complete(f) {
				mb.link(before, linked, wholeRange, x)
				return static&isWeak != 0
			}
			before.leaveTo(x, x.span(), false)
			mb.trace(before.node, x.node)
			before.node.unref(1, mb)
		} else {
			r := before.rangeOf(x.span(), x.section())
			if ok, _ := before.completeIn(x.span()); !ok {
				mb.link(before, linked, r, x)
				return static&isWeak != 0
			}
			before.leaveTo(x, x.span(), false)
			mb.trace(before.node, x.node)
			mb.letGo(before, r)
		}
		granted = inW // the chain behind is history
	case up != nil:
		x.hbBelow(up)
		first := !e.had
		e.had = true
		f := atomic.LoadUint32(&up.flags)
		r := up.rangeOf(x.span(), x.section())
		if first { // otherwise children used the item before and are history (see forget): there is nothing to wait for
			if !up.grantedIn(x.span()) {
				x.flags |= f & scoped
				mb.nest(up, r, x)
				return static&isWeak != 0
			}
			up.leaveTo(x, x.span(), true)
		}
		granted = inW
		if f&(private|scoped) != 0 {
			granted |= scoped
		}
	default:
		x.hbFirst()
		granted = inW
	}
	x.flags = static | granted
	return true
}

// rangeOf returns the bytes of an entry as the range of an event of x, whose bytes they are: wholeRange if they are all
// of x. Those of a section always are.
//
//go:norace
func (x *access) rangeOf(r span, s *section) span {
	if s != nil || x.section() == nil && r == x.span() {
		return wholeRange
	}
	return r
}

// letGo ends the engine's hold on the last access of a chain, for the bytes in r, which are complete.
//
//go:norace
func (mb *Mailbox) letGo(x *access, r span) {
	if r == wholeRange && atomic.LoadUint32(&x.flags)&split == 0 {
		x.node.unref(1, mb)
		return
	}
	mb.partsEvent(x, linked|terminal, r, nil)
}

// admit takes the commutative tokens of a task that waits for nothing else, and reports whether it has them all.
//
//go:norace
func (n *Node) admit(mb *Mailbox) bool {
	for i := range n.accs {
		if exclusive(atomic.LoadUint32(&n.accs[i].flags)) {
			return mb.tokens.acquire(n)
		}
	}
	return true
}
