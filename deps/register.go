package deps

import "sync/atomic"

// Register links the accesses that n declared behind those of its elder siblings and reports whether the task may
// run now; otherwise the node comes out of a Mailbox later. Only the goroutine that runs the parent's body may call
// it. It panics, leaving n out of the order, if an item overlaps another one of the domain, of the parent or of n
// itself without being equal to it.
//
// Cost: a look-up per access, and an atomic addition per access that has a live predecessor.
//
//go:norace
func (n *Node) Register(mb *Mailbox) bool {
	if len(n.accs) == 0 {
		n.refs.Store(1)
		return true
	}
	d := n.parent.openDomain(mb)
	d.seat(n, mb) // may panic; nothing is linked yet
	count := len(n.accs)
	n.refs.Store(int32(count) + 1)
	n.pending.Store(int32(count) + 1)
	granted := int32(1)
	n.privatize()
	for i := range n.accs {
		x := &n.accs[i]
		e := &d.entries[x.seat]
		before := e.tail
		e.tail = x
		if x.join(e, before, mb) {
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
	for i := range n.accs {
		if x := &n.accs[i]; commutative && x.flags&classM != 0 {
			x.flags |= private
		}
	}
}

// join links x behind before, or below the parent's access when x is the first of its item, and reports whether the
// task need not wait for it, as far as that is settled without a message.
//
//go:norace
func (x *access) join(e *entry, before *access, mb *Mailbox) bool {
	static := x.flags
	granted := word(0)
	switch {
	case before != nil:
		x.order = before.order
		f := atomic.LoadUint32(&before.flags)
		static |= f & scoped
		x.flags = static
		if complete(f) {
			// The chain behind is history. Take what it leaves and let its last access go.
			granted = inW
			if cause := before.cause(f); cause != nil {
				x.node.marks.add(x, fromBefore, cause)
			}
			mb.trace(before.node, x.node)
			before.node.unref(mb)
			break
		}
		before.next = x
		mb.event(before, linked)
		return static&isWeak != 0
	case e.up != nil:
		up := e.up
		x.order = up.order
		f := atomic.LoadUint32(&up.flags)
		first := up.child == nil
		up.child = x
		if first && f&(inW|private) == 0 {
			x.flags |= f & scoped
			mb.event(up, nested)
			return static&isWeak != 0
		}
		// The parent's task has all it can get, or children used the item before and are history (see forget).
		granted = inW
		if f&(private|scoped) != 0 {
			granted |= scoped
		}
		if cause := up.downCause(f); first && cause != nil {
			x.node.marks.add(x, fromBefore, cause)
		}
	default:
		x.order = newOrder()
		granted = inW
	}
	x.flags = static | granted
	return true
}

// admit takes the commutative tokens of a task that waits for nothing else, and reports whether it has them all.
//
//go:norace
func (n *Node) admit(mb *Mailbox) bool {
	for i := range n.accs {
		if atomic.LoadUint32(&n.accs[i].flags)&(classM|isWeak) == classM {
			return mb.tokens.acquire(n)
		}
	}
	return true
}
