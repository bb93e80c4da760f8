package interval

// Iter walks a map in ascending order. Insert, Delete and Clear end its validity.
type Iter[T any] struct {
	leaf *node[T] // nil at the end
	at   int      // below leaf.n
}

// From returns a walk from the first interval that ends after lo: the one that holds lo, or else the next one above.
//
//go:norace
func (m *Map[T]) From(lo uintptr) Iter[T] {
	n := m.root
	if n == nil {
		return Iter[T]{}
	}
	for level := m.height; level > 0; level-- {
		n = n.kid(n.child(lo))
	}
	at := n.rank(lo) - 1 // the last interval that starts at or before lo …
	if at < 0 {
		if n.prev == nil {
			return Iter[T]{n, 0}
		}
		// … is in the leaf before when what this leaf's lower bound stood for is gone.
		n = n.prev
		at = n.n - 1
	}
	it := Iter[T]{n, at}
	if n.e[at].hi <= lo {
		it.advance()
	}
	return it
}

// Next returns the interval that the walk is at and goes on to the one above. At the end ok is false.
//
//go:norace
func (it *Iter[T]) Next() (v *T, lo, hi uintptr, ok bool) {
	if it.leaf == nil {
		return nil, 0, 0, false
	}
	e := &it.leaf.e[it.at]
	it.advance()
	return (*T)(e.ptr), e.lo, e.hi, true
}

//go:norace
func (it *Iter[T]) advance() {
	if it.at++; it.at == it.leaf.n {
		it.leaf, it.at = it.leaf.next, 0
	}
}
