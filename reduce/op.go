package reduce

import (
	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
)

// Op is an operator that the program declares, for [With] and [WithSlice]. Two Ops are equal if they come from the same
// call of [NewOp]; declare them as variables of a package. An Op may be used by any number of goroutines at once.
type Op[T any] struct{ declared *declared[T] }

type declared[T any] struct {
	name    string
	combine func(into, from *T)
	neutral func(private *T)
}

// NewOp declares an operator on values of type T. name is for messages.
//
// combine sets *into = *into op *from. It must be associative, and commutative unless the access is [Ordered]. It may be
// called by several goroutines at once, for different elements; from is not used again, so into may take over what it
// refers to. combine must not block.
//
// neutral sets *private, which is the zero value of T, to the neutral element. It is called for each element of each
// copy, by several goroutines at once. If the zero value is neutral, neutral may be nil. Unlike in OpenMP it does not see
// the original: tasks that write the original may still be running when a copy is made. What neutral needs to know of
// it, such as a length, the closure can bring along.
//
// NewOp panics without combine.
func NewOp[T any](name string, combine func(into, from *T), neutral func(private *T)) Op[T] {
	if combine == nil {
		panic("reduce: NewOp of " + name + " without a combine function")
	}
	return Op[T]{&declared[T]{name, combine, neutral}}
}

// String returns the operator's name.
func (op Op[T]) String() string {
	if op.declared == nil {
		return "no operator"
	}
	return op.declared.name
}

// With declares that the task contributes to *p with op, on a private copy of its own. See the package's page for the
// order against other tasks. It allocates nothing. With panics if op is the zero Op.
//
//go:norace
func With[T any](p *T, op Op[T]) deps.Access {
	return one(p, op.must("With"))
}

// WithSlice is [With] over the elements of s, each by itself.
//
//go:norace
func WithSlice[T any](s []T, op Op[T]) deps.Access {
	return many(s, op.must("WithSlice"))
}

//go:norace
func (op Op[T]) must(verb string) *declared[T] {
	if op.declared == nil {
		panic("reduce: " + verb + " of the zero Op")
	}
	return op.declared
}

//go:norace
func (d *declared[T]) word() string { return d.name }

// prime shows the user's function to the race detector.
//
//go:norace
func (d *declared[T]) prime(fresh []T) {
	if d.neutral == nil {
		return
	}
	if race.Enabled {
		race.Enable()
		defer race.Disable()
	}
	for i := range fresh {
		d.neutral(&fresh[i])
	}
}

func (d *declared[T]) fold(into, a []T) {
	for i := range into {
		d.combine(&into[i], &a[i])
	}
}

func (d *declared[T]) foldTwo(into, a, b []T) {
	for i := range into {
		d.combine(&into[i], &a[i])
		d.combine(&into[i], &b[i])
	}
}
