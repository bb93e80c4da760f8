package interval

// Map holds disjoint intervals [lo, hi), lo < hi, each with a *T. The zero value is empty and ready to use. It must not be
// copied.
type Map[T any] struct {
	root   *node[T] // nil when empty
	last   *node[T] // the rightmost leaf
	height int      // levels above the leaves
	len    int
	free   *node[T] // linked by next
	path   [maxHeight]step[T]
}

// step is one level of the way from the root to a leaf: the node, and the index of the child taken. path[0] is the leaf.
// It outlives the call that fills it only to spare clearing it.
type step[T any] struct {
	n  *node[T]
	at int
}

// maxHeight suffices for 2⁶⁴ insertions: a node splits only when full, and each half takes fan/2 more to split again.
const maxHeight = 16

// Len is the number of intervals.
//
//go:norace
func (m *Map[T]) Len() int { return m.len }

// Insert adds [lo, hi) → v. It must share no byte with an interval that is present, and must not be empty.
//
//go:norace
func (m *Map[T]) Insert(lo, hi uintptr, v *T) {
	if lo >= hi {
		panic("interval: empty interval")
	}
	m.len++
	if n := m.last; n != nil && n.n < fan && lo > n.e[n.n-1].lo { // ascending insertions need no descent
		n.e[n.n] = leafEntry(lo, hi, v)
		n.n++
		return
	}
	if m.root == nil {
		m.root = m.newNode()
		m.last = m.root
	}
	n := m.root
	for level := m.height; level > 0; level-- {
		n.e[0].lo = min(n.e[0].lo, lo) // keep it a lower bound
		at := n.child(lo)
		m.path[level] = step[T]{n, at}
		n = n.kid(at)
	}
	m.path[0].n = n
	m.put(0, n.rank(lo), leafEntry(lo, hi, v))
}

// put adds e at index at of the path's node at level, splitting full nodes from there to the root.
//
//go:norace
func (m *Map[T]) put(level, at int, e entry) {
	n := m.path[level].n
	if n.n < fan {
		n.insert(at, e)
		return
	}
	keep := fan / 2
	if at == fan && n.next == nil {
		keep = fan // ascending insertions leave full nodes behind
	}
	right := m.newNode()
	for i := keep; i < fan; i++ {
		right.e[i-keep] = n.e[i]
		n.e[i] = entry{}
	}
	n.n, right.n = keep, fan-keep
	right.linkAfter(n)
	if n == m.last {
		m.last = right
	}
	if at <= keep && keep < fan {
		n.insert(at, e)
	} else {
		right.insert(at-keep, e)
	}

	if level < m.height {
		m.put(level+1, m.path[level+1].at+1, kidEntry(right))
		return
	}
	m.root = m.newNode()
	m.root.insert(0, kidEntry(n))
	m.root.insert(1, kidEntry(right))
	m.height++
}

// Delete removes the interval that starts at lo and tells whether there was one.
//
//go:norace
func (m *Map[T]) Delete(lo uintptr) bool {
	n := m.root
	if n == nil {
		return false
	}
	for level := m.height; level > 0; level-- {
		at := n.child(lo)
		m.path[level] = step[T]{n, at}
		n = n.kid(at)
	}
	at := n.rank(lo) - 1
	if at < 0 || n.e[at].lo != lo {
		return false
	}
	m.path[0] = step[T]{n, at}
	m.len--
	m.remove()
	return true
}

// remove takes the path's entry out of its leaf, frees the nodes that this empties, and lowers the tree if it can.
//
//go:norace
func (m *Map[T]) remove() {
	for level := 0; ; level++ {
		n := m.path[level].n
		n.delete(m.path[level].at)
		if n.n > 0 {
			break
		}
		if n == m.last {
			m.last = n.prev
		}
		n.unlink()
		m.release(n)
		if level == m.height {
			m.root, m.height = nil, 0
			return
		}
	}
	for m.height > 0 && m.root.n == 1 {
		old := m.root
		m.root = old.kid(0)
		m.release(old)
		m.height--
	}
}

// Clear removes all intervals and keeps the memory.
//
//go:norace
func (m *Map[T]) Clear() {
	for n, level := m.root, m.height; n != nil; level-- { // the leftmost node of each level
		var below *node[T]
		if level > 0 {
			below = n.kid(0)
		}
		for n != nil {
			next := n.next
			m.release(n)
			n = next
		}
		n = below
	}
	m.root, m.last, m.height, m.len = nil, nil, 0, 0
}

// Overlap returns the lowest interval [lo2, hi2) that shares a byte with [lo, hi).
//
//go:norace
func (m *Map[T]) Overlap(lo, hi uintptr) (v *T, lo2, hi2 uintptr, ok bool) {
	it := m.From(lo)
	if v, lo2, hi2, ok = it.Next(); !ok || lo2 >= hi || lo >= hi {
		return nil, 0, 0, false
	}
	return v, lo2, hi2, true
}

//go:norace
func (m *Map[T]) newNode() *node[T] {
	n := m.free
	if n == nil {
		return new(node[T])
	}
	m.free, n.next = n.next, nil
	return n
}

//go:norace
func (m *Map[T]) release(n *node[T]) {
	*n = node[T]{next: m.free}
	m.free = n
}
