package tasks_test

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// TestSuspendGivesTheSlotAway: on one slot others run while a body is suspended, and its locals survive.
func TestSuspendGivesTheSlotAway(t *testing.T) {
	rt := newRuntime(t, 1)
	var j journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var open box[func()]
		tasks.Spawn(m, func(c *tasks.Task) {
			local := 42
			j.note("before")
			assert.NoError(t, c.Suspend(func(r func()) { open.put(r) }))
			j.note("after")
			assert.Equal(t, 42, local)
		}, tasks.Priority(1))
		tasks.Spawn(m, func() { j.note("other"); open.get()() })
		return nil
	}))
	require.Equal(t, "before other after", j.text())
}

func TestSuspendResumeInArm(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			for range 1000 {
				assert.NoError(t, m.Suspend(func(r func()) { r() }))
			}
			before := rt.Stats().Blocked
			assert.NoError(t, m.Suspend(func(r func()) { r(); r() }), "more than one does nothing")
			assert.Equal(t, before, rt.Stats().Blocked, "a resume that came first is remembered")
			return nil
		}))
	})
}

// TestSuspendLateResume: the resume of one suspension does not end the next.
func TestSuspendLateResume(t *testing.T) {
	rt := newRuntime(t, 1)
	var j journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var first, second box[func()]
		tasks.Spawn(m, func(c *tasks.Task) {
			assert.NoError(t, c.Suspend(func(r func()) { first.put(r) }))
			j.note("first")
			assert.NoError(t, c.Suspend(func(r func()) { second.put(r) }))
			j.note("second")
		}, tasks.Priority(1))
		tasks.Spawn(m, func(c *tasks.Task) {
			first.get()()
			first.get()()
			yieldUntil(c, func() bool { return j.has("first") })
			first.get()()
			first.get()()
			c.Yield()
			j.note("late")
			second.get()()
			second.get()()
		})
		return nil
	}))
	require.Equal(t, "first late second", j.text())
}

// TestSuspendResumeRaces: many goroutines resume at the moment of suspension; the body goes on once.
func TestSuspendResumeRaces(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		var n atomic.Int32
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			for range 200 {
				tasks.Spawn(m, func(c *tasks.Task) {
					for range 5 {
						assert.NoError(t, c.Suspend(func(r func()) {
							for range 3 {
								go r()
							}
						}))
						n.Add(1)
					}
				})
			}
			return nil
		}))
		require.EqualValues(t, 1000, n.Load())
	})
}

func TestSuspendArmPanics(t *testing.T) {
	rt := newRuntime(t, 1)
	boom := errors.New("boom")
	err := run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func(c *tasks.Task) { _ = c.Suspend(func(func()) { panic(boom) }) })
		return nil
	})
	require.ErrorIs(t, err, boom)
	// Nothing is pending: a run that is stuck is found out.
	require.ErrorIs(t, run(t, rt, stuck), tasks.ErrDeadlock)
}

// stuck is a run that cannot proceed.
func stuck(m *tasks.Task) error {
	m.Critical("stuck", func() {
		tasks.Spawn(m, func(c *tasks.Task) { c.Critical("stuck", func() {}) }, tasks.Label("child"))
		_ = m.Wait()
	})
	return nil
}

// TestSuspendKeepsAccesses: a suspended task has not given anything up.
func TestSuspendKeepsAccesses(t *testing.T) {
	rt := newRuntime(t, 2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		x := 0
		for i := range 50 {
			tasks.Spawn(m, func(c *tasks.Task) {
				assert.NoError(t, c.Suspend(func(r func()) { go r() }))
				assert.Equal(t, i, x)
				x++
			}, deps.InOut(&x))
		}
		return nil
	}))
}

func TestSleep(t *testing.T) {
	rt := newRuntime(t, 1)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		assert.Zero(t, m.Sleep(0))
		assert.Zero(t, m.Sleep(-time.Second))
		from := time.Now()
		d := m.Sleep(2 * time.Millisecond)
		assert.GreaterOrEqual(t, d, 2*time.Millisecond)
		assert.LessOrEqual(t, d, time.Since(from))
		// Ten thousand sleepers on one slot sleep together.
		n := 10_000
		if raceEnabled {
			n = 500
		}
		for range n {
			tasks.Spawn(m, func(c *tasks.Task) { c.Sleep(5 * time.Millisecond) })
		}
		return m.Wait()
	}))
}

func TestYield(t *testing.T) {
	rt := newRuntime(t, 1)
	var j journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		m.Yield() // nobody else is there
		tasks.Spawn(m, func() { j.note("other") })
		assert.Empty(t, j.text())
		m.Yield()
		assert.Equal(t, "other", j.text())
		m.Yield()
		return nil
	}))
}

func TestYieldTakesTurns(t *testing.T) {
	rt := newRuntime(t, 1)
	var j journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		for _, name := range []string{"a", "b"} {
			tasks.Spawn(m, func(c *tasks.Task) {
				for range 3 {
					j.note(name)
					c.Yield()
				}
			})
		}
		return nil
	}))
	require.Contains(t, []string{"a b a b a b", "b a b a b a"}, j.text())
}

// TestYieldUnderLoad: bodies of all sorts give slots to each other; each body runs once.
func TestYieldUnderLoad(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		rt := newRuntime(t, workers)
		n := 300
		if raceEnabled {
			n = 50
		}
		var bodies, children atomic.Int32
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			for i := range n {
				tasks.Spawn(m, func(c *tasks.Task) {
					bodies.Add(1)
					for range 3 {
						tasks.Spawn(c, func(g *tasks.Task) {
							children.Add(1)
							g.Yield()
							assert.NoError(t, g.Suspend(func(r func()) { go r() }))
							g.Yield()
						}, tasks.Priority(i%3))
					}
					assert.NoError(t, c.Suspend(func(r func()) { go r() }))
					assert.NoError(t, c.Wait())
				}, tasks.Priority(i%2))
			}
			return nil
		}))
		require.EqualValues(t, n, bodies.Load())
		require.EqualValues(t, 3*n, children.Load())
	}
}

// TestManySuspended parks a great number of bodies at once, resumes them all, and reports what a parked body costs.
func TestManySuspended(t *testing.T) {
	n := 100_000
	if testing.Short() || raceEnabled {
		n = 5_000
	}
	rt := newRuntime(t, 2)
	var before, during runtime.MemStats
	var mu sync.Mutex
	resumes := make([]func(), 0, n)
	var inside, finished atomic.Int32
	runtime.GC()
	runtime.ReadMemStats(&before)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		for range n {
			tasks.Spawn(m, func(c *tasks.Task) error {
				inside.Add(1)
				defer finished.Add(1)
				return c.Suspend(func(r func()) {
					mu.Lock()
					resumes = append(resumes, r)
					mu.Unlock()
				})
			})
		}
		tasks.Spawn(m, func(c *tasks.Task) {
			for inside.Load() < int32(n) {
				c.Sleep(time.Millisecond)
			}
			assert.Zero(t, finished.Load(), "all are suspended at once")
			runtime.GC()
			runtime.ReadMemStats(&during)
			mu.Lock()
			defer mu.Unlock()
			for _, r := range resumes {
				r()
			}
		})
		return nil
	}))
	require.EqualValues(t, n, finished.Load())
	per := func(a, b uint64) float64 { return (float64(b) - float64(a)) / float64(n) }
	t.Logf("%d suspended bodies: %.0f B of heap and %.0f B of stack each, %.0f B from the system", n,
		per(before.HeapAlloc, during.HeapAlloc), per(before.StackInuse, during.StackInuse), per(before.Sys, during.Sys))
	assert.Less(t, per(before.HeapAlloc+before.StackInuse, during.HeapAlloc+during.StackInuse), 16384.0)
}
