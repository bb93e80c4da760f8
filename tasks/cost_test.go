package tasks_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func prediction(rt *tasks.Runtime, label string) tasks.Prediction {
	for _, p := range rt.Predictions() {
		if p.Label == label {
			return p
		}
	}
	return tasks.Prediction{}
}

// TestPredictions: what is created and not over is outstanding, by label; what is over has been measured.
func TestPredictions(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		kind := tasks.NewType("kind", 0)
		var x, y int
		require.Zero(t, rt.Predicted())
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			busy := func() {
				for from := time.Now(); time.Since(from) < time.Millisecond; {
					y++
				}
			}
			tasks.Spawn(m, busy, kind, tasks.Cost(100), deps.InOut(&y))
			assert.NoError(t, m.Wait())
			p := prediction(rt, "kind")
			assert.Zero(t, p.Tasks)
			assert.Zero(t, p.Units)
			assert.EqualValues(t, 1, p.Measured)
			assert.GreaterOrEqual(t, p.PerUnit, 1e4)

			resumes := make(chan func(), 1)
			tasks.Spawn(m, func(c *tasks.Task) { _ = c.Suspend(func(r func()) { resumes <- r }) }, deps.Out(&x))
			tasks.Spawn(m, busy, kind, tasks.Cost(1000), deps.In(&x), deps.InOut(&y))
			tasks.Spawn(m, busy, kind, tasks.Cost(500), deps.In(&x), deps.InOut(&y))
			tasks.Spawn(m, func() {}, tasks.Label("new"), tasks.Cost(7), deps.In(&x))
			p = prediction(rt, "kind")
			assert.EqualValues(t, 2, p.Tasks)
			assert.EqualValues(t, 1500, p.Units)
			assert.InDelta(t, 1500*p.PerUnit, float64(p.Work), 1)
			assert.Equal(t, p.Work/time.Duration(rt.Workers()), rt.Predicted())
			assert.EqualValues(t, 7, prediction(rt, "new").Units)
			assert.Zero(t, prediction(rt, "new").Work, "not known yet")
			yieldUntil(m, func() bool { return len(resumes) == 1 })
			(<-resumes)()
			return nil
		}))
		for _, p := range rt.Predictions() {
			require.Zero(t, p.Tasks)
			require.Zero(t, p.Units)
		}
		require.Zero(t, rt.Predicted())
	})
}

// TestPredictionsOfSkippedTasks: they are over, and teach nothing.
func TestPredictionsOfSkippedTasks(t *testing.T) {
	rt := newRuntime(t, 1)
	x := 0
	require.Error(t, run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func() error { return errors.New("boom") }, tasks.Label("a"), tasks.Cost(1), deps.Out(&x))
		tasks.Spawn(m, func() {}, tasks.Label("b"), tasks.Cost(2), deps.In(&x))
		return nil
	}))
	require.Equal(t, tasks.Prediction{Label: "a"}, prediction(rt, "a"))
	require.Equal(t, tasks.Prediction{Label: "b"}, prediction(rt, "b"))
}

// TestPredictionsAreOfOwnTime: a body that waits for its children is not charged with them.
func TestPredictionsAreOfOwnTime(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		const ms = 20 * time.Millisecond
		for i := 0; ; i++ { // until nothing else delays the parent
			parent, child := fmt.Sprint("parent ", i), fmt.Sprint("child ", i)
			require.NoError(t, run(t, rt, func(m *tasks.Task) error {
				tasks.Spawn(m, func(c *tasks.Task) error {
					tasks.Spawn(c, func() {
						for from := time.Now(); time.Since(from) < ms; {
						}
					}, tasks.Label(child), tasks.Cost(1))
					return c.Wait()
				}, tasks.Label(parent), tasks.Cost(1))
				return nil
			}))
			p := prediction(rt, parent)
			require.EqualValues(t, 1, p.Measured)
			require.GreaterOrEqual(t, prediction(rt, child).PerUnit, float64(ms))
			if p.PerUnit < float64(ms) {
				break
			}
			require.Less(t, i, 20)
		}
	})
}

// TestPredictionsAreBounded: labels made up for each task do not fill the memory.
func TestPredictionsAreBounded(t *testing.T) {
	rt := newRuntime(t, 1)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		for i := range 3000 {
			tasks.Spawn(m, static, tasks.Label(fmt.Sprint("task ", i)), tasks.Cost(1))
		}
		return nil
	}))
	require.Len(t, rt.Predictions(), 1002)
	require.Greater(t, prediction(rt, "…").Measured, uint64(1900))
}

func BenchmarkCost(b *testing.B) {
	for name, clauses := range map[string][]tasks.Clause{"without": nil, "with": {tasks.Label("l"), tasks.Cost(3)}} {
		b.Run(name, func(b *testing.B) {
			rt := newRuntime(b, 1)
			_ = rt.Run(ctx, func(m *tasks.Task) error {
				for b.Loop() {
					tasks.Spawn(m, static, clauses...)
				}
				return nil
			})
		})
	}
}

func BenchmarkVersions(b *testing.B) {
	rt := newRuntime(b, 1)
	b.ReportAllocs()
	v := tasks.NewVersions("v",
		tasks.Version[int]{Body: func(*tasks.Task, int) error { return nil }},
		tasks.Version[int]{Body: func(*tasks.Task, int) error { return nil }})
	_ = rt.Run(ctx, func(m *tasks.Task) error {
		for b.Loop() {
			v.Spawn(m, 1)
		}
		return nil
	})
}

func BenchmarkAsync(b *testing.B) {
	rt := newRuntime(b, 1)
	b.ReportAllocs()
	body := func(*tasks.Task) (int, error) { return 1, nil }
	x := 0
	_ = rt.Run(ctx, func(m *tasks.Task) error {
		for b.Loop() {
			tasks.Async(m, body, deps.In(&x), deps.In(&b.N))
		}
		return nil
	})
}

// TestLongestSuccessorFirst: of tasks that become ready together the slot goes on with the one that takes longest; a
// priority still comes first.
func TestLongestSuccessorFirst(t *testing.T) {
	rt := newRuntime(t, 1)
	kind := tasks.NewType("kind", 0)
	for _, costs := range [][]int64{{1, 100, 10}, {100, 1, 10}, {1, 10, 100}, {0, 5, 0}} {
		for _, urgent := range []bool{false, true} {
			var x int
			var j journal
			require.NoError(t, run(t, rt, func(m *tasks.Task) error {
				busy := func() {
					for from := time.Now(); time.Since(from) < time.Microsecond; {
					}
				}
				tasks.Spawn(m, busy, kind, tasks.Cost(1))
				assert.NoError(t, m.Wait())
				tasks.Spawn(m, func() {}, deps.Out(&x))
				for _, c := range costs {
					tasks.Spawn(m, func() { j.note(fmt.Sprint(c)) }, kind, tasks.Cost(c), deps.In(&x))
				}
				if urgent {
					tasks.Spawn(m, func() { j.note("urgent") }, tasks.Priority(1), deps.In(&x))
				}
				return nil
			}))
			first, _, _ := strings.Cut(j.text(), " ")
			if urgent {
				require.Equal(t, "urgent", first)
			} else {
				require.Equal(t, fmt.Sprint(slices.Max(costs)), first)
			}
		}
	}
}

// TestPredictionsOfRoots: functions of Go and of streams have costs, too.
func TestPredictionsOfRoots(t *testing.T) {
	rt := newRuntime(t, 1)
	resumes := make(chan func(), 1)
	kind := tasks.NewType("function", 0)
	rt.Stream(1).Go(func(c *tasks.Task) error { return c.Suspend(func(r func()) { resumes <- r }) }, nil)
	rt.Stream(1).Go(func(*tasks.Task) error { return nil }, nil, kind, tasks.Cost(5))
	require.EqualValues(t, 5, prediction(rt, "function").Units)
	(<-resumes)()
	within(t, rt, func() { require.NoError(t, rt.SynchronizeStreams(nil)) })
	p := prediction(rt, "function")
	require.Zero(t, p.Units)
	require.EqualValues(t, 1, p.Measured)
}
