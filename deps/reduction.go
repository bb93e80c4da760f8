package deps

import "unsafe"

// Reduction is an operator over values of one type. Package reduce implements it. Accesses to one item take part in
// one scope if their Reductions are equal (==), so an operator is a comparable value, best of a type without fields.
type Reduction interface {
	// Open returns the copies of a new scope over the bytes at item. The item itself must not be touched before Combine.
	Open(item unsafe.Pointer, bytes uintptr) Copies
	// Ordered tells whether contributions must be combined in the order of their places.
	Ordered() bool
	// String names the operator and type in messages, for instance "sum of float64".
	String() string
}

// Copies are the private copies of one reduction scope. Take and Give may be called by several goroutines at once,
// hidden from the race detector. Parts and Combine are called after every copy was given back, in sight of it.
type Copies interface {
	// Take returns a copy of the whole item that belongs to the caller until Give: new ones hold the operator's neutral
	// value, others what earlier tasks left there. place is nil unless the reduction is ordered; then the copy is
	// always new. In race builds, too, it is always new: tasks of one scope are not ordered.
	Take(place *Place) unsafe.Pointer
	// Give ends the use of a copy; its content is part of the result.
	Give(copy unsafe.Pointer)
	// Parts returns into how many pieces the combination is cut, 0 if no copy was ever taken.
	Parts() int
	// Combine folds piece part of all copies, 0 ≤ part < Parts(), into the item. Pieces are independent.
	Combine(part int)
}

// Place is where a contribution stands in the order of the program: by the creation of the tasks, a parent before its
// children.
type Place struct {
	parent *Place
	depth  int
	index  int
}

// NewPlace returns the place of the index-th child below parent, nil at the top.
//
//go:norace
func NewPlace(parent *Place, index int) *Place {
	p := &Place{parent: parent, index: index}
	if parent != nil {
		p.depth = parent.depth + 1
	}
	return p
}

// Compare returns a negative number if p comes before q, zero if they are the same place, a positive number otherwise.
//
//go:norace
func (p *Place) Compare(q *Place) int {
	a, b := p, q
	for a.depth > b.depth {
		a = a.parent
	}
	for b.depth > a.depth {
		b = b.parent
	}
	if a == b {
		return p.depth - q.depth
	}
	for a.parent != b.parent {
		a, b = a.parent, b.parent
	}
	return a.index - b.index
}
