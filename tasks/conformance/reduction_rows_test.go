package conformance

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
)

func TestReductionOpens(t *testing.T) {
	check(t, func() *task {
		return T("root", T("a", adds(x)), T("b", adds(x)), T("c", adds(left)), T("d", in(rest)))
	}, "a|b a|c b|c a<d b<d c<d")
	check(t, func() *task { // at any depth, in one scope
		return T("root", T("p", weak(adds(x)), T("a", adds(x)), T("q", weak(adds(x)), T("b", adds(left)))), T("c", adds(x)), T("d", in(x)))
	}, "a|b b|c p|c a<d b<d c<d")
}

func TestReductionStarts(t *testing.T) {
	for _, k := range []func(region) access{in, out, inout, concurrent, commutative, multiplies} {
		check(t, func() *task {
			return T("root", T("a", k(x)), T("b", adds(x)), T("c", in(x)))
		}, "a|b a<c b<c")
		check(t, func() *task { // however deep
			return T("root", T("p", weak(k(x)), T("a", k(x))), T("q", weak(inout(x)), T("b", adds(x))), T("c", in(x)))
		}, "a|b a<c b<c")
	}
}

func TestReductionCloses(t *testing.T) {
	for _, k := range []func(region) access{in, out, inout, concurrent, commutative} {
		check(t, func() *task {
			return T("root", T("a", adds(x)), T("b", k(x)), T("c", adds(x)), T("d", k(x)))
		}, "a<b b<d c<d a|c")
	}
	check(t, func() *task { // another operator, another length: new scopes, in order
		return T("root", T("a", adds(x)), T("b", multiplies(x)), T("c", adds(span(0, 12))), T("d", in(x)))
	}, "a|b b|c a<d b<d c<d")
	check(t, func() *task { return T("root", T("a", adds(x)), taskwait, T("b", adds(x)), taskwait, T("c")) }, "a<b b<c")
	check(t, func() *task { // the end of the parent; unless its access is a reduction as well
		return T("root", T("p", weak(inout(x)), T("a", adds(x))), T("b", in(x)), T("q", weak(adds(x)), T("c", adds(x))), T("d", adds(x)))
	}, "a<b p<b c|d")
}

func TestReductionStorage(t *testing.T) {
	// Bodies may block between two uses of their copies, so the copies are tasks', not slots'.
	var v [3]int
	must(t, 1, func(m *tasks.Task) {
		for range 10 {
			tasks.Spawn(m, func(c *tasks.Task) {
				mine := reduce.LocalSlice(c, v[:])
				mine[0]++
				c.Yield()
				mine[1]++
				tasks.Spawn(c, func(d *tasks.Task) { *reduce.Local(d, &v[2]) += 2 }, reduce.Sum(&v[2]))
				assert.NoError(t, c.Wait())
				mine[2]++
			}, reduce.SumSlice(v[:]))
		}
	})
	require.Equal(t, [3]int{10, 10, 30}, v)
}

func TestReductionOperators(t *testing.T) {
	var (
		sum     = complex(1, 1)
		prod    = int8(2)
		low     = float32(4)
		high    = math.Inf(-1)
		and     = uint16(0b1110)
		or      = uint32(1)
		xor     = int64(5)
		land    = true
		lor     = 0
		lxor    = true
		lnxor   = false
		array   [5]uint64
		readAll []deps.Access
	)
	for _, a := range []deps.Access{deps.In(&sum), deps.In(&prod), deps.In(&low), deps.In(&high), deps.In(&and), deps.In(&or), deps.In(&xor), deps.In(&array)} {
		readAll = append(readAll, a)
	}
	must(t, 2, func(m *tasks.Task) {
		for i := 1; i <= 3; i++ {
			tasks.Spawn(m, func(c *tasks.Task) {
				*reduce.Local(c, &sum) += complex(float64(i), 0)
				*reduce.Local(c, &prod) *= int8(i)
				p, q := reduce.Local(c, &low), reduce.Local(c, &high)
				*p, *q = min(*p, float32(i)), max(*q, float64(i))
				*reduce.Local(c, &and) &^= 1 << i
				*reduce.Local(c, &or) |= 1 << i
				*reduce.Local(c, &xor) ^= int64(i)
				*reduce.Local(c, &land) = *reduce.Local(c, &land) && i != 2
				if i == 2 {
					*reduce.Local(c, &lor) = 1
				}
				*reduce.Local(c, &lxor) = !*reduce.Local(c, &lxor)
				*reduce.Local(c, &lnxor) = !*reduce.Local(c, &lnxor)
				for k, mine := 0, reduce.LocalSlice(c, array[:]); k < len(mine); k++ {
					mine[k] += uint64(i * k)
				}
			}, reduce.Sum(&sum), reduce.Prod(&prod), reduce.Min(&low), reduce.Max(&high), reduce.And(&and), reduce.Or(&or), reduce.Xor(&xor),
				reduce.LogicalAnd(&land), reduce.LogicalOr(&lor), reduce.LogicalXor(&lxor), reduce.LogicalNxor(&lnxor), reduce.SumSlice(array[:]))
		}
		tasks.Spawn(m, func() {
			assert.Equal(t, complex(7, 1), sum)
			assert.Equal(t, int8(12), prod)
			assert.Equal(t, [2]float64{1, 3}, [2]float64{float64(low), high})
			assert.Equal(t, [3]int{0, 15, 5}, [3]int{int(and), int(or), int(xor)})
		}, deps.List(readAll))
	})
	require.Equal(t, [5]uint64{0, 6, 12, 18, 24}, array)
	require.Equal(t, 1, lor)
	require.Equal(t, [3]bool{false, false, true}, [3]bool{land, lxor, lnxor})
}

func TestReductionLimits(t *testing.T) {
	// Lifted: a body that waits, strong children that contribute, early release. Kept, and told by name: other uses of the
	// item by the task or its children.
	check(t, func() *task {
		return T("root", T("p", adds(x), T("a", adds(x)), taskwait, T("b", adds(left))), T("c", in(x)))
	}, "a<b a<c b<c p<c")
	check(t, func() *task { return T("root", T("a", adds(x), release(adds(x))), T("b", in(x))) }, "a|b")
	for _, above := range []func(region) access{concurrent, commutative} { // fatal in Nanos6 without a taskwait
		check(t, func() *task {
			return T("root", T("p", weak(above(y)), above(x), T("a", above(x))), T("b", adds(x)), T("c", in(x)))
		}, "a<c b<c")
	}
	var v, w int
	for want, main := range map[string]func(*tasks.Task){
		"its parent, declares as reduction": func(m *tasks.Task) {
			tasks.Spawn(m, func(c *tasks.Task) { tasks.Spawn(c, func() {}, deps.In(&v)) }, reduce.Sum(&v))
		},
		"what it reduces it cannot use otherwise": func(m *tasks.Task) { tasks.Spawn(m, func() {}, reduce.Sum(&v), deps.Out(&v)) },
		"does not reduce": func(m *tasks.Task) {
			tasks.Spawn(m, func(c *tasks.Task) { reduce.Local(c, &w) }, reduce.Sum(&v))
		},
	} {
		require.ErrorContains(t, on(t, 1, func(m *tasks.Task) error { main(m); return nil }), want)
	}
}

func TestReductionAndEvents(t *testing.T) {
	v, w := 0, 0
	must(t, 2, func(m *tasks.Task) {
		tasks.Spawn(m, func(c *tasks.Task) {
			*reduce.Local(c, &v) += 3
			done := c.Hold()
			go func() { w = 4; done(nil) }()
		}, reduce.Sum(&v), deps.Out(&w))
		tasks.Spawn(m, func() { assert.Equal(t, 7, v+w) }, deps.In(&v), deps.In(&w))
	})
}
