package interval

import "unsafe"

// fan is how many entries a node has at most: enough for three levels at 10⁵ intervals, few enough to shift.
const fan = 32

// node is a leaf or an inner node; its level tells which. Nodes of one level are linked in ascending order.
//
// Invariants: 0 < n once it is in the tree; the los ascend strictly; for an inner node e[i].lo is at most every start
// below e[i] and more than every start below e[i-1]; unused entries are zero.
type node[T any] struct {
	n          int
	prev, next *node[T]
	e          [fan]entry
}

// entry is an interval and its value in a leaf; a lower bound and a child in an inner node, where hi is unused. One type
// for both lets one pool of nodes serve all levels.
type entry struct {
	lo, hi uintptr
	ptr    unsafe.Pointer // *T or *node[T]
}

//go:norace
func leafEntry[T any](lo, hi uintptr, v *T) entry { return entry{lo, hi, unsafe.Pointer(v)} }

//go:norace
func kidEntry[T any](kid *node[T]) entry { return entry{lo: kid.e[0].lo, ptr: unsafe.Pointer(kid)} }

//go:norace
func (n *node[T]) kid(i int) *node[T] { return (*node[T])(n.e[i].ptr) }

// rank is the number of entries with a lo of at most key.
//
//go:norace
func (n *node[T]) rank(key uintptr) int {
	i, j := 0, n.n
	for i < j {
		if mid := int(uint(i+j) >> 1); n.e[mid].lo <= key {
			i = mid + 1
		} else {
			j = mid
		}
	}
	return i
}

// child is the index of the child that holds key if any does.
//
//go:norace
func (n *node[T]) child(key uintptr) int { return max(n.rank(key)-1, 0) }

//go:norace
func (n *node[T]) insert(at int, e entry) {
	for i := n.n; i > at; i-- {
		n.e[i] = n.e[i-1]
	}
	n.e[at] = e
	n.n++
}

//go:norace
func (n *node[T]) delete(at int) {
	n.n--
	for i := at; i < n.n; i++ {
		n.e[i] = n.e[i+1]
	}
	n.e[n.n] = entry{}
}

//go:norace
func (n *node[T]) linkAfter(left *node[T]) {
	n.prev, n.next = left, left.next
	if n.next != nil {
		n.next.prev = n
	}
	left.next = n
}

//go:norace
func (n *node[T]) unlink() {
	if n.prev != nil {
		n.prev.next = n.next
	}
	if n.next != nil {
		n.next.prev = n.prev
	}
}
