package tasks_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// TestStreamIsInOrder: many goroutines fill many streams; each stream's functions run one at a time, with their children,
// in the order in which they were given, callbacks in between.
func TestStreamIsInOrder(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		const streams, each = 20, 50
		var next [streams]int // not synchronised: a stream's functions are ordered
		var wg sync.WaitGroup
		for id := range streams {
			wg.Go(func() {
				s := rt.Stream(id - 5)
				for i := range each {
					var done func(error)
					if i%2 == 0 {
						done = func(err error) {
							assert.NoError(t, err)
							assert.Equal(t, 2*i+1, next[id])
							next[id]++
						}
					}
					s.Go(func(m *tasks.Task) error {
						assert.Equal(t, 2*i, next[id])
						tasks.Spawn(m, func(c *tasks.Task) {
							c.Yield()
							next[id]++
							if done == nil {
								next[id]++
							}
						}, deps.InOut(&next[id]))
						return nil
					}, done)
				}
				assert.NoError(t, s.Synchronize(nil))
				assert.Equal(t, 2*each, next[id])
			})
		}
		within(t, rt, wg.Wait)
		within(t, rt, func() { require.NoError(t, rt.SynchronizeStreams(nil)) })
	})
}

// TestStreamsRunTogether: two functions of different streams meet, one that blocks holds only its own stream up.
func TestStreamsRunTogether(t *testing.T) {
	rt := newRuntime(t, 2)
	m := newMeeting(2)
	for id := range 2 {
		rt.Stream(id).Go(func(*tasks.Task) error { m.join(); return nil }, nil)
	}
	within(t, rt, func() { require.NoError(t, rt.SynchronizeStreams(nil)) })

	rt = newRuntime(t, 1)
	resumes := make(chan func(), 1)
	var after atomic.Bool
	rt.Stream(1).Go(func(m *tasks.Task) error { return m.Suspend(func(r func()) { resumes <- r }) }, nil)
	rt.Stream(1).Go(func(m *tasks.Task) error { after.Store(true); return nil }, nil)
	resume := <-resumes
	rt.Stream(2).Go(func(m *tasks.Task) error { return nil }, nil)
	within(t, rt, func() { require.NoError(t, rt.Stream(2).Synchronize(nil)) })
	require.False(t, after.Load())
	resume()
	within(t, rt, func() { require.NoError(t, rt.Stream(1).Synchronize(nil)) })
	require.True(t, after.Load())
}

// TestStreamSynchronizeInATask: the slot is free meanwhile, on this runtime or another.
func TestStreamSynchronizeInATask(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		other := newRuntime(t, 1)
		for _, rs := range []*tasks.Runtime{rt, other} {
			require.NoError(t, run(t, rt, func(m *tasks.Task) error {
				x := 0
				resumes := make(chan func(), 1)
				rs.Stream(1).Go(func(c *tasks.Task) error { return c.Suspend(func(r func()) { resumes <- r }) }, nil)
				rs.Stream(1).Go(func(c *tasks.Task) error { x = 1; return nil }, nil)
				tasks.Spawn(m, func(c *tasks.Task) {
					yieldUntil(c, func() bool { return len(resumes) == 1 })
					(<-resumes)()
				})
				assert.NoError(t, rs.Stream(1).Synchronize(m))
				assert.Equal(t, 1, x)
				return rs.SynchronizeStreams(m)
			}))
		}
	})
}

// TestStreamErrors: a failure goes to its callback, or else to one Synchronize, or else to Close; the next function runs.
func TestStreamErrors(t *testing.T) {
	for _, workers := range []int{1, 2} {
		rt, err := tasks.New(tasks.Config{Workers: workers})
		require.NoError(t, err)
		boom := errors.New("boom")
		fails := func(*tasks.Task) error { return boom }
		s := rt.Stream(3)
		s.Go(fails, nil, tasks.Label("first"))
		s.Go(func(*tasks.Task) error { panic("oops") }, nil)
		told := make(chan error, 1)
		s.Go(fails, func(err error) { told <- err })
		ran := false
		s.Go(func(*tasks.Task) error { ran = true; return nil }, nil)
		within(t, rt, func() { err = s.Synchronize(nil) })
		require.ErrorContains(t, err, "first: boom")
		require.ErrorContains(t, err, "oops")
		require.True(t, ran)
		require.ErrorIs(t, <-told, boom)
		require.NoError(t, s.Synchronize(nil))
		require.NoError(t, rt.SynchronizeStreams(nil))
		s.Go(fails, nil)
		rt.Stream(4).Go(fails, nil)
		within(t, rt, func() { require.ErrorIs(t, rt.SynchronizeStreams(nil), boom) })
		s.Go(fails, nil)
		require.ErrorIs(t, rt.Close(), boom)
		require.NoError(t, rt.Close())
	}
}

func TestStreamCancel(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		s := rt.Stream(1)
		s.Cancel(errWhy) // nothing is in it
		suspended := make(chan bool)
		s.Go(func(m *tasks.Task) error {
			return m.Suspend(func(func()) { close(suspended) })
		}, nil)
		var ran atomic.Int32
		for range 10 {
			s.Go(func(*tasks.Task) error { ran.Add(1); return nil }, nil)
		}
		resumes := make(chan func(), 1)
		rt.Stream(2).Go(func(m *tasks.Task) error { return m.Suspend(func(r func()) { resumes <- r }) }, nil)
		<-suspended
		s.Cancel(errWhy)
		s.Go(func(*tasks.Task) error { ran.Add(100); return nil }, nil)
		within(t, rt, func() { require.ErrorIs(t, s.Synchronize(nil), errWhy) })
		require.EqualValues(t, 100, ran.Load())
		(<-resumes)()
		within(t, rt, func() { require.NoError(t, rt.SynchronizeStreams(nil)) })
	})
}

func TestStreamSynchronizeIsCancelled(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		resumes := make(chan func(), 1)
		rt.Stream(1).Go(func(m *tasks.Task) error { return m.Suspend(func(r func()) { resumes <- r }) }, nil)
		require.ErrorIs(t, runCancelled(t, rt, func(m *tasks.Task, cancel func()) error {
			tasks.Spawn(m, cancel)
			assert.ErrorIs(t, rt.Stream(1).Synchronize(m), errWhy)
			return nil
		}), errWhy)
		(<-resumes)()
	})
}

// TestStreamClose: Close waits for what is queued; later functions are refused.
func TestStreamClose(t *testing.T) {
	rt, err := tasks.New(tasks.Config{Workers: 1})
	require.NoError(t, err)
	var ran atomic.Int32
	for range 100 {
		rt.Stream(7).Go(func(*tasks.Task) error { ran.Add(1); return nil }, nil)
	}
	within(t, rt, func() { require.NoError(t, rt.Close()) })
	require.EqualValues(t, 100, ran.Load())
	var got error
	rt.Stream(7).Go(func(*tasks.Task) error { return nil }, func(err error) { got = err })
	require.ErrorIs(t, got, tasks.ErrClosed)
	require.NoError(t, rt.Stream(7).Synchronize(nil))
}

func TestStreamDeadlock(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		rt.Stream(1).Go(func(m *tasks.Task) error { return rt.Stream(2).Synchronize(m) }, nil)
		for range 2 {
			rt.Stream(2).Go(func(m *tasks.Task) error { return rt.Stream(1).Synchronize(m) }, nil)
		}
		within(t, rt, func() {
			_ = rt.SynchronizeStreams(nil)
		})
	})
}

func TestStreamMisuse(t *testing.T) {
	rt := newRuntime(t, 1)
	s := rt.Stream(1)
	for want, body := range map[string]func(m *tasks.Task){
		"tasks: Synchronize of a stream by one of its own functions, \"f\"": func(m *tasks.Task) { _ = s.Synchronize(m) },
		"by one of its own functions":                                       func(m *tasks.Task) { _ = rt.SynchronizeStreams(m) },
		"its own functions, \"f\"": func(m *tasks.Task) {
			tasks.Spawn(m, func(c *tasks.Task) { _ = s.Synchronize(c) }, tasks.InGroup(m.Group(nil)))
		},
	} {
		s.Go(func(m *tasks.Task) error { body(m); return m.Wait() }, nil, tasks.Label("f"))
		within(t, rt, func() { require.ErrorContains(t, s.Synchronize(nil), want) })
	}
	require.PanicsWithValue(t, "tasks: Go of a nil body", func() { s.Go(nil, nil) })
	x := 0
	require.Panics(t, func() { s.Go(func(*tasks.Task) error { return nil }, nil, deps.In(&x)) })
}

// TestStreamsComeAndGo: a hundred thousand ids leave nothing behind, and no idle stream has a goroutine.
func TestStreamsComeAndGo(t *testing.T) {
	rt := newRuntime(t, 2)
	ids := 100_000
	if raceEnabled {
		ids = 2_000
	}
	before := runtime.NumGoroutine()
	var ran atomic.Int64
	body := func(*tasks.Task) error { ran.Add(1); return nil }
	round := func() {
		for id := range ids {
			rt.Stream(id).Go(body, nil)
			if id%1000 == 999 {
				require.NoError(t, rt.SynchronizeStreams(nil))
			}
		}
	}
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	round()
	first := heap()
	round()
	require.EqualValues(t, 2*ids, ran.Load())
	if !raceEnabled {
		require.Less(t, heap()-first, int64(1<<20))
		require.Less(t, runtime.NumGoroutine(), before+100)
	}
}

// TestStreamLong: a hundred thousand functions need a constant stack.
func TestStreamLong(t *testing.T) {
	rt := newRuntime(t, 1)
	n := 100_000
	if raceEnabled {
		n = 2_000
	}
	c, cancel := context.WithCancel(ctx)
	defer cancel()
	ran := 0
	for range n {
		rt.Stream(1).Go(func(*tasks.Task) error { ran++; return c.Err() }, nil)
	}
	within(t, rt, func() { require.NoError(t, rt.Stream(1).Synchronize(nil)) })
	require.Equal(t, n, ran)
}

func BenchmarkStream(b *testing.B) {
	for name, id := range map[string]func(i int) int{"one": func(int) int { return 0 }, "many": func(i int) int { return i & 255 }} {
		b.Run(name, func(b *testing.B) {
			rt := newRuntime(b, 2)
			b.ReportAllocs()
			body := func(*tasks.Task) error { return nil }
			i := 0
			for b.Loop() {
				rt.Stream(id(i)).Go(body, nil)
				if i++; i%1024 == 0 {
					_ = rt.SynchronizeStreams(nil)
				}
			}
			_ = rt.SynchronizeStreams(nil)
		})
	}
}
