package tasks_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func TestConfigErrorsNameTheField(t *testing.T) {
	pick := func(int) int { return 0 }
	for field, cfg := range map[string]tasks.Config{
		"Workers":  {Workers: -1},
		"Workers ": {Workers: 1 << 20},
		"Throttle": {Throttle: 1<<31 - 1},
		"Pick":     {Workers: 2, Pick: pick},
		"Serial":   {Workers: 2, Serial: true},
	} {
		rt, err := tasks.New(cfg)
		require.ErrorContains(t, err, "tasks: Config."+field[:len("Pick")])
		require.Nil(t, rt)
	}
	rt := newRuntimeWith(t, tasks.Config{})
	require.Positive(t, rt.Workers())
	require.Equal(t, rt.Workers(), rt.Stats().Workers)
	require.Equal(t, 1, newRuntimeWith(t, tasks.Config{Pick: pick}).Workers())
}

func TestClose(t *testing.T) {
	rt := newRuntime(t, 2)
	require.NoError(t, rt.Run(ctx, func(m *tasks.Task) error { return nil }))
	require.NoError(t, rt.Close())
	require.NoError(t, rt.Close())
	require.ErrorIs(t, rt.Run(ctx, func(*tasks.Task) error { t.Error("ran"); return nil }), tasks.ErrClosed)
	var got error
	rt.Go(func(*tasks.Task) error { t.Error("ran"); return nil }, func(err error) { got = err })
	require.ErrorIs(t, got, tasks.ErrClosed, "at once")
	rt.Go(func(*tasks.Task) error { t.Error("ran"); return nil }, nil)
}

func TestCloseUnused(t *testing.T) {
	rt := newRuntime(t, 2)
	require.NoError(t, rt.Close())
}

// TestCloseWaitsForRuns, also when several call it.
func TestCloseWaitsForRuns(t *testing.T) {
	rt := newRuntime(t, 2)
	var resume func()
	var over atomic.Bool
	armed := make(chan struct{})
	rt.Go(func(m *tasks.Task) error {
		err := m.Suspend(func(r func()) { resume = r; close(armed) })
		over.Store(true)
		return err
	}, nil)
	<-armed
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			assert.NoError(t, rt.Close())
			assert.True(t, over.Load())
		})
	}
	resume()
	within(t, rt, wg.Wait)
}

func TestTwoRunsAtOnce(t *testing.T) {
	rt := newRuntime(t, 2)
	both := newMeeting(2)
	errs := make(chan error, 2)
	for i := range 2 {
		go func() {
			errs <- rt.Run(ctx, func(m *tasks.Task) error {
				both.join()
				return fmt.Errorf("run %d", i)
			})
		}()
	}
	within(t, rt, func() {
		got := []string{(<-errs).Error(), (<-errs).Error()}
		assert.ElementsMatch(t, []string{"main: run 0", "main: run 1"}, got)
	})
}

// TestRunsShareOneSlot: a run whose main waits does not keep others from the only slot.
func TestRunsShareOneSlot(t *testing.T) {
	rt := newRuntime(t, 1)
	var resume func()
	armed, end := make(chan struct{}), make(chan error, 1)
	go func() {
		end <- rt.Run(ctx, func(m *tasks.Task) error {
			return m.Suspend(func(r func()) { resume = r; close(armed) })
		})
	}()
	<-armed
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func() {})
		return m.Wait()
	}))
	resume()
	within(t, rt, func() { assert.NoError(t, <-end) })
}

func TestManyRunsFromManyGoroutines(t *testing.T) {
	rt := newRuntime(t, 3)
	each := 500
	if raceEnabled {
		each = 50
	}
	var n atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range each {
				assert.NoError(t, rt.Run(ctx, func(m *tasks.Task) error {
					x := 0
					for range 5 {
						tasks.Spawn(m, func() { x++ }, deps.InOut(&x))
					}
					tasks.Spawn(m, func() { n.Add(int32(x)) }, deps.In(&x))
					return nil
				}))
			}
		})
	}
	within(t, rt, wg.Wait)
	require.EqualValues(t, 8*each*5, n.Load())
}

// TestGo: done comes after all descendants, with their errors.
func TestGo(t *testing.T) {
	rt := newRuntime(t, 2)
	boom := errors.New("boom")
	var deep atomic.Bool
	end := make(chan error, 1)
	rt.Go(func(m *tasks.Task) error {
		assert.Equal(t, "service", m.Label())
		assert.True(t, m.InFinal())
		tasks.Spawn(m, func(c *tasks.Task) {
			tasks.Spawn(c, func(g *tasks.Task) error { g.Yield(); deep.Store(true); return boom })
		})
		return nil
	}, func(err error) {
		assert.True(t, deep.Load())
		end <- err
	}, tasks.Label("service"), tasks.Final(true), tasks.Priority(1))
	within(t, rt, func() { assert.ErrorIs(t, <-end, boom) })
}

func TestGoFromEightGoroutines(t *testing.T) {
	rt := newRuntime(t, 2)
	each := 500
	if raceEnabled {
		each = 50
	}
	var ran, done atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range each {
				rt.Go(func(m *tasks.Task) error {
					tasks.Spawn(m, func() { ran.Add(1) })
					return nil
				}, func(err error) { assert.NoError(t, err); done.Add(1) })
			}
		})
	}
	wg.Wait()
	within(t, rt, func() { assert.NoError(t, rt.Close()) })
	require.EqualValues(t, 8*each, ran.Load())
	require.EqualValues(t, 8*each, done.Load())
}

// TestGoInABody: the new task is nobody's child.
func TestGoInABody(t *testing.T) {
	rt := newRuntime(t, 1)
	var resume func()
	var resumed atomic.Bool
	end := make(chan error, 1)
	armed := make(chan struct{})
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		m.Runtime().Go(func(g *tasks.Task) error {
			defer resumed.Store(true)
			return g.Suspend(func(r func()) { resume = r; close(armed) })
		}, func(err error) { end <- err })
		tasks.Spawn(m, func() {})
		assert.NoError(t, m.Wait())
		assert.False(t, resumed.Load(), "taskwait does not see it")
		return nil
	}))
	<-armed
	resume()
	within(t, rt, func() { assert.NoError(t, <-end) })
}

// TestGoFromDone: the end of one independent task starts the next, whoever completed it.
func TestGoFromDone(t *testing.T) {
	for _, held := range []bool{false, true} {
		t.Run(fmt.Sprintf("held=%v", held), func(t *testing.T) {
			rt := newRuntime(t, 1)
			end := make(chan struct{})
			var chain func(left int)
			chain = func(left int) {
				if left == 0 {
					close(end)
					return
				}
				rt.Go(func(m *tasks.Task) error {
					if held {
						done := m.Hold()
						go done(nil)
					}
					return nil
				}, func(error) { chain(left - 1) })
			}
			chain(100)
			within(t, rt, func() { <-end })
		})
	}
}

func TestGoMisuse(t *testing.T) {
	rt := newRuntime(t, 1)
	var x int
	body := func(*tasks.Task) error { t.Error("ran"); return nil }
	require.PanicsWithValue(t, "tasks: a task without a parent takes no accesses", func() { rt.Go(body, nil, deps.In(&x)) })
	require.Panics(t, func() { rt.Go(body, nil, deps.List{deps.In(&x)}) })
	require.Panics(t, func() { rt.Go(body, nil, nil) })
	require.Panics(t, func() { rt.Go(body, nil, strangeClause{}) })
	within(t, rt, func() { assert.NoError(t, rt.Close()) }) // a refused task is not under way
}

func TestStats(t *testing.T) {
	rt := newRuntime(t, 1)
	require.Equal(t, tasks.Stats{Workers: 1, Idle: 1}, rt.Stats())
	err := run(t, rt, func(m *tasks.Task) error {
		var x int
		tasks.Spawn(m, func() error { return errors.New("boom") }, deps.Out(&x))
		for range 9 {
			tasks.Spawn(m, func() {}, deps.InOut(&x))
		}
		return nil
	})
	require.Error(t, err)
	s := rt.Stats()
	require.EqualValues(t, 10, s.Spawned)
	require.EqualValues(t, 2, s.Executed, "main and the first")
	require.EqualValues(t, 9, s.Skipped)
}
