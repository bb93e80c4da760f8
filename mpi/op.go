package mpi

import (
	"reflect"
	"unsafe"
)

// Op is an operation of reductions (MPI 4.1, 6.9.2). Immutable and safe for concurrent use.
type Op struct {
	name string
	of   *kernels // predefined
	user foldFunc // by NewOp, for elements of type typ
	typ  reflect.Type
}

// foldFunc computes inout[i] = in[i] op inout[i] for n elements. The two do not overlap.
type foldFunc func(in, inout unsafe.Pointer, n int)

// The predefined operations, element by element. They work on numbers, on types that are numbers underneath, and on
// arrays of them: Sum and Prod on all, Min and Max on integers and floats, where NaN wins, the logical ones on integers and
// bools, where non-zero is true and true is 1, the bitwise ones on integers. Anything else is [ErrOp].
var (
	Sum  = &Op{name: "Sum", of: &sums}
	Prod = &Op{name: "Prod", of: &prods}
	Min  = &Op{name: "Min", of: &mins}
	Max  = &Op{name: "Max", of: &maxs}
	Land = &Op{name: "Land", of: &lands}
	Lor  = &Op{name: "Lor", of: &lors}
	Lxor = &Op{name: "Lxor", of: &lxors}
	Band = &Op{name: "Band", of: &bands}
	Bor  = &Op{name: "Bor", of: &bors}
	Bxor = &Op{name: "Bxor", of: &bxors}
)

// NewOp makes an operation on elements of type T from f, which sets inout[i] = in[i] op inout[i] for all i; in is what the
// lower ranks contribute. f must be associative. It may be called on any goroutine, by several at once, with pieces of any
// length, and must keep neither slice, nor block. commutative says that f is; in-process ranks are combined in order
// either way (MPI 4.1, 6.9.5).
func NewOp[T Elem](f func(in, inout []T), commutative bool) *Op {
	_ = commutative // a transport that reduces by itself may use it
	return &Op{
		name: "a user's operation",
		typ:  reflect.TypeFor[T](),
		user: func(in, inout unsafe.Pointer, n int) {
			f(unsafe.Slice((*T)(in), n), unsafe.Slice((*T)(inout), n))
		},
	}
}

// String returns the operation's name.
func (op *Op) String() string { return op.name }

// on returns what op does to elements e.
func (op *Op) on(verb string, e *elem) (foldFunc, error) {
	switch {
	case op == nil:
		return nil, misuse(verb, ErrOp, "nil")
	case e.err != nil:
		return nil, misuse(verb, e.err, "cannot be reduced")
	case op.user != nil && op.typ == e.typ:
		return op.user, nil
	case op.of != nil && op.of[e.kind] != nil:
		f, lanes := op.of[e.kind], e.lanes
		if lanes == 1 {
			return f, nil
		}
		return func(in, inout unsafe.Pointer, n int) { f(in, inout, n*lanes) }, nil
	}
	return nil, misuse(verb, ErrOp, "%v on %v", op, e.typ)
}
