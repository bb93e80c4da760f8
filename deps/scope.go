package deps

import (
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

// Reductions.
//
// Tasks that reduce the same item with the same operator, one after the other among the children of a task, form a
// scope. None of them waits for the item: each works on a private copy. What takes part in the order is the combination,
// a task of its own (Hooks.Combiner) with an inout access to the item, created where the first of them stands. It
// becomes ready when the item is its own to write, when the scope is closed, and when all contributions are made: all
// three are counted in its node's pending, so no other state is needed.
//
// A scope is closed by an access to any of its bytes that does not take part in it, by a taskwait of the task whose children
// they are, and by the end of that task's body. Below a reduction, weak or strong, children contribute to its scope, at
// any depth: what holds the scope open for them is the contribution of their parent, which ends with its body.
type scope struct {
	op     Reduction
	copies Copies
	access *access // the combination's
	base   unsafe.Pointer
	places int // of contributors, if the reduction is ordered
	closed bool
}

// contribution is a reduction access's part in a scope.
type contribution struct {
	op    Reduction
	to    *scope
	copy  unsafe.Pointer // nil before the body has asked for it
	place *Place         // of an ordered reduction
	below int            // places of children
}

// contribute makes x part of a scope, which it opens if there is none.
//
//go:norace
func (x *access) contribute(d *domain, mb *Mailbox) {
	c := &x.more.Load().contribution
	if d.reduces {
		for i := range x.node.parent.accs {
			if up := &x.node.parent.accs[i]; up.contributing() && up.covers(x) {
				u := &up.more.Load().contribution
				x.enter(u.to, u.place, &u.below)
				return
			}
		}
	}
	if at, _ := d.lowest(x.span()); at >= 0 {
		if t := d.entries[at].tail; t != nil && t.flags&combining != 0 {
			if k := t.more.Load().scope; !k.closed && k.op == c.op && t.covers(x) {
				x.enter(k, nil, &k.places)
				return
			}
		}
	}
	k := d.openScope(x, mb)
	x.enter(k, nil, &k.places)
}

// contributing tells whether x is a reduction that has not been given up.
//
//go:norace
func (x *access) contributing() bool { return atomic.LoadUint32(&x.flags)&(reducing|done) == reducing }

// compatible panics if n, whose parent reduces something, uses it otherwise.
//
//go:norace
func (n *Node) compatible(mb *Mailbox) {
	for i := range n.accs {
		x := &n.accs[i]
		for j := range n.parent.accs {
			up := &n.parent.accs[j]
			if !up.contributing() || !up.overlaps(x) {
				continue
			}
			if x.flags&reducing == 0 || !up.covers(x) || x.more.Load().op != up.more.Load().op {
				x.refuse(up, mb)
			}
		}
	}
}

//go:norace
func (x *access) covers(y *access) bool {
	return x.span().lo <= y.span().lo && y.span().hi <= x.span().hi
}

//go:norace
func (x *access) enter(k *scope, above *Place, index *int) {
	c := &x.more.Load().contribution
	c.to = k
	if c.op.Ordered() {
		c.place = NewPlace(above, *index)
		*index++
	}
	k.access.node.pending.Add(1) // it is not zero: the scope is open, or a parent's contribution is under way
}

// openScope puts the combination of a new scope over x's item into the order.
//
//go:norace
func (d *domain) openScope(x *access, mb *Mailbox) *scope {
	parent := x.node.parent
	n := mb.hooks.Combiner(parent)
	a := Access{ptr: x.ptr, size: x.size, kind: KindInOut}
	n.Init(parent, 1)
	n.add(&a, false)
	y := &n.accs[0]
	y.flags |= combining
	op := x.more.Load().op
	k := &scope{op: op, copies: op.Open(x.ptr, x.size), access: y, base: x.ptr}
	y.more.Store(&extra{scope: k})
	d.scopes++
	n.refs.Store(2)
	n.pending.Store(3) // the access, being registered, and open
	granted := int32(1)
	at := d.find(y.ptr, y.size, nil)
	if at == absent {
		at = d.add(entry{ptr: y.ptr, size: y.size}, mb)
	}
	if at == overlapping && y.joinRegions(d, mb) || at >= 0 && y.join(&d.entries[at], mb) {
		granted++
	}
	n.pending.Add(-granted)
	return k
}

// closeScope lets the combination whose access x is go as soon as everything else allows.
//
//go:norace
func (x *access) closeScope(mb *Mailbox) {
	k := x.more.Load().scope
	if k.closed {
		return
	}
	k.closed = true
	x.lift(mb)
}

// lift takes one off what the combination waits for.
//
//go:norace
func (x *access) lift(mb *Mailbox) {
	n := x.node
	if n.pending.Add(-1) == 0 && n.admit(mb) {
		mb.ready.push(n)
	}
}

// CloseScopes closes the scopes of reductions among n's children: a taskwait waits for their combinations, too. The nodes
// that become ready are in mb.
//
//go:norace
func (n *Node) CloseScopes(mb *Mailbox) {
	d := n.domain
	if d == nil || d.scopes == 0 {
		return
	}
	d.scopes = 0
	for i := range d.entries {
		if t := d.entries[i].tail; t != nil && t.flags&combining != 0 {
			t.closeScope(mb)
		}
	}
}

// contributed ends x's part in its scope. A task that failed spoils the result, unless it released the item before.
//
//go:norace
func (x *access) contributed(how word, mb *Mailbox) {
	n := x.node
	atomic.AddUint32(&x.flags, done|how)
	c := &x.more.Load().contribution
	k := c.to
	if c.copy != nil {
		k.copies.Give(c.copy)
		c.copy = nil
	}
	if f := n.failure.Load(); f != nil && how&freed == 0 {
		k.access.node.marks.add(k.access, fromBefore, k.access.span(), f.cause)
	}
	mb.trace(n, k.access.node)
	k.access.lift(mb)
	n.unref(1, mb)
}

// PrivateCopy returns what stands for the given bytes, of an item that the task reduces, in the task's private copy. It
// belongs to the task until its body is over, or it releases the item. It returns nil if the task has no strong reduction
// of them. Only the goroutine that runs the body may call it.
//
//go:norace
func (n *Node) PrivateCopy(p unsafe.Pointer, bytes uintptr) unsafe.Pointer {
	for i := range n.accs {
		x := &n.accs[i]
		lo := uintptr(p)
		if f := atomic.LoadUint32(&x.flags); f&(reducing|isWeak|done) != reducing || lo < uintptr(x.ptr) || lo+bytes > x.span().hi {
			continue
		}
		c := &x.more.Load().contribution
		if c.copy == nil {
			c.copy = c.to.copies.Take(c.place)
		}
		return unsafe.Add(c.copy, lo-uintptr(c.to.base))
	}
	return nil
}

// Combination returns what the task of a node that Hooks.Combiner made has to combine, nil for other nodes.
//
//go:norace
func (n *Node) Combination() Copies {
	if len(n.accs) == 1 && n.accs[0].flags&combining != 0 {
		return n.accs[0].more.Load().scope.copies
	}
	return nil
}

// sameReduction tells whether a, which shares bytes with x if x is contiguous, repeats the declaration x; it panics if
// one of them is a reduction and they are not the same.
//
//go:norace
func (n *Node) sameReduction(x *access, a *Access, weak bool) bool {
	d := x.declared()
	if d.kind == a.kind && d.ptr == a.ptr && d.size == a.size && d.ext == a.ext {
		if !weak {
			x.flags &^= isWeak
		}
		return true
	}
	if !x.shares(a) {
		return false
	}
	race.Enable()
	defer race.Disable()
	panic("deps: " + a.String() + " and " + d.String() + " of one task share bytes: what it reduces it cannot use otherwise")
}

// refuse panics because x uses what its task's parent reduces, in another way.
//
//go:norace
func (x *access) refuse(up *access, mb *Mailbox) {
	who, whose := mb.name(x.node), mb.name(up.node)
	race.Enable()
	defer race.Disable()
	panic("deps: " + x.declared().String() + " of " + who + " is on what " + whose + ", its parent, declares as " + up.declared().String())
}
