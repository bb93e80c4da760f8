package deps

import (
	"sync/atomic"
	"unsafe"
)

// Waiter is a task's access that waits for an access of another task, as [Node.Waiters] saw it.
type Waiter struct {
	Node   *Node
	Access Access
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
	count := 0
	accs := accessesAt(n, version, at)
	for i := range accs {
		x := &accs[i]
		f := atomic.LoadUint32(&x.flags)
		if f&done != 0 {
			continue
		}
		token := f&(classM|isWeak) == classM // which others wait for once everything else is theirs
		for steps := 0; f&linked != 0 && f&terminal == 0 && steps < waitersMax; steps++ {
			y := next(x)
			if y == nil {
				break // n is in use again
			}
			up := f&toParent != 0
			x, f = y, atomic.LoadUint32(&y.flags)
			if up { // the chain goes on behind the parent's access, in whose place it stands
				token = false
				continue
			}
			if f&isWeak != 0 || satisfied(f) && !(token && f&(classM|done) == classM) {
				continue
			}
			if count < len(into) {
				into[count] = Waiter{Node: y.node, Access: y.declared(), behind: &accs[i]}
			}
			count++
		}
	}
	return count
}

// Waits tells whether w still waits for the access that Waiters found it behind. If so, what was read of w.Node before
// the call, once the answer of Waiters is known to count, was the waiting task's.
//
//go:norace
func (w *Waiter) Waits() bool { return atomic.LoadUint32(&w.behind.flags)&done == 0 }

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
