package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

var errWhy = errors.New("why")

// runCancelled runs main, which gets the function that cancels it, and returns Run's error.
func runCancelled(t *testing.T, rt *tasks.Runtime, main func(m *tasks.Task, cancel func()) error) (err error) {
	c, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	within(t, rt, func() {
		err = rt.Run(c, func(m *tasks.Task) error { return main(m, func() { cancel(errWhy) }) })
	})
	return err
}

func TestCancelSkipsWhatHasNotStarted(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		var x int
		var started atomic.Int32
		require.ErrorIs(t, runCancelled(t, rt, func(m *tasks.Task, cancel func()) error {
			tasks.Spawn(m, func(c *tasks.Task) {
				cancel()
				<-c.Context().Done()
				assert.Equal(t, errWhy, context.Cause(c.Context()))
				assert.ErrorIs(t, c.Suspend(func(func()) {}), errWhy) // by then the runtime knows
			}, deps.Out(&x))
			for range 100 {
				tasks.Spawn(m, func() { started.Add(1) }, deps.InOut(&x))
			}
			assert.ErrorIs(t, m.Wait(), errWhy)
			tasks.Spawn(m, func() { started.Add(1) })
			return nil
		}), errWhy)
		require.Zero(t, started.Load())
	})
}

// TestCancelWakes: suspended and sleeping bodies go on with the cause, taskwaits do when the children are over.
func TestCancelWakes(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		var woken, inside atomic.Int32
		require.ErrorIs(t, runCancelled(t, rt, func(m *tasks.Task, cancel func()) error {
			for range 50 {
				tasks.Spawn(m, func(c *tasks.Task) {
					inside.Add(1)
					assert.ErrorIs(t, c.Suspend(func(func()) {}), errWhy)
					assert.ErrorIs(t, c.Suspend(func(func()) {}), errWhy, "again, at once")
					woken.Add(1)
				})
				tasks.Spawn(m, func(c *tasks.Task) {
					inside.Add(1)
					assert.Less(t, c.Sleep(time.Hour), time.Hour)
					woken.Add(1)
				})
				tasks.Spawn(m, func(p *tasks.Task) {
					tasks.Spawn(p, func(c *tasks.Task) {
						inside.Add(1)
						_ = c.Suspend(func(func()) {})
						woken.Add(1)
					})
					_ = p.Wait()
					woken.Add(1)
				})
			}
			yieldUntil(m, func() bool { return inside.Load() == 150 })
			cancel()
			return m.Wait()
		}), errWhy)
		require.EqualValues(t, 200, woken.Load())
	})
}

// TestCancelLateResume: a resume after the cancellation, and one long after the run, do nothing.
func TestCancelLateResume(t *testing.T) {
	rt := newRuntime(t, 1)
	var resume func()
	require.ErrorIs(t, runCancelled(t, rt, func(m *tasks.Task, cancel func()) error {
		assert.ErrorIs(t, m.Suspend(func(r func()) { resume = r; cancel() }), errWhy)
		resume()
		return nil
	}), errWhy)
	resume()
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func() {})
		resume()
		return m.Wait()
	}))
}

// TestCancelCauseMayBeRead: whoever gets the cause sees what the canceller wrote into it.
func TestCancelCauseMayBeRead(t *testing.T) {
	rt := newRuntime(t, 2)
	c, cancel := context.WithCancelCause(ctx)
	var err error
	within(t, rt, func() {
		err = rt.Run(c, func(m *tasks.Task) error {
			tasks.Spawn(m, func(c *tasks.Task) {
				assert.EqualError(t, c.Suspend(func(func()) { go func() { cancel(fmt.Errorf("cause %d", 7)) }() }), "cause 7")
			})
			assert.EqualError(t, m.Suspend(func(func()) {}), "cause 7")
			return nil
		})
	})
	require.EqualError(t, err, "cause 7")
}

// TestCancelSeenByABody: a run whose body saw its context cancelled does not end well.
func TestCancelSeenByABody(t *testing.T) {
	rt := newRuntime(t, 1)
	for range 100 {
		require.ErrorIs(t, runCancelled(t, rt, func(m *tasks.Task, cancel func()) error {
			cancel()
			<-m.Context().Done()
			return nil
		}), errWhy)
	}
}

func TestCancelBeforeRun(t *testing.T) {
	rt := newRuntime(t, 1)
	c, cancel := context.WithCancelCause(ctx)
	cancel(errWhy)
	require.ErrorIs(t, rt.Run(c, func(*tasks.Task) error { t.Error("ran"); return nil }), errWhy)
}

func TestContext(t *testing.T) {
	rt := newRuntime(t, 2)
	type key struct{}
	var kept context.Context
	c := context.WithValue(ctx, key{}, 7)
	require.NoError(t, rt.Run(c, func(m *tasks.Task) error {
		kept = m.Context()
		assert.NoError(t, kept.Err())
		tasks.Spawn(m, func(c *tasks.Task) {
			assert.Equal(t, 7, c.Context().Value(key{}))
			assert.Equal(t, kept, c.Context())
		})
		return nil
	}))
	require.Error(t, kept.Err(), "the context ends with the run")
}

func TestDeadlineIsACancellation(t *testing.T) {
	rt := newRuntime(t, 1)
	c, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	var err error
	within(t, rt, func() {
		err = rt.Run(c, func(m *tasks.Task) error { return m.Suspend(func(func()) {}) })
	})
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// TestCancelSparesOtherRuns on the same runtime.
func TestCancelSparesOtherRuns(t *testing.T) {
	rt := newRuntime(t, 2)
	var resume func()
	armed, end := make(chan struct{}), make(chan error, 1)
	go func() {
		end <- rt.Run(ctx, func(m *tasks.Task) error {
			return m.Suspend(func(r func()) { resume = r; close(armed) })
		})
	}()
	<-armed
	require.ErrorIs(t, runCancelled(t, rt, func(m *tasks.Task, cancel func()) error {
		return m.Suspend(func(func()) { cancel() })
	}), errWhy)
	select {
	case err := <-end:
		t.Fatal("the other run ended too:", err)
	default:
	}
	resume()
	within(t, rt, func() { assert.NoError(t, <-end) })
}

// TestCancelAtAnyTime cancels random-looking programs at a random-looking moment: they end, with the cause or without.
func TestCancelAtAnyTime(t *testing.T) {
	rt := newRuntime(t, 2)
	n := 200
	if raceEnabled {
		n = 30
	}
	for i := range n {
		err := runCancelled(t, rt, func(m *tasks.Task, cancel func()) error {
			var x, y int
			time.AfterFunc(time.Duration(i)*5*time.Microsecond, cancel)
			for k := range 50 {
				tasks.Spawn(m, func(c *tasks.Task) {
					tasks.Spawn(c, func(g *tasks.Task) { g.Critical("k", g.Yield) })
					if k%3 == 0 {
						_ = c.Suspend(func(r func()) { go r() })
					}
					if k%5 == 0 {
						_ = c.Wait()
					}
				}, deps.InOut(&x), deps.Commutative(&y))
			}
			_ = m.WaitOn(deps.In(&x))
			tasks.Spawn(m, func() {}, deps.InOut(&y), tasks.If(false))
			return nil
		})
		if err != nil {
			require.ErrorIs(t, err, errWhy)
		}
	}
}
