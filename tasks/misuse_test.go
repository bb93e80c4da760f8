package tasks_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// TestOuterTaskIsRefused: a child's body that uses its parent's task, the likeliest slip, is told so.
func TestOuterTaskIsRefused(t *testing.T) {
	for name, use := range map[string]func(*tasks.Task){
		"Spawn": func(m *tasks.Task) { tasks.Spawn(m, func() {}) },
		"Wait":  func(m *tasks.Task) { tasks.Spawn(m, func() {}); _ = m.Wait() },
		"Hold":  func(m *tasks.Task) { m.Hold()(nil) },
		"Sleep": func(m *tasks.Task) { m.Sleep(1) },
	} {
		eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
			err := run(t, rt, func(m *tasks.Task) error {
				tasks.Spawn(m, func() { use(m) })
				return m.Wait()
			})
			require.ErrorContains(t, err, "a task of its own", name)
		})
	}
}

func TestRunInsideABodyIsRefused(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		other := newRuntime(t, 1)
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			assert.ErrorIs(t, rt.Run(m.Context(), func(*tasks.Task) error { return nil }), tasks.ErrInside)
			return other.Run(m.Context(), func(*tasks.Task) error { return nil })
		}))
	})
}

func TestErrorOfGoWithoutCallbackComesOutOfClose(t *testing.T) {
	rt, err := tasks.New(tasks.Config{Workers: 1})
	require.NoError(t, err)
	boom := errors.New("boom")
	rt.Go(func(*tasks.Task) error { return boom }, nil)
	rt.Go(func(*tasks.Task) error { panic("oops") }, nil)
	err = rt.Close()
	require.ErrorIs(t, err, boom)
	require.ErrorContains(t, err, "oops")
	require.NoError(t, rt.Close())
}

// TestCancelIsSeenByTheNextTask: a task that starts after cancel returned is skipped, however soon.
func TestCancelIsSeenByTheNextTask(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		why := errors.New("why")
		for range 200 {
			c, cancel := context.WithCancelCause(ctx)
			x, ran := 0, false
			err := rt.Run(c, func(m *tasks.Task) error {
				tasks.Spawn(m, func() { cancel(why) }, deps.InOut(&x))
				tasks.Spawn(m, func() { ran = true }, deps.InOut(&x))
				return nil
			})
			require.ErrorIs(t, err, why)
			require.False(t, ran)
		}
	})
}

func TestNilFunctionsPanic(t *testing.T) {
	rt := newRuntime(t, 1)
	require.PanicsWithValue(t, "tasks: Run of a nil main", func() { _ = rt.Run(ctx, nil) })
	require.ErrorContains(t, run(t, rt, func(m *tasks.Task) error { return m.Suspend(nil) }), "nil arm")
}
