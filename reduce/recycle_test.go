//go:build !race

package reduce

import (
	"testing"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/stretchr/testify/require"
)

// In race builds copies are never handed out twice.

func TestCopiesAreTakenLastGivenFirst(t *testing.T) {
	c := openOn(free[int](sum[int]{}), make([]int, 1)).(*copies[int])
	a, b := c.Take(nil), c.Take(nil)
	require.NotEqual(t, a, b)
	c.Give(a)
	c.Give(b)
	require.Equal(t, b, c.Take(nil))
	require.Equal(t, a, c.Take(nil))
	require.Equal(t, 2, c.count)
}

func TestThousandTasksNeedAsManyCopiesAsRanAtOnce(t *testing.T) {
	item := make([]int, 4)
	c := openOn(free[int](sum[int]{}), item)
	contribute(c, 4, 1000, nil, func(i int, private []int) { private[i%4]++ })
	combine(c)
	require.Equal(t, []int{250, 250, 250, 250}, item)
	require.LessOrEqual(t, c.(*copies[int]).count, 3*3) // three goroutines hold up to three each
}

func TestGiveOfWhatWasNotTaken(t *testing.T) {
	c := openOn(free[int](sum[int]{}), make([]int, 1))
	p := c.Take(nil)
	c.Give(p)
	require.PanicsWithValue(t, "reduce: Give of a copy that was not taken", func() { c.Give(p) })
}

func TestAllocations(t *testing.T) {
	var x float64
	var ok bool
	var bits uint8
	s := make([]float64, 100)
	keep := NewOp("keep", func(_, _ *[]float64) {}, nil)
	first := NewOp("first", func(_, _ *float64) {}, nil)
	for name, f := range map[string]func(){
		"Sum":           func() { sink = Sum(&x) },
		"ProdSlice":     func() { sink = ProdSlice(s) },
		"Min":           func() { sink = Min(&x) },
		"Or":            func() { sink = Or(&bits) },
		"LogicalAnd":    func() { sink = LogicalAnd(&ok) },
		"With":          func() { sink = With(&s, keep) },
		"WithSlice":     func() { sink = WithSlice(s, first) },
		"Ordered":       func() { sink = Ordered(Sum(&x)) },
		"Ordered(With)": func() { sink = Ordered(WithSlice(s, first)) },
		"Local":         func() { *Local(self{}, &x)++ },
		"LocalSlice":    func() { LocalSlice(self{}, s)[3]++ },
		"Reduction ==":  func() { require.True(t, free[float64](sum[float64]{}) == free[float64](sum[float64]{})) },
		"user's op == ": func() { require.True(t, free[float64](first.declared) == free[float64](first.declared)) },
	} {
		require.Zero(t, testing.AllocsPerRun(100, f), name)
	}
}

// TestAllocationsOfAScope counts what a scope and its copies cost, and that handing copies round costs nothing.
func TestAllocationsOfAScope(t *testing.T) {
	item := make([]float64, 1000)
	once := testing.AllocsPerRun(100, func() {
		c := openOn(free[float64](sum[float64]{}), item)
		c.Give(c.Take(nil))
	})
	require.LessOrEqual(t, once, 3.0)
	c := openOn(free[float64](sum[float64]{}), item)
	require.Zero(t, testing.AllocsPerRun(100, func() { c.Give(c.Take(nil)) }))
	c.Parts()
	require.Zero(t, testing.AllocsPerRun(100, func() { c.Combine(c.Parts() - 1) }))
}

var sink deps.Access

// self is a task in serial elision.
type self struct{}

func (self) PrivateCopy(item unsafe.Pointer, _ uintptr) unsafe.Pointer { return item }
