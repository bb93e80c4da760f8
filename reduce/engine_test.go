package reduce_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
)

func runOn(t *testing.T, workers int, main func(*tasks.Task) error) error {
	t.Helper()
	rt, err := tasks.New(tasks.Config{Workers: workers})
	require.NoError(t, err)
	defer rt.Close()
	return rt.Run(context.Background(), main)
}

// TestReductionTasksDoNotWait: they run while the item is being written, and while readers before them run; only the
// combination waits, and who comes after sees the result.
func TestReductionTasksDoNotWait(t *testing.T) {
	var x, seen int
	meet := make(chan struct{})
	require.NoError(t, runOn(t, 2, func(m *tasks.Task) error {
		tasks.Spawn(m, func() { <-meet; x = 100 }, deps.Out(&x))
		for i := range 10 {
			tasks.Spawn(m, func(r *tasks.Task) {
				*reduce.Local(r, &x) += i
				if i == 9 {
					meet <- struct{}{} // with the writer
				}
			}, reduce.Sum(&x))
		}
		tasks.Spawn(m, func() { seen = x }, deps.In(&x))
		return m.Wait()
	}))
	require.Equal(t, 145, seen)
}

// TestScopes: an access of another kind, another operator and a taskwait close a scope.
func TestScopes(t *testing.T) {
	x := 1
	add := func(m *tasks.Task, d int) {
		tasks.Spawn(m, func(r *tasks.Task) { *reduce.Local(r, &x) += d }, reduce.Sum(&x))
	}
	times := func(m *tasks.Task, f int) {
		tasks.Spawn(m, func(r *tasks.Task) { *reduce.Local(r, &x) *= f }, reduce.Prod(&x))
	}
	var mid int
	require.NoError(t, runOn(t, 2, func(m *tasks.Task) error {
		add(m, 2)
		add(m, 3)
		times(m, 10)
		tasks.Spawn(m, func() { mid = x }, deps.In(&x))
		add(m, 1)
		assert.NoError(t, m.Wait())
		assert.Equal(t, 61, x)
		times(m, 2)
		assert.NoError(t, m.WaitOn(deps.In(&x)))
		assert.Equal(t, 122, x)
		add(m, 1)
		return nil
	}))
	require.Equal(t, 60, mid)
	require.Equal(t, 123, x)
}

// TestSpawnClosesAScope: the combination starts when an access behind it is created, though the creator's body goes on.
func TestSpawnClosesAScope(t *testing.T) {
	var x, y int
	require.NoError(t, runOn(t, 1, func(m *tasks.Task) error {
		tasks.Spawn(m, func(r *tasks.Task) { *reduce.Local(r, &x)++ }, reduce.Sum(&x))
		m.Yield() // the contribution is made
		tasks.Spawn(m, func() { y = x }, deps.In(&x), deps.Out(&y))
		if err := m.WaitOn(deps.In(&y)); err != nil {
			return err
		}
		assert.Equal(t, 1, y)
		return nil
	}))
}

// TestWeakReductions: children at any depth contribute to the scope of the weak reduction above them.
func TestWeakReductions(t *testing.T) {
	var fib func(t *tasks.Task, n int, sum *int)
	fib = func(m *tasks.Task, n int, sum *int) {
		if n < 2 {
			*reduce.Local(m, sum) += n
			return
		}
		for _, k := range []int{n - 1, n - 2} {
			if k < 2 {
				tasks.Spawn(m, func(c *tasks.Task) { fib(c, k, sum) }, reduce.Sum(sum))
			} else {
				tasks.Spawn(m, func(c *tasks.Task) { fib(c, k, sum) }, deps.Weak(reduce.Sum(sum)))
			}
		}
	}
	for _, workers := range []int{1, 2, 4} {
		sum, after := 0, 0
		require.NoError(t, runOn(t, workers, func(m *tasks.Task) error {
			tasks.Spawn(m, func(c *tasks.Task) { fib(c, 15, &sum) }, deps.Weak(reduce.Sum(&sum)))
			tasks.Spawn(m, func() { after = sum }, deps.In(&sum))
			return nil
		}))
		require.Equal(t, 610, after)
	}
}

// TestBodiesMayWait: a reduction body waits for children that contribute as well, and suspends, and keeps its copy.
func TestBodiesMayWait(t *testing.T) {
	var x [4]int
	require.NoError(t, runOn(t, 2, func(m *tasks.Task) error {
		for i := range 20 {
			tasks.Spawn(m, func(r *tasks.Task) error {
				mine := reduce.LocalSlice(r, x[:])
				mine[i%4]++
				tasks.Spawn(r, func(c *tasks.Task) { *reduce.Local(c, &x[1]) += 10 }, reduce.Sum(&x[1]))
				r.Yield()
				err := r.Wait()
				mine[i%4]++
				return err
			}, reduce.SumSlice(x[:]))
		}
		return nil
	}))
	require.Equal(t, [4]int{10, 210, 10, 10}, x)
}

func TestFailedContribution(t *testing.T) {
	boom := errors.New("boom")
	x, after := 7, 0
	err := runOn(t, 2, func(m *tasks.Task) error {
		for i := range 5 {
			tasks.Spawn(m, func(r *tasks.Task) error {
				*reduce.Local(r, &x)++
				if i == 3 {
					return boom
				}
				return nil
			}, reduce.Sum(&x))
		}
		tasks.Spawn(m, func() { after = x }, deps.In(&x))
		err := m.Wait()
		assert.ErrorIs(t, err, boom)
		assert.Equal(t, 7, x, "nothing was combined")
		tasks.Spawn(m, func(r *tasks.Task) { *reduce.Local(r, &x)++ }, reduce.Sum(&x))
		return nil
	})
	require.NoError(t, err)
	require.Zero(t, after, "who reads the result does not run")
	require.Equal(t, 8, x)
}

func TestMisuse(t *testing.T) {
	var x, y int
	for want, main := range map[string]func(*tasks.Task) error{
		"what it reduces it cannot use otherwise": func(m *tasks.Task) error {
			tasks.Spawn(m, func() {}, reduce.Sum(&x), deps.In(&x))
			return nil
		},
		"of one task share bytes": func(m *tasks.Task) error {
			tasks.Spawn(m, func() {}, reduce.Sum(&x), reduce.Prod(&x))
			return nil
		},
		"its parent, declares as reduction(sum of int)": func(m *tasks.Task) error {
			tasks.Spawn(m, func(r *tasks.Task) { tasks.Spawn(r, func() {}, reduce.Prod(&x)) }, reduce.Sum(&x))
			return nil
		},
		"its parent, declares as weak reduction(sum of int)": func(m *tasks.Task) error {
			tasks.Spawn(m, func(r *tasks.Task) { tasks.Spawn(r, func() {}, deps.Out(&y), deps.In(&x)) }, deps.Weak(reduce.Sum(&x)))
			tasks.Spawn(m, func() {}, deps.In(&y))
			return nil
		},
		"does not reduce": func(m *tasks.Task) error {
			tasks.Spawn(m, func(r *tasks.Task) { *reduce.Local(r, &y)++ }, reduce.Sum(&x))
			return nil
		},
		"WaitOn of a reduction": func(m *tasks.Task) error { return m.WaitOn(reduce.Sum(&x)) },
	} {
		err := runOn(t, 2, main)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "deps: ")
	}
}

// TestRelease: a released contribution does not count as unfinished.
func TestRelease(t *testing.T) {
	var x int
	meet := make(chan int)
	require.NoError(t, runOn(t, 2, func(m *tasks.Task) error {
		tasks.Spawn(m, func(r *tasks.Task) {
			*reduce.Local(r, &x) = 5
			r.Release(reduce.Sum(&x))
			assert.Equal(t, 5, <-meet)
		}, reduce.Sum(&x))
		tasks.Spawn(m, func() { meet <- x }, deps.In(&x))
		return nil
	}))
}

// TestOrderedIsBitIdentical: the same bits as the plain loop, whatever the workers and however deep the tasks.
func TestOrderedIsBitIdentical(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	v := make([]float64, 300)
	want := 0.1
	for i := range v {
		v[i] = math.Ldexp(r.Float64()-0.5, r.IntN(60))
		want += v[i]
	}
	for _, workers := range []int{1, 2, 4} {
		for range 5 {
			sum := 0.1
			require.NoError(t, runOn(t, workers, func(m *tasks.Task) error {
				for lo := 0; lo < len(v); lo += 30 {
					tasks.Spawn(m, func(p *tasks.Task) {
						for i := lo; i < lo+30; i++ {
							tasks.Spawn(p, func(c *tasks.Task) { *reduce.Local(c, &sum) += v[i] }, reduce.Ordered(reduce.Sum(&sum)))
						}
					}, deps.Weak(reduce.Ordered(reduce.Sum(&sum))))
				}
				return nil
			}))
			require.Equal(t, math.Float64bits(want), math.Float64bits(sum))
		}
	}
}

// TestRegionsClose: an access to a part of a reduced array waits for the combination, one beside it does not.
func TestRegionsClose(t *testing.T) {
	x := make([]int, 8)
	var hold sync.Mutex
	hold.Lock()
	var part []int
	require.NoError(t, runOn(t, 2, func(m *tasks.Task) error {
		tasks.Spawn(m, func(r *tasks.Task) { hold.Lock(); reduce.LocalSlice(r, x[:4])[3] = 9 }, reduce.SumSlice(x[:4]))
		tasks.Spawn(m, func() { part = append(part, x[2:6]...) }, deps.InSlice(x[2:6]))
		tasks.Spawn(m, func() { x[7] = 1; hold.Unlock() }, deps.InOutSlice(x[6:]))
		return nil
	}))
	require.Equal(t, []int{0, 9, 0, 0}, part)
}

// TestLargeArrays combine in several pieces, and recycle copies.
func TestLargeArrays(t *testing.T) {
	x := make([]float64, 1<<18)
	require.NoError(t, runOn(t, 2, func(m *tasks.Task) error {
		for i := range 32 {
			tasks.Spawn(m, func(r *tasks.Task) {
				for k, mine := 0, reduce.LocalSlice(r, x); k < len(mine); k++ {
					mine[k] += float64(i + k)
				}
			}, reduce.SumSlice(x))
		}
		return nil
	}))
	for k := range x {
		require.Equal(t, float64(31*16+32*k), x[k])
	}
}

func TestSchedules(t *testing.T) {
	taskstest.Schedules(t, 50, func() (func(*tasks.Task) error, func() any) {
		var x, y int
		return func(m *tasks.Task) error {
			for i := range 6 {
				tasks.Spawn(m, func(r *tasks.Task) { *reduce.Local(r, &x) += i }, reduce.Sum(&x), deps.In(&y))
				tasks.Spawn(m, func() { y++ }, deps.InOut(&y))
			}
			return nil
		}, func() any { return [2]int{x, y} }
	})
}

func TestSerialElision(t *testing.T) {
	x := 1
	require.NoError(t, taskstest.Serial(t, func(m *tasks.Task) error {
		tasks.Spawn(m, func(r *tasks.Task) { *reduce.Local(r, &x) += 2 }, reduce.Sum(&x))
		tasks.Spawn(m, func(r *tasks.Task) { *reduce.Local(r, &x) *= 5 }, reduce.Prod(&x))
		return nil
	}))
	require.Equal(t, 15, x)
}
