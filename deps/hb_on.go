//go:build race

package deps

import (
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

// In race builds the detector is told the order that the program declared, and no other (see internal/race). Every
// access, or group of equal accesses that may run together, knows those that it is ordered behind. A body releases on
// its own accesses what it did when it gives them up, and acquires, going back from each of its accesses, from all that
// conflict with it and share bytes with it, down into their tasks' children:
//
//	class        acquires
//	in           out, inout, concurrent, commutative
//	out, inout   all
//	concurrent   in, out, inout, commutative
//	commutative  all (tokens order them among each other)
//
// The way back ends at an out or inout whose body has run: it has acquired all that comes before. Among commutatives
// tokens decide who comes first, so there is an address for each token, too.
type hb struct {
	at       access                 // the bytes, the class, and isWeak: a copy, since accesses are used again
	sync     byte                   // its address is what the detector knows
	walked   bool                   // the body has acquired
	acquired atomic.Bool            // and released: who comes later need not look beyond
	first    *hbLink                // those that this one follows, on some of its bytes each
	below    atomic.Pointer[hbLink] // the accesses of children that use the bytes
	combined byte                   // the address on which those release whose contributions are combined
}

type hbRef = *hb

type hbLink struct {
	to   *hb
	up   bool // to is the access of the parent's task: what it follows, this follows
	next *hbLink
}

//go:norace
func (x *access) newOrder() {
	h := new(hb)
	h.at.take(x)
	x.order = h
}

//go:norace
func (h *hb) class() word { return h.at.flags & (classR | classC | classM) }

// tokenOrder has an address for the token of every eight bytes of memory, or rather of all that are so many bytes apart.
var tokenOrder [4096]byte

// tokenSync calls the detector for all addresses of x's token.
//
//go:norace
func (x *access) tokenSync(acquire bool) {
	for i := 0; i < runs(x.section()); i++ {
		r := x.run(i)
		lo, hi := r.lo/8, (r.hi+7)/8
		for at := lo; at < hi && at < lo+uintptr(len(tokenOrder)); at++ {
			p := unsafe.Pointer(&tokenOrder[at%uintptr(len(tokenOrder))])
			if acquire {
				race.Acquire(p)
			} else {
				race.ReleaseMerge(p)
			}
		}
	}
}

// hbFirst is for an access that follows nobody, as far as is known.
//
//go:norace
func (x *access) hbFirst() { x.newOrder() }

// hbAfter is for an access that follows b on all its bytes.
//
//go:norace
func (x *access) hbAfter(b *access) {
	h := b.order
	if c := h.class(); (c == classR || c == classC) && c == x.flags&(classR|classC|classM) && x.sameBytes(&h.at) && (x.flags|h.at.flags)&isWeak == 0 {
		x.order = h
		return
	}
	x.newOrder()
	x.hbAlsoAfter(b)
}

//go:norace
func (x *access) sameBytes(y *access) bool {
	return x.ptr == y.ptr && x.size == y.size && sameSection(x.section(), y.section())
}

// hbBelow is for the first access to its bytes among the children of up's task.
//
//go:norace
func (x *access) hbBelow(up *access) {
	x.newOrder()
	x.hbAlsoBelow(up)
}

//go:norace
func (x *access) hbAlsoAfter(b *access) {
	x.order.first = &hbLink{to: b.order, next: x.order.first}
	for i := range x.node.parent.accs {
		if up := &x.node.parent.accs[i]; up.order != nil && up.overlaps(x) {
			up.order.addBelow(x.order)
		}
	}
}

//go:norace
func (x *access) hbAlsoBelow(up *access) {
	x.order.first = &hbLink{to: up.order, up: true, next: x.order.first}
	up.order.addBelow(x.order)
}

//go:norace
func (h *hb) addBelow(c *hb) {
	for {
		l := h.below.Load()
		if l != nil && l.to == c || h.below.CompareAndSwap(l, &hbLink{to: c, next: l}) {
			return
		}
	}
}

// Acquire tells the race detector what the task's accesses order before its body. Call it from the body's goroutine,
// not hidden, once the node is ready.
//
//go:norace
func (n *Node) Acquire() {
	for i := range n.accs {
		x := &n.accs[i]
		if atomic.LoadUint32(&x.flags)&isWeak != 0 || x.order == nil {
			continue
		}
		var w hbWalk
		w.asker = x
		if x.exclusive() {
			x.tokenSync(true)
		}
		w.push(x.order, hbBefore)
		w.run()
		if x.flags&combining != 0 {
			race.Acquire(unsafe.Pointer(&x.order.combined))
		}
		x.order.walked = true
	}
}

// hbWalk goes back from one access. It keeps what it has still to do in a list: chains are long and nesting is deep.
type hbWalk struct {
	asker *access
	todo  *hbStep
	seen  []*hb // open addressing; a power of two
	count int
}

type hbStep struct {
	h    *hb
	how  hbHow
	next *hbStep
}

type hbHow uint8

const (
	hbBefore hbHow = iota // acquire from all that h follows
	hbVisit               // … and from h and the children of its tasks
	hbDown                // from h and the children of its tasks only
)

//go:norace
func (w *hbWalk) push(h *hb, how hbHow) { w.todo = &hbStep{h, how, w.todo} }

// once tells whether h is seen for the first time.
//
//go:norace
func (w *hbWalk) once(h *hb) bool {
	if 2*w.count >= len(w.seen) {
		old := w.seen
		w.seen = make([]*hb, max(16, 2*len(old)))
		for _, x := range old {
			if x != nil {
				w.seen[w.slot(x)] = x
			}
		}
	}
	i := w.slot(h)
	if w.seen[i] == h {
		return false
	}
	w.seen[i] = h
	w.count++
	return true
}

// slot returns where h is in the table, or belongs.
//
//go:norace
func (w *hbWalk) slot(h *hb) int {
	mask := uint64(len(w.seen) - 1)
	i := hash(unsafe.Pointer(h)) & mask
	for w.seen[i] != nil && w.seen[i] != h {
		i = (i + 1) & mask
	}
	return int(i)
}

//go:norace
func (w *hbWalk) run() {
	for w.todo != nil {
		s := w.todo
		w.todo = s.next
		h := s.h
		if s.how != hbBefore {
			w.take(h)
			for l := h.below.Load(); l != nil; l = l.next {
				if l.to.at.overlaps(w.asker) && l.to != w.asker.order && w.once(l.to) {
					w.push(l.to, hbDown)
				}
			}
		}
		if s.how == hbDown || s.how == hbVisit && h.acquired.Load() {
			continue
		}
		for l := h.first; l != nil; l = l.next {
			switch {
			case !l.to.at.overlaps(w.asker):
			case !l.up:
				if w.once(l.to) {
					w.push(l.to, hbVisit)
				}
			case !l.to.walked && w.once(l.to): // otherwise the parent's body has acquired it all, before it spawned
				w.push(l.to, hbBefore)
			}
		}
	}
}

// take acquires from h if the program may not let the two run together.
//
//go:norace
func (w *hbWalk) take(h *hb) {
	c := w.asker.order.class()
	if c == h.class() && (c == classR || c == classC) {
		return
	}
	race.Acquire(unsafe.Pointer(&h.sync))
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

// SurrenderItem is Surrender for the bytes that Release is about to give up.
//
//go:norace
func (n *Node) SurrenderItem(a Access) {
	for i := range n.accs {
		if x := &n.accs[i]; x.shares(&a) {
			x.surrender()
		}
	}
}

//go:norace
func (x *access) surrender() {
	if x.contributing() {
		race.ReleaseMerge(unsafe.Pointer(&x.more.Load().to.access.order.combined))
		return
	}
	if f := atomic.LoadUint32(&x.flags); f&(isWeak|done) != 0 || x.order == nil { // after a release nothing more is handed on
		return
	}
	h := x.order
	race.ReleaseMerge(unsafe.Pointer(&h.sync))
	if h.walked && h.class() == 0 {
		h.acquired.Store(true)
		h.first = nil
	}
	if x.exclusive() || atomic.LoadUint32(&x.flags)&scoped != 0 { // tokens of the tasks above go back when all below is done
		x.tokenSync(false)
	}
}
