package reduce

import (
	"reflect"
	"unsafe"

	"github.com/gompss/gompss/deps"
)

// anyOrder and placeOrder are the two deps.Reductions of an operator. They are as comparable as O is, and making an
// interface of one allocates nothing, because O has no fields or is a pointer.
type (
	anyOrder[T any, O operator[T]]   struct{ op O }
	placeOrder[T any, O operator[T]] struct{ op O }
)

//go:norace
func (r anyOrder[T, O]) Open(item unsafe.Pointer, bytes uintptr) deps.Copies {
	return open[T](r.op, item, bytes, false)
}

//go:norace
func (anyOrder[T, O]) Ordered() bool { return false }

//go:norace
func (r anyOrder[T, O]) String() string { return r.op.word() + " of " + reflect.TypeFor[T]().String() }

//go:norace
func (r anyOrder[T, O]) inOrder() deps.Reduction { return placeOrder[T, O]{r.op} }

//go:norace
func (r placeOrder[T, O]) Open(item unsafe.Pointer, bytes uintptr) deps.Copies {
	return open[T](r.op, item, bytes, true)
}

//go:norace
func (placeOrder[T, O]) Ordered() bool { return true }

//go:norace
func (r placeOrder[T, O]) String() string { return "ordered " + anyOrder[T, O]{r.op}.String() }

// Ordered makes a, a reduction access, combine its contributions in the order of the program: the result is
// ((item op c1) op c2) …, where the contributions c1, c2 … stand in the order in which their tasks were created, a parent
// before its children, whenever and on whatever worker they ran. So sums of floating-point numbers have the same bits in
// every run, and an operator of the user's need not be commutative. Weak accesses stay weak.
//
// All tasks of a scope must agree: an ordered access and one that is not have different operators. Each task has a copy
// of its own until the scope closes, which for large arrays and many tasks is a lot of memory.
//
// Ordered panics if a is not a reduction access of this package.
//
//go:norace
func Ordered(a deps.Access) deps.Access {
	if a.Empty() {
		return a
	}
	r := a.Reduction()
	if r != nil && r.Ordered() {
		return a
	}
	free, ok := r.(interface{ inOrder() deps.Reduction })
	if !ok {
		panic("reduce: Ordered of " + a.String() + ", which is no reduction of this package")
	}
	p, bytes := a.Region()
	ordered := deps.Reduce(p, bytes, free.inOrder())
	if a.IsWeak() {
		ordered = deps.Weak(ordered)
	}
	return ordered
}
