package reduce

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/stretchr/testify/require"
)

// places returns n places of random tasks, in no order.
func places(r *rand.Rand, n int) []*deps.Place {
	all := []*deps.Place{nil}
	children := map[*deps.Place]int{}
	for len(all) <= n {
		parent := all[r.IntN(len(all))]
		all = append(all, deps.NewPlace(parent, children[parent]))
		children[parent]++
	}
	all = all[1:]
	r.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// TestOrderedIsTheFoldInPlaceOrder compares bits with the sequential fold.
func TestOrderedIsTheFoldInPlaceOrder(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 3))
		n, tasks := []int{1, 100, 9000}[r.IntN(3)], 1+r.IntN(40)
		where := places(r, tasks)
		parts := make([][]float64, tasks)
		for k := range parts {
			parts[k] = make([]float64, n)
			for i := range parts[k] {
				parts[k][i] = r.NormFloat64() * math.Exp(20*r.Float64())
			}
		}
		order := make([]int, tasks)
		for k := range order {
			order[k] = k
		}
		slices.SortFunc(order, func(i, j int) int { return where[i].Compare(where[j]) })

		item, want := make([]float64, n), make([]float64, n)
		for i := range item {
			item[i] = r.NormFloat64()
			want[i] = item[i]
			for _, k := range order {
				want[i] += parts[k][i]
			}
		}
		c := openOn(ordered[float64](sum[float64]{}), item)
		contribute(c, n, tasks, func(k int) *deps.Place { return where[k] }, func(k int, private []float64) {
			for i, x := range parts[k] {
				private[i] += x
			}
		})
		combine(c)
		for i := range item {
			require.Equal(t, math.Float64bits(want[i]), math.Float64bits(item[i]), "seed %d, element %d", seed, i)
		}
	}
}

func TestOrderedNeedNotCommute(t *testing.T) {
	join := NewOp("join", func(into, from *string) { *into += *from }, nil)
	r := rand.New(rand.NewPCG(7, 3))
	for range 20 {
		item := []string{">"}
		c := openOn(ordered[string](join.declared), item)
		for _, i := range r.Perm(26) {
			private := take[string](c, deps.NewPlace(nil, i), 1)
			private[0] += string(rune('a' + i))
			give(c, private)
		}
		combine(c)
		require.Equal(t, ">abcdefghijklmnopqrstuvwxyz", item[0])
	}
}

// TestOrderedKeepsTheOrderOfEqualPlaces is for a task that takes twice.
func TestOrderedKeepsTheOrderOfEqualPlaces(t *testing.T) {
	join := NewOp("join", func(into, from *string) { *into += *from }, nil)
	item := []string{""}
	c := openOn(ordered[string](join.declared), item)
	here := deps.NewPlace(nil, 0)
	for _, s := range []string{"a", "b", "c", "d", "e"} {
		private := take[string](c, here, 1)
		private[0] = s
		give(c, private)
	}
	combine(c)
	require.Equal(t, "abcde", item[0])
}

func TestOrderedAccess(t *testing.T) {
	var x float64
	require.False(t, Sum(&x).Reduction().Ordered())
	a := Ordered(Sum(&x))
	require.True(t, a.Reduction().Ordered())
	require.False(t, a.IsWeak())
	require.Equal(t, a, Ordered(a))
	p, bytes := a.Region()
	require.Equal(t, unsafe.Pointer(&x), p)
	require.Equal(t, uintptr(8), bytes)
	weak := Ordered(deps.Weak(Sum(&x)))
	require.True(t, weak.IsWeak())
	require.True(t, weak.Reduction().Ordered())
	require.True(t, Ordered(SumSlice[int](nil)).Empty())
	require.NotEqual(t, Sum(&x).Reduction(), Ordered(Sum(&x)).Reduction())
}

func TestTakeWithoutPlace(t *testing.T) {
	c := openOn(ordered[int](sum[int]{}), make([]int, 1))
	require.PanicsWithValue(t, "reduce: Take without a place from an ordered scope", func() { c.Take(nil) })
}
