package reduce

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/gompss/gompss/deps"
	"github.com/stretchr/testify/require"
)

func TestReductionsAreEqualIfOperatorAndTypeAre(t *testing.T) {
	var x, y float64
	var n int
	same := func(a, b deps.Reduction) bool { return a == b }
	is := func(a deps.Access) deps.Reduction { return a.Reduction() }
	add := func(into, from *float64) { *into += *from }
	op, twin := NewOp("add", add, nil), NewOp("add", add, nil)

	require.True(t, same(is(Sum(&x)), is(Sum(&y))))
	require.True(t, same(is(Sum(&x)), is(SumSlice([]float64{1, 2}))))
	require.False(t, same(is(Sum(&x)), is(Prod(&x))))
	require.False(t, same(is(Sum(&x)), is(Sum(&n))))
	require.False(t, same(is(Sum(&x)), is(Ordered(Sum(&x)))))
	require.True(t, same(is(With(&x, op)), is(With(&y, op))))
	require.True(t, same(is(Ordered(With(&x, op))), is(Ordered(WithSlice([]float64{1}, op)))))
	require.False(t, same(is(With(&x, op)), is(With(&x, twin))))
	require.True(t, op == op)
	require.False(t, op == twin)
}

func TestNamesInMessages(t *testing.T) {
	var x celsius
	var b bool
	for want, a := range map[string]func() deps.Access{
		"sum of reduce.celsius":         func() deps.Access { return Sum(&x) },
		"ordered max of reduce.celsius": func() deps.Access { return Ordered(Max(&x)) },
		"logical nxor of bool":          func() deps.Access { return LogicalNxor(&b) },
		"merge of bool":                 func() deps.Access { return With(&b, NewOp("merge", func(_, _ *bool) {}, nil)) },
	} {
		require.Equal(t, want, a().Reduction().String())
	}
}

// TestOpOfTypeWithPointers has the garbage collector look at copies in every state.
func TestOpOfTypeWithPointers(t *testing.T) {
	type table struct {
		words map[string]int
		order []string
		longs *[]string
	}
	merge := NewOp("merge", func(into, from *table) {
		for w, n := range from.words {
			into.words[w] += n
		}
		into.order = append(into.order, from.order...)
		*into.longs = append(*into.longs, *from.longs...)
	}, func(private *table) { *private = table{words: map[string]int{}, longs: new([]string)} })

	for _, n := range []int{1, 3, 40} {
		item := make([]table, n)
		for i := range item {
			item[i] = table{words: map[string]int{"the": 1}, longs: new([]string)}
		}
		c := openOn(free[table](merge.declared), item)
		contribute(c, n, 60, nil, func(i int, private []table) {
			p := &private[i%n]
			w := fmt.Sprintf("word %d", i%5)
			p.words[w]++
			p.words["the"]++
			p.order = append(p.order, w)
			*p.longs = append(*p.longs, fmt.Sprint(w, w))
			if i%20 == 0 {
				runtime.GC()
			}
		})
		runtime.GC()
		combine(c)
		the, words := 0, 0
		for _, x := range item {
			the += x.words["the"]
			words += len(x.order)
			require.Len(t, *x.longs, len(x.order))
		}
		require.Equal(t, []int{60 + n, 60}, []int{the, words})
	}
}

func TestNeutralOfAnOpIsCalledForEveryElementOfEveryCopy(t *testing.T) {
	calls := 0
	op := NewOp("largest", func(into, from *int) { *into = max(*into, *from) }, func(private *int) {
		calls++
		*private = -1
	})
	c := openOn(free[int](op.declared), make([]int, 5))
	require.Equal(t, []int{-1, -1, -1, -1, -1}, take[int](c, nil, 5))
	take[int](c, nil, 5)
	require.Equal(t, 10, calls)
}

func TestPanicsOfAnOpGoThrough(t *testing.T) {
	op := NewOp("bad", func(_, _ *int) { panic("combine") }, func(*int) { panic("neutral") })
	c := openOn(free[int](op.declared), make([]int, 1))
	require.PanicsWithValue(t, "neutral", func() { c.Take(nil) })
	require.Zero(t, c.Parts())
	half := NewOp("half bad", func(_, _ *int) { panic("combine") }, nil)
	c = openOn(free[int](half.declared), make([]int, 1))
	give(c, take[int](c, nil, 1))
	require.PanicsWithValue(t, "combine", func() { c.Combine(c.Parts() - 1) })
}

func TestMisuse(t *testing.T) {
	var x int
	require.PanicsWithValue(t, "reduce: With of the zero Op", func() { With(&x, Op[int]{}) })
	require.PanicsWithValue(t, "reduce: WithSlice of the zero Op", func() { WithSlice([]int{1}, Op[int]{}) })
	require.PanicsWithValue(t, "reduce: NewOp of sum without a combine function", func() { NewOp[int]("sum", nil, nil) })
	c := openOn(free[int](sum[int]{}), []int{1})
	require.PanicsWithValue(t, "reduce: Combine of a part that Parts did not announce", func() { c.Combine(0) })
	require.Equal(t, "no operator", Op[int]{}.String())
}
