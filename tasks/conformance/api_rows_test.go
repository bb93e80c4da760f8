package conformance

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func TestBlockAndUnblock(t *testing.T) {
	for _, slots := range []int{1, 3} {
		var order journal
		must(t, slots, func(m *tasks.Task) {
			v := 0
			tasks.Spawn(m, func(c *tasks.Task) {
				// An unblock that comes first is remembered, for this round only.
				assert.NoError(t, c.Suspend(func(resume func()) { resume(); resume() }))
				var late func()
				assert.NoError(t, c.Suspend(func(resume func()) { late = resume; go resume() }))
				late() // of a round that is over: nothing
				resume := make(chan func(), 1)
				tasks.Spawn(c, func() { order.add("other,"); (<-resume)() })
				assert.NoError(t, c.Suspend(func(r func()) { resume <- r }))
				order.add("resumed")
			}, deps.Out(&v))
		})
		require.Equal(t, "other,resumed", order.text)
	}
}

func TestWaitFor(t *testing.T) {
	must(t, 1, func(m *tasks.Task) {
		assert.Zero(t, m.Sleep(0))
		var ran atomic.Bool
		tasks.Spawn(m, func() { ran.Store(true) })
		assert.GreaterOrEqual(t, m.Sleep(time.Millisecond), time.Millisecond)
		assert.True(t, ran.Load(), "the slot was free meanwhile")
	})
}

func TestEvents(t *testing.T) {
	v, w, seen := 0, 0, 0
	must(t, 1, func(m *tasks.Task) {
		ends := make(chan func(error), 2)
		tasks.Spawn(m, func(c *tasks.Task) {
			ends <- c.Hold()
			ends <- c.Hold()
			c.Hold()(nil) // over while the body runs
			tasks.Spawn(c, func() {})
		}, deps.Out(&v), deps.Out(&w))
		tasks.Spawn(m, func() { seen = v }, deps.In(&v)) // events hold back all releases
		tasks.Spawn(m, func() {
			go func() { // by anybody
				(<-ends)(nil)
				v = 8
				(<-ends)(nil)
			}()
		}, tasks.Priority(-1))
	})
	require.Equal(t, 8, seen)
	// One too many is a panic; an event may fail the task.
	err := on(t, 1, func(m *tasks.Task) error {
		tasks.Spawn(m, func(c *tasks.Task) { done := c.Hold(); done(nil); done(nil) })
		tasks.Spawn(m, func(c *tasks.Task) { done := c.Hold(); go done(errors.New("lost")) })
		return nil
	})
	require.ErrorContains(t, err, "twice")
	require.ErrorContains(t, err, "lost")
}

// TestPollingService: a service is a task of its own that sleeps between its rounds.
func TestPollingService(t *testing.T) {
	rt, err := tasks.New(tasks.Config{Workers: 1})
	require.NoError(t, err)
	var rounds atomic.Int32
	enough := make(chan bool)
	rt.Go(func(s *tasks.Task) error {
		for rounds.Add(1) < 5 {
			s.Sleep(50 * time.Microsecond)
		}
		close(enough)
		return nil
	}, nil)
	require.NoError(t, rt.Run(context.Background(), func(m *tasks.Task) error {
		return m.Suspend(func(resume func()) { go func() { <-enough; resume() }() })
	}))
	require.NoError(t, rt.Close())
	require.EqualValues(t, 5, rounds.Load())
}

func TestSpawnFunction(t *testing.T) {
	rt, err := tasks.New(tasks.Config{Workers: 2})
	require.NoError(t, err)
	defer rt.Close()
	gate, done := make(chan bool), make(chan error)
	grandchild := false
	rt.Go(func(c *tasks.Task) error {
		tasks.Spawn(c, func(d *tasks.Task) { tasks.Spawn(d, func() { <-gate; grandchild = true }) })
		return nil
	}, func(err error) { done <- err }, tasks.Label("independent"))
	require.NoError(t, rt.Run(context.Background(), func(m *tasks.Task) error {
		defer func() { gate <- true }()
		return m.Wait() // does not see it
	}))
	require.NoError(t, <-done)
	require.True(t, grandchild, "done comes after all descendants")
	var v int
	require.Panics(t, func() { rt.Go(func(*tasks.Task) error { return nil }, nil, deps.In(&v)) })
}

func TestLibraryMode(t *testing.T) {
	// Several runtimes, each started when its program wants, and closed; Run may be called by any goroutine.
	for range 2 {
		rt, err := tasks.New(tasks.Config{Workers: 2})
		require.NoError(t, err)
		results := make(chan int)
		for i := range 3 {
			go func() {
				v := 0
				err := rt.Run(context.Background(), func(m *tasks.Task) error {
					tasks.Spawn(m, func() { v = i }, deps.Out(&v))
					return nil
				})
				if err != nil {
					v = -1
				}
				results <- v
			}()
		}
		require.Equal(t, 3, <-results+<-results+<-results)
		require.NoError(t, rt.Close())
		require.NoError(t, rt.Close())
		require.ErrorIs(t, rt.Run(context.Background(), func(*tasks.Task) error { return nil }), tasks.ErrClosed)
	}
}

func TestRuntimeInfo(t *testing.T) {
	c, err := tasks.Config{}.Effective()
	require.NoError(t, err)
	require.Positive(t, c.Workers)
	require.NotZero(t, c.Throttle)
	_, err = tasks.Config{Workers: -1}.Effective()
	require.ErrorContains(t, err, "Workers")
	rt, err := tasks.New(tasks.Config{Workers: 3})
	require.NoError(t, err)
	defer rt.Close()
	require.NoError(t, rt.Run(context.Background(), func(m *tasks.Task) error { tasks.Spawn(m, func() {}); return nil }))
	require.EqualValues(t, 1, rt.Stats().Spawned)
	require.Equal(t, 3, rt.Workers())
}

// library ends its waits itself, as one of messages does, and hears when nothing but it can go on.
type library struct {
	quiet, done atomic.Bool
	ends        chan func()
}

func (l *library) Quiet()         { l.quiet.Store(true); (<-l.ends)() }
func (l *library) Busy()          {}
func (l *library) Done()          { l.done.Store(true) }
func (l *library) String() string { return "the library" }

func TestTaskAwareLibrary(t *testing.T) {
	l := &library{ends: make(chan func(), 1)}
	must(t, 1, func(m *tasks.Task) {
		v := 0
		tasks.Spawn(m, func(c *tasks.Task) {
			assert.NoError(t, c.SuspendOn(l, l, func(resume func()) { l.ends <- func() { go resume() } }))
			v = 1
		}, deps.Out(&v))
		tasks.Spawn(m, func(c *tasks.Task) {
			assert.Equal(t, 1, v)
			done := c.HoldOn(l, l)
			l.ends <- func() { go done(nil) }
		}, deps.In(&v))
	})
	require.True(t, l.quiet.Load() && l.done.Load())
}

func TestStreams(t *testing.T) {
	rt, err := tasks.New(tasks.Config{Workers: 2})
	require.NoError(t, err)
	defer rt.Close()
	both := newMeeting()
	var order [2][]int
	var callbacks atomic.Int32
	for i := range 10 {
		for id := range order { // in order within a stream; streams meet
			rt.Stream(id).Go(func(c *tasks.Task) error {
				if i == 5 {
					both.join()
				}
				tasks.Spawn(c, func() { order[id] = append(order[id], i) })
				return nil
			}, func(error) { callbacks.Add(1) })
		}
	}
	require.NoError(t, rt.Stream(0).Synchronize(nil))
	require.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, order[0])
	require.NoError(t, rt.SynchronizeStreams(nil))
	require.Equal(t, order[0], order[1])
	require.EqualValues(t, 20, callbacks.Load())
}

func TestCPUControl(t *testing.T) {
	rt, err := tasks.New(tasks.Config{Workers: 1})
	require.NoError(t, err)
	defer rt.Close()
	require.NoError(t, rt.Run(context.Background(), func(m *tasks.Task) error {
		both := newMeeting()
		tasks.Spawn(m, both.join)
		tasks.Spawn(m, func() { assert.NoError(t, rt.SetWorkers(2)); both.join() })
		return nil
	}))
	require.Equal(t, 2, rt.Workers())
	require.Len(t, rt.Slots(), 2)
	require.NoError(t, rt.SetWorkers(1)) // takes effect when the slot's task ends
	for rt.Slots()[1] != tasks.SlotDisabled {
		runtime.Gosched()
	}
	require.Error(t, rt.SetWorkers(0))
}
