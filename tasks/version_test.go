package tasks_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// counting returns a version that counts how often it ran.
func counting(name string, n *atomic.Int64) tasks.Version[*int] {
	return tasks.Version[*int]{Name: name, Body: func(_ *tasks.Task, x *int) error {
		n.Add(1)
		*x++
		return nil
	}}
}

// TestVersionsAreAllTried: whichever runs, the effect and the order are the same.
func TestVersionsAreAllTried(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		var ran [3]atomic.Int64
		v := tasks.NewVersions("v", counting("a", &ran[0]), counting("b", &ran[1]), counting("c", &ran[2]))
		xs := make([]int, 10)
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			for i := range 1000 {
				x := &xs[i%len(xs)]
				v.Spawn(m, x, deps.InOut(x))
			}
			return nil
		}))
		for _, x := range xs {
			require.Equal(t, 100, x)
		}
		started := uint64(0)
		es := v.Estimates()
		require.Len(t, es, 3)
		for i, e := range es {
			require.GreaterOrEqual(t, ran[i].Load(), int64(3))
			require.EqualValues(t, ran[i].Load(), e.Started)
			require.Equal(t, e.Started, e.Measured)
			require.Equal(t, 0, e.Class)
			started += e.Started
		}
		require.EqualValues(t, 1000, started)
	})
}

func TestVersionsByCost(t *testing.T) {
	rt := newRuntime(t, 1)
	var ran atomic.Int64
	v := tasks.NewVersions("v", counting("only", &ran))
	x := 0
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		for _, c := range []int64{0, 1, 2, 3, 1000} {
			v.Spawn(m, &x, deps.InOut(&x), tasks.Cost(c))
		}
		return nil
	}))
	classes := map[int]uint64{}
	for _, e := range v.Estimates() {
		classes[e.Class] = e.Started
	}
	require.Equal(t, map[int]uint64{0: 1, 1: 1, 2: 2, 10: 1}, classes)
}

func TestVersionsAvailability(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		even := func(x int) bool { return x%2 == 0 }
		var sum atomic.Int64
		v := tasks.NewVersions("v",
			tasks.Version[int]{Name: "even", Available: even, Body: func(_ *tasks.Task, x int) error {
				assert.True(t, even(x))
				sum.Add(int64(x))
				return nil
			}},
			tasks.Version[int]{Name: "small", Available: func(x int) bool { return x < 100 }, Body: func(_ *tasks.Task, x int) error {
				assert.Less(t, x, 100)
				sum.Add(int64(x))
				return nil
			}})
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			for x := range 100 {
				v.Spawn(m, x)
			}
			return nil
		}))
		require.EqualValues(t, 99*100/2, sum.Load())
		err := run(t, rt, func(m *tasks.Task) error { v.Spawn(m, 101); return nil })
		require.ErrorIs(t, err, tasks.ErrNoVersion)
		require.ErrorContains(t, err, "v: ")
	})
}

// TestVersionsFail: a version that fails fails the task, and is not taken for fast.
func TestVersionsFail(t *testing.T) {
	rt := newRuntime(t, 1)
	boom := errors.New("boom")
	failed, ran := 0, 0
	v := tasks.NewVersions("v",
		tasks.Version[int]{Name: "bad", Body: func(*tasks.Task, int) error { failed++; return boom }},
		tasks.Version[int]{Name: "good", Body: func(*tasks.Task, int) error { ran++; return nil }})
	err := run(t, rt, func(m *tasks.Task) error {
		for range 1000 {
			v.Spawn(m, 0)
			_ = m.Wait()
		}
		return nil
	})
	require.NoError(t, err)
	require.GreaterOrEqual(t, failed, 3)
	require.Less(t, failed, 40)
	require.Equal(t, 1000, failed+ran)
}

// TestVersionsAreDeterministicInTests: the first that is available runs.
func TestVersionsAreDeterministicInTests(t *testing.T) {
	for _, cfg := range []tasks.Config{{Serial: true}, {Pick: func(int) int { return 0 }}} {
		rt := newRuntimeWith(t, cfg)
		var ran [2]atomic.Int64
		v := tasks.NewVersions("v", counting("a", &ran[0]), counting("b", &ran[1]))
		x := 0
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			for range 20 {
				v.Spawn(m, &x, deps.InOut(&x))
			}
			return nil
		}))
		require.EqualValues(t, 20, ran[0].Load())
	}
}

func TestVersionsMisuse(t *testing.T) {
	require.PanicsWithValue(t, `tasks: NewVersions "v" without a version`, func() { tasks.NewVersions[int]("v") })
	require.PanicsWithValue(t, `tasks: NewVersions "v" with a nil body: a`, func() {
		tasks.NewVersions("v", tasks.Version[int]{Name: "a"})
	})
}
