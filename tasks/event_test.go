package tasks_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// TestHold: the release waits for the event, the slot does not; all accesses wait, also those that children used.
func TestHold(t *testing.T) {
	rt := newRuntime(t, 1)
	var x, y int
	var j journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var done box[func(error)]
		tasks.Spawn(m, func(c *tasks.Task) {
			done.put(c.Hold())
			tasks.Spawn(c, func() { j.note("child") }, deps.InOut(&y))
			j.note("body")
		}, deps.Out(&x), deps.InOut(&y), tasks.Priority(1))
		tasks.Spawn(m, func() { j.note("x") }, deps.In(&x))
		tasks.Spawn(m, func() { j.note("y") }, deps.In(&y))
		tasks.Spawn(m, func() { j.note("last"); done.get()(nil) }, last)
		return nil
	}))
	require.Regexp(t, "^body child last (x y|y x)$", j.text())
}

func TestHoldCountsAllEvents(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		var x int
		var j journal
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			var dones []func(error)
			tasks.Spawn(m, func(c *tasks.Task) {
				c.Hold()(nil) // ends while the body runs
				for range 10 {
					dones = append(dones, c.Hold())
				}
			}, deps.Out(&x), tasks.If(false))
			tasks.Spawn(m, func() { j.note("successor") }, deps.In(&x))
			for _, done := range dones {
				m.Yield()
				assert.Empty(t, j.text())
				done(nil)
			}
			return nil
		}))
		require.Equal(t, "successor", j.text())
	})
}

func TestHoldFailure(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		boom, other := errors.New("boom"), errors.New("other")
		var x int
		err := run(t, rt, func(m *tasks.Task) error {
			tasks.Spawn(m, func(c *tasks.Task) {
				a, b := c.Hold(), c.Hold()
				go func() { a(boom); b(other) }()
			}, deps.Out(&x), tasks.Label("io"))
			tasks.Spawn(m, func() { t.Error("reads what was not received") }, deps.In(&x))
			return nil
		})
		var te *tasks.TaskError
		require.ErrorAs(t, err, &te)
		require.Equal(t, "io", te.Label)
		require.Equal(t, boom, te.Err, "the first error counts")
	})
}

// TestHoldBodyAndEventFail: the body's own error is not lost.
func TestHoldBodyAndEventFail(t *testing.T) {
	rt := newRuntime(t, 2)
	boom := errors.New("boom")
	err := run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func(c *tasks.Task) error {
			done := c.Hold()
			go done(errors.New("event"))
			return boom
		})
		return nil
	})
	require.ErrorIs(t, err, boom)
}

func TestHoldOfRoot(t *testing.T) {
	rt := newRuntime(t, 2)
	boom := errors.New("boom")
	require.ErrorIs(t, run(t, rt, func(m *tasks.Task) error {
		done := m.Hold()
		go done(boom)
		return nil
	}), boom)
}

func TestHoldDoneTwice(t *testing.T) {
	rt := newRuntime(t, 1)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		done := m.Hold()
		done(nil)
		assert.PanicsWithValue(t, "tasks: the event of a Hold ended twice", func() { done(nil) })
		return nil
	}))
	var done func(error)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		done = m.Hold()
		go done(nil)
		return nil
	}))
	require.Panics(t, func() { done(nil) }, "long after the task")
}

// TestHoldOfPanickingBody: the task fails at once but completes with its events.
func TestHoldOfPanickingBody(t *testing.T) {
	rt := newRuntime(t, 1)
	var j journal
	var x int
	boom := errors.New("boom")
	err := run(t, rt, func(m *tasks.Task) error {
		var done box[func(error)]
		tasks.Spawn(m, func(c *tasks.Task) {
			done.put(c.Hold())
			panic(boom)
		}, deps.Out(&x), tasks.Priority(1))
		tasks.Spawn(m, func() { j.note("overwrites") }, deps.Out(&x))
		tasks.Spawn(m, func() { j.note("last"); done.get()(nil) }, last)
		return nil
	})
	require.ErrorIs(t, err, boom)
	require.Equal(t, "last overwrites", j.text())
}

func TestHoldFromManyGoroutines(t *testing.T) {
	rt := newRuntime(t, 2)
	n := 2000
	if raceEnabled {
		n = 200
	}
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		x := 0
		for i := range n {
			tasks.Spawn(m, func(c *tasks.Task) {
				assert.Equal(t, i, x)
				var wg sync.WaitGroup
				for range 3 {
					done := c.Hold()
					wg.Go(func() { done(nil) })
				}
				x++
			}, deps.InOut(&x))
		}
		return nil
	}))
}

// request is what a library awaits; it gives up when the run is cancelled.
type request struct{ done func(error) }

func (r *request) String() string { return "a request" }

func (r *request) Cancelled(cause error) { r.done(cause) }

func TestHoldHearsOfCancellation(t *testing.T) {
	rt := newRuntime(t, 1)
	require.ErrorIs(t, runCancelled(t, rt, func(m *tasks.Task, cancel func()) error {
		var x int
		tasks.Spawn(m, func(c *tasks.Task) {
			r := &request{}
			r.done = c.HoldOn(nil, r)
		}, deps.Out(&x), tasks.If(false))
		cancel()
		return nil
	}), errWhy)
}
