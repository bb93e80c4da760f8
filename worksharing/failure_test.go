package worksharing_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

var errWhy = errors.New("why")

func TestForIsSkippedBehindAFailure(t *testing.T) {
	rt := newRuntime(t, 2)
	var x int
	err := run(t, rt, func(m *tasks.Task) {
		tasks.Spawn(m, func() error { return errWhy }, deps.Out(&x), tasks.Label("bad"))
		worksharing.For(m, 10, dynamic, func(*tasks.Task, int, int) { t.Error("ran") }, deps.InOut(&x))
	})
	require.EqualError(t, err, "bad: why")
}

// TestForPanic fails the loop's task: once, with the stack, its dependents are skipped, and no more ranges start.
func TestForPanic(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		rt := newRuntime(t, workers)
		for _, s := range schedules() {
			var x int
			var ran, after atomic.Int32
			err := run(t, rt, func(m *tasks.Task) {
				worksharing.For(m, 100_000, s, func(_ *tasks.Task, lo, hi int) {
					ran.Add(1)
					if lo == 0 {
						boom()
					}
				}, deps.Out(&x), tasks.Label("loop"))
				tasks.Spawn(m, func() { after.Add(1) }, deps.In(&x))
			})
			var te *tasks.TaskError
			require.ErrorAs(t, err, &te)
			require.Equal(t, "loop", te.Label)
			var pe *tasks.PanicError
			require.ErrorAs(t, err, &pe)
			require.Equal(t, "boom", pe.Value)
			require.Contains(t, string(pe.Stack), "worksharing_test.boom")
			require.Equal(t, 1, strings.Count(err.Error(), "panic: boom"), "%v", err)
			require.Zero(t, after.Load(), "%v: a dependent ran", s)
			if workers == 1 && !race.Enabled {
				require.EqualValues(t, 1, ran.Load(), "%v", s)
			}
		}
	}
}

func boom() { panic("boom") }

func TestForManyPanics(t *testing.T) {
	rt := newRuntime(t, 3)
	met := newMeeting(3)
	err := run(t, rt, func(m *tasks.Task) {
		worksharing.For(m, 3, dynamic, func(*tasks.Task, int, int) {
			met.join()
			boom()
		})
	})
	require.Equal(t, 3, strings.Count(err.Error(), "panic: boom"))
}

func TestForGoexit(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		rt := newRuntime(t, workers)
		var x int
		for range 20 {
			require.ErrorIs(t, run(t, rt, func(m *tasks.Task) {
				worksharing.For(m, 100, dynamic, func(_ *tasks.Task, lo, _ int) {
					if lo == 5 {
						runtime.Goexit()
					}
				}, deps.Out(&x))
				tasks.Spawn(m, func() { t.Error("a dependent ran") }, deps.In(&x))
			}), tasks.ErrGoexit)
		}
	}
}

// TestForFailsWithItsParts: the event of a range, or a task that a range spawned.
func TestForFailsWithItsParts(t *testing.T) {
	rt := newRuntime(t, 2)
	for name, body := range map[string]func(t *tasks.Task){
		"event": func(t *tasks.Task) {
			done := t.Hold()
			go done(errWhy)
		},
		"task": func(t *tasks.Task) { tasks.Spawn(t, func() error { return errWhy }) },
	} {
		var x int
		require.ErrorIs(t, run(t, rt, func(m *tasks.Task) {
			worksharing.For(m, 10, dynamic, func(c *tasks.Task, lo, _ int) {
				if lo == 5 {
					body(c)
				}
			}, deps.Out(&x))
			tasks.Spawn(m, func() { t.Error("a dependent ran behind a failed", name) }, deps.In(&x))
			var te *tasks.TaskError
			err := m.Wait()
			assert.ErrorAs(t, err, &te, name)
			tasks.Spawn(m, func() error { return err }, deps.In(&x)) // the mark is gone
		}), errWhy, name)
	}
}

// TestForCancelled: ranges that run end, others do not start, and who waits hears of it.
func TestForCancelled(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		for _, s := range schedules() {
			rt := newRuntime(t, workers)
			c, cancel := context.WithCancelCause(ctx)
			var ran atomic.Int64
			err := runContext(t, rt, c, func(m *tasks.Task) error {
				worksharing.For(m, 1_000_000_000, s, func(_ *tasks.Task, lo, hi int) {
					ran.Add(int64(hi - lo))
					cancel(errWhy)
				})
				err := m.Wait()
				assert.ErrorIs(t, err, errWhy)
				return nil
			})
			require.ErrorIs(t, err, errWhy)
			if s == dynamic {
				require.LessOrEqual(t, ran.Load(), int64(workers), "a range started after one was over")
			}
		}
	}
}
