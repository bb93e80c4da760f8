package tasks_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func TestTaskError(t *testing.T) {
	rt := newRuntime(t, 2)
	boom := errors.New("boom")
	err := run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func(c *tasks.Task) {
			tasks.Spawn(c, func() error { return fmt.Errorf("deep: %w", boom) }, tasks.Label("grandchild"))
		}, tasks.Label("child"))
		return nil
	})
	var te *tasks.TaskError
	require.True(t, errors.As(err, &te))
	require.Equal(t, "grandchild", te.Label)
	require.EqualError(t, te, "grandchild: deep: boom")
	require.ErrorIs(t, te.Err, boom)
}

// TestErrorsBubbleUpToTheNextWait: an ancestor's Wait takes what nobody below waited for.
func TestErrorsBubbleUpToTheNextWait(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		a, b, c := errors.New("a"), errors.New("b"), errors.New("c")
		err := run(t, rt, func(m *tasks.Task) error {
			tasks.Spawn(m, func(p *tasks.Task) error {
				tasks.Spawn(p, func() error { return a })
				assert.ErrorIs(t, p.Wait(), a)
				tasks.Spawn(p, func() error { return b })
				return nil
			})
			err := m.Wait()
			assert.ErrorIs(t, err, b)
			assert.NotErrorIs(t, err, a)
			tasks.Spawn(m, func() error { return c })
			return nil
		})
		require.ErrorIs(t, err, c)
		require.NotErrorIs(t, err, b)
	})
}

func TestErrorsAreJoined(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		all := make([]error, 100)
		err := run(t, rt, func(m *tasks.Task) error {
			for i := range all {
				all[i] = fmt.Errorf("error %d", i)
				tasks.Spawn(m, func() error { return all[i] })
			}
			return errors.New("its own")
		})
		for i := range all {
			require.ErrorIs(t, err, all[i])
		}
		require.ErrorContains(t, err, "main: its own")
		require.Len(t, strings.Split(err.Error(), "\n"), 101)
	})
}

// TestOneFailureIsReportedOnce however many tasks are skipped because of it.
func TestOneFailureIsReportedOnce(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		x := make([]int, 3)
		err := run(t, rt, func(m *tasks.Task) error {
			for i := range x {
				tasks.Spawn(m, func() error { return fmt.Errorf("boom %d", i) }, deps.Out(&x[i]))
			}
			for i := range 300 {
				tasks.Spawn(m, func() { t.Error("ran") }, deps.InOut(&x[i%3]))
			}
			return nil
		})
		require.Len(t, strings.Split(err.Error(), "\n"), 3, "%v", err)
	})
}

// TestDependents: who is skipped, and who is not.
func TestDependents(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		boom := errors.New("boom")
		var x, y, z int
		var j journal
		note := func(s string) func() { return func() { j.note(s) } }
		require.ErrorIs(t, run(t, rt, func(m *tasks.Task) error {
			tasks.Spawn(m, func() error { return boom }, deps.InOut(&x), deps.In(&y))
			tasks.Spawn(m, note("y"), deps.InOut(&y)) // the failed task only read it
			tasks.Spawn(m, note("reads x"), deps.In(&x), deps.Out(&z))
			tasks.Spawn(m, note("reads z"), deps.In(&z))
			tasks.Spawn(m, func(c *tasks.Task) {
				j.note("weak") // runs; its child does not
				tasks.Spawn(c, note("child reads x"), deps.In(&x))
			}, deps.Weak(deps.In(&x)))
			tasks.Spawn(m, note("out"), deps.Out(&x))
			tasks.Spawn(m, note("reads good x"), deps.In(&x))
			return nil
		}), boom)
		require.ElementsMatch(t, []string{"y", "weak", "out", "reads good x"}, j.lines)
	})
}

func explode() { panic("oops") }

func explodeDeeply(depth int) {
	if depth == 0 {
		explode()
	}
	explodeDeeply(depth - 1)
}

// TestPanicKeepsItsStack: the report names the function that panicked.
func TestPanicKeepsItsStack(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		err := run(t, rt, func(m *tasks.Task) error {
			tasks.Spawn(m, func(p *tasks.Task) {
				tasks.Spawn(p, func() { explodeDeeply(3) }, tasks.Label("bomb"))
				_ = m
			})
			return m.Wait()
		})
		require.ErrorContains(t, err, "bomb: panic: oops")
		require.ErrorContains(t, err, "tasks_test.explode(")
		require.ErrorContains(t, err, "tasks_test.explodeDeeply(")
		var pe *tasks.PanicError
		require.ErrorAs(t, err, &pe)
		require.Equal(t, "oops", pe.Value)
		require.Contains(t, string(pe.Stack), "tasks_test.explode(")
	})
}

func TestPanicValues(t *testing.T) {
	rt := newRuntime(t, 2)
	boom := errors.New("boom")
	require.ErrorIs(t, run(t, rt, func(m *tasks.Task) error { panic(boom) }), boom)
	var nilPanic *runtime.PanicNilError
	require.ErrorAs(t, run(t, rt, func(m *tasks.Task) error { panic(nil) }), &nilPanic)
	var re runtime.Error
	require.ErrorAs(t, run(t, rt, func(m *tasks.Task) error {
		var p *int
		tasks.Spawn(m, func() { *p = 1 })
		return nil
	}), &re)
}

// TestPanicInAWaitedChild: children run on their waiting parent's stack; the panic is the child's alone.
func TestPanicInAWaitedChild(t *testing.T) {
	rt := newRuntime(t, 1)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func(p *tasks.Task) {
			tasks.Spawn(p, func() { panic("oops") }, tasks.Label("bomb"))
			err := p.Wait()
			assert.ErrorContains(t, err, "bomb: panic: oops")
		})
		return m.Wait()
	}))
}

// TestGoexit: the task fails, its slot lives on.
func TestGoexit(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		for range 20 {
			var x int
			deferred := 0
			err := run(t, rt, func(m *tasks.Task) error {
				tasks.Spawn(m, func() {
					defer func() { deferred++ }()
					runtime.Goexit()
				}, deps.Out(&x), tasks.Label("gone"))
				tasks.Spawn(m, func() { t.Error("ran") }, deps.In(&x))
				return nil
			})
			require.ErrorIs(t, err, tasks.ErrGoexit)
			require.ErrorContains(t, err, "gone: ")
			require.Equal(t, 1, deferred)
		}
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			all := newMeeting(rt.Workers())
			for range rt.Workers() {
				tasks.Spawn(m, func() { all.join() })
			}
			return nil
		}), "all slots are there")
	})
}

// TestGoexitOnAWaitingStack: whoever waits further down the same stack ends too, and the graph drains.
func TestGoexitOnAWaitingStack(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		for range 20 {
			var x int
			err := run(t, rt, func(m *tasks.Task) error {
				tasks.Spawn(m, func(p *tasks.Task) error {
					tasks.Spawn(p, func() { runtime.Goexit() }, tasks.Label("gone"))
					return p.Wait()
				}, deps.Out(&x))
				tasks.Spawn(m, func() {}, deps.Out(&x))
				return m.Wait()
			})
			require.ErrorIs(t, err, tasks.ErrGoexit)
		}
	})
}

func TestErrorOfUndeferredAndGo(t *testing.T) {
	rt := newRuntime(t, 2)
	boom := errors.New("boom")
	end := make(chan error, 1)
	rt.Go(func(m *tasks.Task) error {
		tasks.Spawn(m, func() error { return boom }, tasks.If(false), tasks.Label("inner"))
		return nil
	}, func(err error) { end <- err }, tasks.Label("outer"))
	err := <-end
	var te *tasks.TaskError
	require.ErrorAs(t, err, &te)
	require.Equal(t, "inner", te.Label)
}

// TestAFailureIsReportedOnce: though it reaches the root by two ways, of a child and of a grandchild that it skipped.
func TestAFailureIsReportedOnce(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		err := run(t, rt, func(m *tasks.Task) error {
			x := 0
			tasks.Spawn(m, func() error { return errors.New("boom") }, deps.Out(&x))
			for range 3 {
				tasks.Spawn(m, func(c *tasks.Task) {
					tasks.Spawn(c, func() {}, deps.In(&x))
				}, deps.Weak(deps.In(&x)))
			}
			tasks.Spawn(m, func() {}, deps.In(&x))
			return nil
		})
		require.EqualError(t, err, "task: boom")
	})
}
