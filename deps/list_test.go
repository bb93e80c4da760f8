package deps_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func ExampleRange() {
	program(func(t *tasks.Task) error {
		var squares [6]int
		for i := range squares {
			tasks.Spawn(t, func() { squares[i] = i * i }, deps.Out(&squares[i]))
		}
		sum := 0
		every := deps.Range(1, len(squares), 2, func(i int) deps.Access { return deps.In(&squares[i]) })
		tasks.Spawn(t, func() { sum = squares[1] + squares[3] + squares[5] }, every, deps.Out(&sum))
		err := t.Wait()
		fmt.Println(len(every), sum)
		return err
	})
	// Output: 3 35
}

func ExampleOver() {
	program(func(t *tasks.Task) error {
		left, right := []int{1, 2}, []int{3}
		for _, part := range [][]int{left, right} {
			tasks.Spawn(t, func() { part[0] *= 10 }, deps.InOutSlice(part))
		}
		both := deps.Over([][]int{left, right}, func(p []int) deps.Access { return deps.InSlice(p) })
		tasks.Spawn(t, func() { fmt.Println(left, right) }, both)
		return t.Wait()
	})
	// Output: [10 2] [30]
}

func ExampleList_And() {
	var a, b, c int
	two := deps.List{deps.In(&a), deps.In(&b)}
	fmt.Println(len(two.And(deps.Out(&c))), len(two))
	// Output: 3 2
}

func TestRange(t *testing.T) {
	var x [100]int
	at := func(i int) deps.Access { return deps.In(&x[i]) }
	for _, c := range []struct {
		lo, hi, step int
		want         []int
	}{
		{0, 3, 1, []int{0, 1, 2}}, {0, 0, 1, nil}, {3, 0, 1, nil}, {1, 8, 3, []int{1, 4, 7}}, {1, 7, 3, []int{1, 4}},
		{5, 2, -1, []int{5, 4, 3}}, {9, 0, -4, []int{9, 5, 1}}, {0, 5, -1, nil}, {7, 8, 100, []int{7}},
	} {
		got := deps.Range(c.lo, c.hi, c.step, at)
		require.Len(t, got, len(c.want), "%v", c)
		for i, k := range c.want {
			require.Equal(t, deps.In(&x[k]), got[i])
		}
	}
	require.PanicsWithValue(t, "deps: Range with step 0", func() { deps.Range(0, 1, 0, at) })
}
