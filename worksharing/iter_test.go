package worksharing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

func TestIterRunsEveryTaskOfEveryIteration(t *testing.T) {
	rt := newRuntime(t, 3)
	for _, n := range []int{0, 1, 2, 3, 100} {
		for _, unroll := range []int{1, 2, 3, 7} {
			x, y := 0, 0
			var seen []int
			err := run(t, rt, func(m *tasks.Task) {
				tasks.Spawn(m, func() { x = 1 }, deps.Out(&x))
				worksharing.Iter(m, n, func(m *tasks.Task) {
					tasks.Spawn(m, func(t *tasks.Task) { x = x + worksharing.Index(t) }, deps.InOut(&x))
					tasks.Spawn(m, func(t *tasks.Task) { y = y*3 + x; seen = append(seen, worksharing.Index(t)) }, deps.In(&x), deps.InOut(&y))
				}, deps.InOut(&x), deps.InOut(&y), worksharing.Unroll(unroll))
				tasks.Spawn(m, func() { x *= 2 }, deps.InOut(&x))
			})
			require.NoError(t, err)
			wx, wy := 1, 0
			for i := range n {
				require.Equal(t, i, seen[i])
				wx += i
				wy = wy*3 + wx
			}
			require.Len(t, seen, n)
			require.Equal(t, wx*2, x)
			require.Equal(t, wy, y)
		}
	}
}

func TestIterWhileIsAWhileLoop(t *testing.T) {
	rt := newRuntime(t, 3)
	for _, n := range []int{0, 1, 2, 50} {
		x, y, z := 0, 0, 0
		err := run(t, rt, func(m *tasks.Task) {
			worksharing.IterWhile(m, func(t *tasks.Task) bool { return x < n }, deps.List{deps.In(&x)}, func(m *tasks.Task) {
				tasks.Spawn(m, func() { x++ }, deps.InOut(&x))
				tasks.Spawn(m, func() { y += x }, deps.In(&x), deps.InOut(&y))
				tasks.Spawn(m, func() { z++ }, deps.InOut(&z))
			}, deps.InOut(&x), deps.InOut(&y), deps.InOut(&z))
		})
		require.NoError(t, err)
		require.Equal(t, n, x)
		require.Equal(t, n, z)
		require.Equal(t, n*(n+1)/2, y)
	}
}

func TestIterReductions(t *testing.T) {
	rt := newRuntime(t, 3)
	const n, m = 20, 8
	sum, total, last := 0, 5, 0
	err := run(t, rt, func(r *tasks.Task) {
		worksharing.Iter(r, n, func(r *tasks.Task) {
			for i := range m {
				tasks.Spawn(r, func(t *tasks.Task) { *reduce.Local(t, &sum) += i; *reduce.Local(t, &total)++ }, reduce.Sum(&sum), reduce.Sum(&total))
			}
			tasks.Spawn(r, func() { last += sum; sum = 1 }, deps.InOut(&sum), deps.InOut(&last))
			tasks.Spawn(r, func(t *tasks.Task) { *reduce.Local(t, &sum) += 1 }, reduce.Sum(&sum))
		}, deps.InOut(&sum), deps.InOut(&total), deps.InOut(&last))
	})
	require.NoError(t, err)
	require.Equal(t, 5+n*m, total)
	require.Equal(t, 28+(n-1)*30, last)
	require.Equal(t, 2, sum)
}

func TestIterUpdate(t *testing.T) {
	rt := newRuntime(t, 3)
	x, y := 0, 0
	err := run(t, rt, func(m *tasks.Task) {
		worksharing.Iter(m, 10, func(m *tasks.Task) {
			i := worksharing.Index(m)
			tasks.Spawn(m, func() { x += i }, deps.InOut(&x))
			if i >= 5 {
				tasks.Spawn(m, func() { y += x }, deps.In(&x), deps.InOut(&y))
			}
		}, deps.InOut(&x), deps.InOut(&y), worksharing.Update)
	})
	require.NoError(t, err)
	require.Equal(t, 45, x)
	require.Equal(t, 15+21+28+36+45, y)
	st := rt.Stats().Graphs
	require.Equal(t, tasks.GraphStats{Recorded: 2, OtherTasks: 1, Rounds: 8}, st)
}
