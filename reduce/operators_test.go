package reduce

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

type (
	celsius float64
	flags   uint16
	count   int8
	yes     bool
)

// TestOperators folds random contributions for every operator and kind of type. Values are drawn so that floats are exact
// whatever the order.
func TestOperators(t *testing.T) {
	integers[int](t)
	integers[int8](t)
	integers[int16](t)
	integers[int32](t)
	integers[int64](t)
	integers[uint](t)
	integers[uint8](t)
	integers[uint16](t)
	integers[uint32](t)
	integers[uint64](t)
	integers[uintptr](t)
	integers[flags](t)
	integers[count](t)
	floats[float32](t)
	floats[float64](t)
	floats[celsius](t)
	complexes[complex64](t)
	complexes[complex128](t)
	for _, c := range []func(*testing.T){logicals[bool], logicals[yes]} {
		c(t)
	}
}

func integers[T Integer](t *testing.T) {
	draw := func(r *rand.Rand) T { return T(r.Uint64()) }
	holds(t, sum[T]{}, draw, func(a, b T) T { return a + b })
	holds(t, prod[T]{}, func(r *rand.Rand) T { return T(r.Uint64()) | 1 }, func(a, b T) T { return a * b })
	holds(t, and[T]{}, func(r *rand.Rand) T { return T(r.Uint64() | r.Uint64() | r.Uint64()) }, func(a, b T) T { return a & b })
	holds(t, or[T]{}, func(r *rand.Rand) T { return T(r.Uint64() & r.Uint64() & r.Uint64()) }, func(a, b T) T { return a | b })
	holds(t, xor[T]{}, draw, func(a, b T) T { return a ^ b })
	reals(t, draw)
	truths(t, func(r *rand.Rand) T { return T(r.IntN(3)) * 2 }, 1)
}

func floats[T interface{ ~float32 | ~float64 }](t *testing.T) {
	draw := func(r *rand.Rand) T { return T(r.IntN(200) - 100) }
	power := func(r *rand.Rand) T { return []T{1, -1, 2, 0.5, -2, -0.5}[r.IntN(6)] }
	holds(t, sum[T]{}, draw, func(a, b T) T { return a + b })
	holds(t, prod[T]{}, power, func(a, b T) T { return a * b })
	reals(t, draw)
	truths(t, func(r *rand.Rand) T { return T(r.IntN(3)) / 2 }, 1)
}

func complexes[T interface{ ~complex64 | ~complex128 }](t *testing.T) {
	unit := func(r *rand.Rand) T { return []T{1, -1, 1i, -1i}[r.IntN(4)] }
	holds(t, sum[T]{}, unit, func(a, b T) T { return a + b })
	holds(t, prod[T]{}, unit, func(a, b T) T { return a * b })
	truths(t, func(r *rand.Rand) T { return []T{0, 1i, 2}[r.IntN(3)] }, 1)
}

func reals[T Real](t *testing.T, draw func(*rand.Rand) T) {
	holds(t, lowest[T]{}, draw, func(a, b T) T {
		if b < a {
			return b
		}
		return a
	})
	holds(t, highest[T]{}, draw, func(a, b T) T {
		if b > a {
			return b
		}
		return a
	})
}

func logicals[T ~bool](t *testing.T) {
	truths(t, func(r *rand.Rand) T { return r.IntN(3) > 0 }, true)
}

func truths[T Truth](t *testing.T, draw func(*rand.Rand) T, one T) {
	var zero T
	as := func(v bool) T {
		if v {
			return one
		}
		return zero
	}
	// Few are false for the and, few true for the or, or all results were the same.
	mostly := func(v bool) func(*rand.Rand) T {
		return func(r *rand.Rand) T {
			x := draw(r)
			for try := 0; try < 9 && (x != zero) != v; try++ {
				x = draw(r)
			}
			return x
		}
	}
	holds(t, logicalAnd[T]{}, mostly(true), func(a, b T) T { return as(a != zero && b != zero) })
	holds(t, logicalOr[T]{}, mostly(false), func(a, b T) T { return as(a != zero || b != zero) })
	holds(t, logicalXor[T]{}, draw, func(a, b T) T { return as((a != zero) != (b != zero)) })
	holds(t, logicalNxor[T]{}, draw, func(a, b T) T { return as((a != zero) == (b != zero)) })
}

// holds checks a scope against the plain fold in f, for a scalar and arrays that are combined in one piece and in several.
func holds[T comparable, O operator[T]](t *testing.T, op O, draw func(*rand.Rand) T, f func(a, b T) T) {
	t.Helper()
	for _, n := range []int{1, 7, 5003} {
		r := rand.New(rand.NewPCG(uint64(n), 2))
		name := fmt.Sprintf("%v, %d elements", free[T](op), n)
		item, want := make([]T, n), make([]T, n)
		for i := range item {
			item[i] = draw(r)
		}
		copy(want, item)
		type update struct {
			at int
			by T
		}
		tasks := make([][]update, 1+r.IntN(20))
		for i := range tasks {
			for range 1 + r.IntN(8) {
				tasks[i] = append(tasks[i], update{r.IntN(n), draw(r)})
			}
			for _, u := range tasks[i] {
				want[u.at] = f(want[u.at], u.by)
			}
		}
		if n > 1 && len(op.word()) > 7 { // the logical ones normalise what nobody contributes to as well
			for i := range want {
				want[i] = f(f(want[i], neutral(op)), neutral(op))
			}
		}
		c := openOn(free[T](op), item)
		contribute(c, n, len(tasks), nil, func(i int, private []T) {
			for _, u := range tasks[i] {
				private[u.at] = f(private[u.at], u.by)
			}
		})
		combine(c)
		require.Equal(t, want, item, name)
	}
}

func neutral[T any](op operator[T]) T {
	v := make([]T, 1)
	op.prime(v)
	return v[0]
}
