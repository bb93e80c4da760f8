package tasks_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// TestThrottleBoundsCreation: a creator is never much further ahead than it may.
func TestThrottleBoundsCreation(t *testing.T) {
	for _, workers := range []int{1, 2} {
		for _, limit := range []int{1, 100, 1000} {
			rt := newRuntimeWith(t, tasks.Config{Workers: workers, Throttle: limit})
			n := 20_000
			if raceEnabled {
				n = 3_000
			}
			var done atomic.Int32
			most := 0
			require.NoError(t, run(t, rt, func(m *tasks.Task) error {
				for i := range n {
					tasks.Spawn(m, func() { done.Add(1) })
					most = max(most, i-int(done.Load()))
				}
				return nil
			}))
			require.EqualValues(t, n, done.Load())
			require.LessOrEqual(t, most, limit+64+workers) // creation is counted in batches of 64
			if workers == 1 {                              // otherwise the children may keep up with their creator
				require.Positive(t, rt.Stats().Throttled)
			}
		}
	}
}

func TestThrottleOff(t *testing.T) {
	rt := newRuntimeWith(t, tasks.Config{Workers: 1, Throttle: -1})
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var started atomic.Bool
		for range 5000 {
			tasks.Spawn(m, func() { started.Store(true) })
		}
		assert.False(t, started.Load())
		return nil
	}))
	require.Zero(t, rt.Stats().Throttled)
}

// TestThrottledCreatorIsNotStuck: what the first children wait for, a later one provides. The creator is far over its
// bound by then.
func TestThrottledCreatorIsNotStuck(t *testing.T) {
	const n, limit = 2000, 50
	for name, main := range map[string]func(m *tasks.Task){
		"suspended": func(m *tasks.Task) {
			var mu sync.Mutex
			var resumes []func()
			for range n {
				tasks.Spawn(m, func(c *tasks.Task) error {
					return c.Suspend(func(r func()) { mu.Lock(); defer mu.Unlock(); resumes = append(resumes, r) })
				})
			}
			tasks.Spawn(m, func(c *tasks.Task) {
				yieldUntil(c, func() bool { mu.Lock(); defer mu.Unlock(); return len(resumes) == n })
				for _, r := range resumes {
					r()
				}
			})
		},
		"held": func(m *tasks.Task) {
			var mu sync.Mutex
			var dones []func(error)
			for range n {
				tasks.Spawn(m, func(c *tasks.Task) {
					mu.Lock()
					defer mu.Unlock()
					dones = append(dones, c.Hold())
				})
			}
			tasks.Spawn(m, func(c *tasks.Task) {
				yieldUntil(c, func() bool { mu.Lock(); defer mu.Unlock(); return len(dones) == n })
				for _, done := range dones {
					done(nil)
				}
			})
		},
		"behind a held access": func(m *tasks.Task) {
			var x int
			var done func(error)
			tasks.Spawn(m, func(c *tasks.Task) { done = c.Hold() }, deps.Out(&x), tasks.If(false))
			for range n {
				tasks.Spawn(m, func() {}, deps.In(&x))
			}
			done(nil)
		},
		"in a critical": func(m *tasks.Task) {
			m.Critical("a", func() {
				for range n {
					tasks.Spawn(m, func(c *tasks.Task) { c.Critical("a", func() {}) })
				}
			})
		},
		"waiting for suspended grandchildren": func(m *tasks.Task) {
			var mu sync.Mutex
			var resumes []func()
			for range n {
				tasks.Spawn(m, func(p *tasks.Task) error {
					tasks.Spawn(p, func(c *tasks.Task) error {
						return c.Suspend(func(r func()) { mu.Lock(); defer mu.Unlock(); resumes = append(resumes, r) })
					})
					return p.Wait()
				})
			}
			tasks.Spawn(m, func(c *tasks.Task) {
				yieldUntil(c, func() bool { mu.Lock(); defer mu.Unlock(); return len(resumes) == n })
				for _, r := range resumes {
					r()
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, workers := range []int{1, 2} {
				rt := newRuntimeWith(t, tasks.Config{Workers: workers, Throttle: limit})
				require.NoError(t, run(t, rt, func(m *tasks.Task) error { main(m); return nil }))
			}
		})
	}
}

// liveHeap returns the bytes of heap in use after a collection.
func liveHeap() uint64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

// TestCreatorFarAheadOfABlockedBody: a body that waits, outside the runtime, for what its creator does next must not
// hold it, however many tasks wait for that body.
func TestCreatorFarAheadOfABlockedBody(t *testing.T) {
	rt := newRuntime(t, 2)
	n := 50_000
	if raceEnabled {
		n = 3_000
	}
	x := 0
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		gate, in := make(chan bool), make(chan bool)
		tasks.Spawn(m, func() { close(in); <-gate; x = 1 }, deps.Out(&x))
		<-in
		for range n {
			tasks.Spawn(m, func() { assert.Equal(t, 1, x) }, deps.In(&x))
		}
		close(gate)
		return nil
	}))
}
