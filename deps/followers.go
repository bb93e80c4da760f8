package deps

import (
	"sync/atomic"
	"unsafe"
)

// Waiter is a task's access that waits for an access of another task, as [Node.Waiters] saw it.
type Waiter struct {
	Node   *Node
	Access Access
	item   *access
	behind *access
}

// waitersMax bounds how many accesses Waiters looks at, for one access of the node.
const waitersMax = 1024

// Waiters puts into the given slice the accesses of other tasks that wait because n's task has not given its own up, as
// many as fit, and returns how many there are; behind each access of n it looks at a thousand. n's task is blocked and
// stays so, or runs: then version points to a word that changes before n can be used again, at is its value when n's
// task was known to run, and the result counts if the word is still the same afterwards. Otherwise version is nil.
//
// What Waiters reads belongs to others meanwhile. Every pointer is read as one word and leads to a node or to an array
// of accesses, whoever uses it by now; only of words that go together, such as a slice's, the version tells in time
// whether they do. A node behind an access that is not given up is owed a message, and not used again before: see
// [Waiter.Waits].
//
//go:norace
func (n *Node) Waiters(into []Waiter, version *uint32, at uint32) int {
	w := waiters{into: into}
	accs := accessesAt(n, version, at)
	for i := range accs {
		x := &accs[i]
		f := atomic.LoadUint32(&x.flags)
		if f&(done|split) == done {
			continue
		}
		w.front, w.left = x, waitersMax
		w.behind(x, f, exclusive(f)) // others wait for the token once everything else is theirs
	}
	return w.count
}

type waiters struct {
	into  []Waiter
	count int
	front *access // of the node
	left  int     // accesses to look at
}

// behind looks at what follows x, whose word is f.
//
//go:norace
func (w *waiters) behind(x *access, f word, token bool) {
	for w.left > 0 {
		w.left--
		if f&split != 0 {
			w.behindParts(x, token)
			return
		}
		y := (*access)(nil)
		if f&reducing != 0 {
			if e := x.more.Load(); e != nil && e.to != nil {
				y = e.to.access
			}
		} else if f&linked != 0 && f&terminal == 0 {
			y = next(x)
		}
		if y == nil {
			return // also if n is in use again
		}
		if f&toParent != 0 { // the chain goes on behind the parent's access, in whose place it stands
			token = false
		} else {
			w.look(y, token)
		}
		x, f = y, atomic.LoadUint32(&y.flags)
	}
}

// behindParts is behind for a split access: what follows its fragments, each once if they are neighbours.
//
//go:norace
func (w *waiters) behindParts(x *access, token bool) {
	var nexts [16]*access
	var ups [16]bool
	count := 0
	e := x.open()
	for i := range e.parts {
		p := &e.parts[i]
		if x == w.front && p.flags&done != 0 || p.flags&linked == 0 || p.flags&terminal != 0 || p.next == nil {
			continue
		}
		if count < len(nexts) && (count == 0 || nexts[count-1] != p.next) {
			nexts[count], ups[count] = p.next, p.flags&toParent != 0
			count++
		}
	}
	e.mu.Unlock()
	for i := range count {
		if !ups[i] {
			w.look(nexts[i], token)
		}
		w.behind(nexts[i], atomic.LoadUint32(&nexts[i].flags), token && !ups[i])
	}
}

// look adds y if it waits.
//
//go:norace
func (w *waiters) look(y *access, token bool) {
	f := atomic.LoadUint32(&y.flags)
	if f&isWeak != 0 {
		return
	}
	if f&split != 0 {
		if !y.waitingInParts() && !(token && f&classM != 0) {
			return
		}
	} else if satisfied(f) && !(token && f&(classM|done) == classM) && f&combining == 0 {
		return
	}
	for i := range min(w.count, len(w.into)) {
		if w.into[i].Node == y.node && w.into[i].item == y {
			return
		}
	}
	if w.count < len(w.into) {
		w.into[w.count] = Waiter{Node: y.node, Access: y.declared(), item: y, behind: w.front}
	}
	w.count++
}

// Waits tells whether w still waits for the access that Waiters found it behind. If so, what was read of w.Node before
// the call, once the answer of Waiters is known to count, was the waiting task's.
//
//go:norace
func (w *Waiter) Waits() bool {
	f := atomic.LoadUint32(&w.behind.flags)
	if f&split != 0 {
		return w.behind.kindIn(w.behind.span()) != kindNone
	}
	return f&done == 0
}

//go:norace
func next(x *access) *access {
	return (*access)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&x.next))))
}

// accessesAt returns n's accesses, none if the version changed while their slice was read.
//
//go:norace
func accessesAt(n *Node, version *uint32, at uint32) []access {
	if version == nil {
		return n.accs
	}
	words := (*[2]unsafe.Pointer)(unsafe.Pointer(&n.accs))
	first := atomic.LoadPointer(&words[0])
	count := int(atomic.LoadUintptr((*uintptr)(unsafe.Pointer(&words[1]))))
	if atomic.LoadUint32(version) != at {
		return nil
	}
	return unsafe.Slice((*access)(first), count)
}
