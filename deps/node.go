package deps

import (
	"sync/atomic"
	"unsafe"
)

// inlineAccesses is how many accesses a node holds without a second allocation.
const inlineAccesses = 4

// access is one item of one task: the automaton's word and its neighbours in the chain.
//
// Plain fields: everything but next and child is written before the access is published by linking it. next is
// written by the goroutine that owns the parent's domain before it sets linked; child by the goroutine that runs the
// access's own task before it sets nested or done. Whoever sees the bit in the word may read the field.
type access struct {
	flags word   // the automaton's bits: plain until published, atomic afterwards
	seat  uint32 // index of the item's entry in the parent's domain; of use only during Register
	ptr   unsafe.Pointer
	size  uintptr
	node  *Node
	next  *access // successor in the chain, or with toParent the access of the parent's task
	child *access // first access to the item among the task's children
	order hbRef   // race builds only: the declared edges of this chain
}

// Node is the dependency side of one task: its accesses, what it still waits for, and the domain in which its
// children are ordered. A task embeds its node.
//
// Life: Init, Declare…, Register by the parent; [ready]; the task runs; Finish gives the accesses up; Drop ends the
// caller's hold. The node may be used again once it comes out of Mailbox.TakeFree: nobody refers to it any more.
type Node struct {
	// Link chains nodes in lists. It belongs to whoever has the node: the caller once a node came out of a Mailbox,
	// the engine otherwise.
	Link *Node

	parent  *Node
	pending atomic.Int32 // strong accesses not satisfied, plus one while Register is at work
	refs    atomic.Int32 // accesses that may still get or owe a message, plus one for the caller (Drop)
	accs    []access
	domain  *domain // order among the children; nil before the first child with an access
	marks   marks   // failures that arrived with the data
	failure atomic.Pointer[failure]
	inline  [inlineAccesses]access
}

// Init prepares n, new or free, as a child of parent (nil for a task without siblings) for at most accesses calls of
// Declare.
//
//go:norace
func (n *Node) Init(parent *Node, accesses int) {
	n.Link = nil
	n.parent = parent
	switch {
	case accesses <= cap(n.accs):
		n.accs = n.accs[:0]
	case accesses <= inlineAccesses:
		n.accs = n.inline[:0]
	default:
		n.accs = make([]access, 0, accesses)
	}
}

// Declare adds an access of the task, to be called between Init and Register. An item that the task declared already
// is combined with the earlier declaration; an empty access is ignored. final makes a weak access strong.
//
//go:norace
func (n *Node) Declare(a Access, final bool) {
	if a.Empty() {
		return
	}
	if final {
		a.weak = false
	}
	if len(n.accs) <= scanLimit {
		for i := range n.accs {
			if x := &n.accs[i]; x.ptr == a.ptr && x.size == a.size {
				x.flags = staticFlags(x.declared().and(a))
				return
			}
		}
	}
	i := len(n.accs)
	n.accs = n.accs[:i+1]
	x := &n.accs[i]
	x.flags = staticFlags(a)
	x.ptr, x.size, x.node = a.ptr, a.size, n
	x.next, x.child = nil, nil
}

// staticFlags returns the word that an access starts with.
//
//go:norace
func staticFlags(a Access) word {
	var f word
	switch a.kind {
	case KindIn:
		f = classR
	case KindConcurrent:
		f = classC
	case KindCommutative:
		f = classM
	case KindOut:
		f = overwrites
	}
	if a.weak {
		f |= isWeak
	}
	return f
}

// declared returns the access as the program wrote it.
//
//go:norace
func (x *access) declared() Access {
	f := atomic.LoadUint32(&x.flags)
	a := Access{ptr: x.ptr, size: x.size, weak: f&isWeak != 0}
	switch {
	case f&classR != 0:
		a.kind = KindIn
	case f&classC != 0:
		a.kind = KindConcurrent
	case f&classM != 0:
		a.kind = KindCommutative
	case f&overwrites != 0:
		a.kind = KindOut
	default:
		a.kind = KindInOut
	}
	return a
}

// Accesses returns the number of accesses of the task after duplicates were combined and empty ones ignored.
//
//go:norace
func (n *Node) Accesses() int { return len(n.accs) }

// Access returns the i-th access of the task, 0 ≤ i < Accesses().
//
//go:norace
func (n *Node) Access(i int) Access { return n.accs[i].declared() }

// Waiting tells whether the task still waits for its i-th access. It may be stale at once; it is for reports.
//
//go:norace
func (n *Node) Waiting(i int) bool {
	f := atomic.LoadUint32(&n.accs[i].flags)
	return f&isWeak == 0 && !satisfied(f)
}

// Fail records why the task failed, before Finish: what it may have written carries the cause to its dependents.
//
//go:norace
func (n *Node) Fail(cause error) { n.failure.Store(&failure{cause}) }

// Cause returns why the task must not run: the failure of a task that wrote an item which this one reads. It is nil
// for a task all of whose inputs are good. Call it once the node is ready.
//
//go:norace
func (n *Node) Cause() error { return n.marks.cause(n) }

// Finish gives up all accesses of the task, after its body is over: each passes on at once, or when the last child
// that uses the item lets go. The nodes that become ready are in mb.
//
//go:norace
func (n *Node) Finish(mb *Mailbox) {
	mb.current = n
	n.CloseDomain(mb)
	for i := range n.accs {
		x := &n.accs[i]
		if atomic.LoadUint32(&x.flags)&done == 0 {
			x.giveUp(0, mb)
			mb.drain()
		}
	}
	mb.current = nil
}

// giveUp sets done, and how. The last child of the item, if there was one, has been linked to x before or is forgotten.
//
//go:norace
func (x *access) giveUp(how word, mb *Mailbox) {
	set := done | how
	switch x.child {
	case nil:
		set |= leaf
	case drainedChain:
		set |= upW
	}
	mb.event(x, set)
}

// Release gives up one of the task's own items before the body is over; the body must not touch it afterwards, nor
// spawn children that do. Children that use it now delay the hand-over. It reports whether the task had declared the
// item, with this kind and weakness (final as for Declare), and had not released it before.
//
//go:norace
func (n *Node) Release(a Access, final bool, mb *Mailbox) bool {
	if final {
		a.weak = false
	}
	for i := range n.accs {
		x := &n.accs[i]
		if x.ptr != a.ptr || x.size != a.size {
			continue
		}
		f := atomic.LoadUint32(&x.flags)
		if d := x.declared(); d.kind != a.kind || d.weak != a.weak || f&done != 0 {
			return false
		}
		mb.current = n
		if n.domain != nil {
			n.domain.closeItem(x, mb)
		}
		x.giveUp(freed, mb)
		mb.drain()
		mb.current = nil
		return true
	}
	return false
}

// Drop ends the caller's hold on n, after Finish and the last call that names n.
//
//go:norace
func (n *Node) Drop(mb *Mailbox) { n.unref(mb) }

//go:norace
func (n *Node) unref(mb *Mailbox) {
	if n.refs.Add(-1) == 0 {
		if n.marks.first.Load() != nil || n.failure.Load() != nil {
			n.marks.first.Store(nil)
			n.failure.Store(nil)
		}
		n.Link = mb.free
		mb.free = n
	}
}

// Followers puts into the given slice tasks whose accesses come next after n's, as many as fit, and returns how many
// there are. It is for reports about a program at rest: while tasks run the answer may be out of date.
//
//go:norace
func (n *Node) Followers(into []*Node) int {
	count := 0
	for i := range n.accs {
		x := &n.accs[i]
		next := x.next
		if f := atomic.LoadUint32(&x.flags); f&linked == 0 || f&(done|toParent|terminal) != 0 || next == nil {
			continue
		}
		if count < len(into) {
			into[count] = next.node
		}
		count++
	}
	return count
}
