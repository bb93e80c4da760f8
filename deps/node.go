package deps

import (
	"sync/atomic"
	"unsafe"
)

// inlineAccesses is how many accesses a node holds without a second allocation.
const inlineAccesses = 4

// access is one item of one task: the automaton's word and its neighbours in the chain.
//
// Plain fields: everything but next, child and more is written before the access is published by linking it. next is
// written by the goroutine that owns the parent's domain before it sets linked; child by the goroutine that runs the
// access's own task before it sets nested or done. Whoever sees the bit in the word may read the field.
type access struct {
	flags word // the automaton's bits: plain until published, atomic afterwards
	order hbRef
	ptr   unsafe.Pointer
	size  uintptr // extent in bytes
	node  *Node
	next  *access // successor in the chain, or with toParent the access of the parent's task
	child *access // first access to the item among the task's children
	more  atomic.Pointer[extra]
}

// extra is what an access needs that is not one item, contiguous and used as a whole. An access gets it at most once.
type extra struct {
	section *section // nil: contiguous; fixed before the access is published
	fragments
	contribution
	scope *scope // of a combination
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
	pending atomic.Int32 // strong accesses, or fragments of them, not satisfied, plus one while Register is at work
	refs    atomic.Int32 // accesses, or fragments, that may still get or owe a message, plus one for the caller (Drop)
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

// Declare adds an access of the task, to be called between Init and Register. Bytes that the task declared already
// are combined with the earlier declaration; an empty access is ignored. final makes a weak access strong.
//
//go:norace
func (n *Node) Declare(a *Access, final bool) {
	if a.ptr == nil || a.size == 0 || a.kind == kindNone {
		return
	}
	weak := a.weak && !final
	if count := len(n.accs); count > 0 && count <= scanLimit {
		lo := uintptr(a.ptr)
		hi := lo + a.size
		for i := range n.accs {
			x := &n.accs[i]
			if xlo := uintptr(x.ptr); xlo < hi && lo < xlo+x.size {
				if a.kind == KindReduction || x.flags&reducing != 0 {
					if !n.sameReduction(x, a, weak) {
						continue
					}
					return
				}
				if x.ptr == a.ptr && x.size == a.size && sameSection(x.section(), a.section()) {
					x.flags = staticFlags(x.declared().and(*a, weak))
					return
				}
				if x.shares(a) {
					b := *a
					b.weak = weak
					n.combine(b)
					return
				}
			}
		}
	}
	n.add(a, weak)
}

//go:norace
func (n *Node) add(a *Access, weak bool) {
	i := len(n.accs)
	if i == cap(n.accs) {
		n.grow()
	}
	n.accs = n.accs[:i+1]
	x := &n.accs[i]
	x.flags = staticFlags(a.kind, weak)
	x.ptr, x.size, x.node = a.ptr, a.size, n
	x.next, x.child = nil, nil
	if x.more.Load() != nil || a.ext != nil {
		x.setExtra(a)
	}
}

//go:norace
func (x *access) setExtra(a *Access) {
	if a.kind == KindReduction {
		e := x.more.Load()
		if e == nil || e.op == nil { // otherwise the last user of the memory was a reduction as well
			e = new(extra)
			x.more.Store(e)
		}
		e.contribution = contribution{op: a.ext.(Reduction)}
		return
	}
	x.setSection(a.section())
}

//go:norace
func (x *access) setSection(s *section) {
	if s == nil {
		x.more.Store(nil)
		return
	}
	x.more.Store(&extra{section: s})
}

// section returns which bytes of the item count, nil for all.
//
//go:norace
func (x *access) section() *section {
	if e := x.more.Load(); e != nil {
		return e.section
	}
	return nil
}

//go:norace
func (a *Access) section() *section {
	if a.ext == nil {
		return nil
	}
	s, _ := a.ext.(*section)
	return s
}

// staticFlags returns the word that an access starts with.
//
//go:norace
func staticFlags(k Kind, weak bool) word {
	f := kindFlags[k&7]
	if weak {
		f |= isWeak
	}
	return f
}

var kindFlags = [8]word{KindIn: classR, KindConcurrent: classC, KindCommutative: classM, KindOut: overwrites, KindReduction: reducing}

// declared returns the access as the program wrote it.
//
//go:norace
func (x *access) declared() Access {
	f := atomic.LoadUint32(&x.flags)
	a := Access{ptr: x.ptr, size: x.size, weak: f&isWeak != 0}
	a.kind = kindOf(f)
	if a.kind == KindReduction {
		a.ext = x.more.Load().op
	} else if s := x.section(); s != nil {
		a.ext = s
	}
	return a
}

// kindOf returns the kind of access that a word is of.
//
//go:norace
func kindOf(f word) Kind {
	switch {
	case f&classR != 0:
		return KindIn
	case f&classC != 0:
		return KindConcurrent
	case f&classM != 0:
		return KindCommutative
	case f&overwrites != 0:
		return KindOut
	case f&reducing != 0:
		return KindReduction
	}
	return KindInOut
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
	x := &n.accs[i]
	f := atomic.LoadUint32(&x.flags)
	if f&split != 0 {
		return x.waitingInParts()
	}
	return f&(isWeak|reducing) == 0 && !satisfied(f)
}

// Fail records why the task failed, before Finish: what it may have written carries the cause to its dependents.
//
//go:norace
func (n *Node) Fail(cause error) { n.failure.Store(&failure{cause}) }

// Cause returns why the task must not run: the failure of a task that wrote an item which this one reads. It is nil
// for a task all of whose inputs are good. Call it once the node is ready.
//
//go:norace
func (n *Node) Cause() error { return n.marks.cause(n, nil) }

// CauseUnless is Cause but for failures that the function says are forgiven as far as n is concerned.
//
//go:norace
func (n *Node) CauseUnless(forgiven func(*Node, error) bool) error { return n.marks.cause(n, forgiven) }

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
	if x.flags&reducing != 0 {
		x.contributed(how, mb)
		return
	}
	set := done | how | chainless(x.child)
	now := atomic.AddUint32(&x.flags, set)
	if now&split != 0 {
		mb.partsEvent(x, done|how, wholeRange, nil)
	} else if e := step(now-set, set); e != 0 {
		mb.post(x, now, e)
	}
}

// chainless returns the bit that says why no child will send what done waits for, 0 if one will.
//
//go:norace
func chainless(child *access) word {
	switch child {
	case nil:
		return leaf
	case drainedChain:
		return upW
	}
	return 0
}

// Drop ends the caller's hold on n, after Finish and the last call that names n.
//
//go:norace
func (n *Node) Drop(mb *Mailbox) { n.unref(1, mb) }

//go:norace
func (n *Node) unref(count int32, mb *Mailbox) {
	if n.refs.Add(-count) == 0 {
		if n.marks.first.Load() != nil || n.failure.Load() != nil {
			n.marks.first.Store(nil)
			n.failure.Store(nil)
		}
		n.Link = mb.free
		mb.free = n
	}
}
