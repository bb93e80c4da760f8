package tasks_test

import (
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// eachWorkers runs a test with one slot and with two.
func eachWorkers(t *testing.T, test func(t *testing.T, rt *tasks.Runtime)) {
	t.Run("workers=1", func(t *testing.T) { test(t, newRuntime(t, 1)) })
	t.Run("workers=2", func(t *testing.T) { test(t, newRuntime(t, 2)) })
}

func TestIfFalseReady(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			for i := range 100 {
				x := 0
				tasks.Spawn(m, func(c *tasks.Task) { x = i + 1 }, tasks.If(false))
				assert.Equal(t, i+1, x)
			}
			return nil
		}))
	})
}

func TestIfFalseNotReady(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			x := 0
			tasks.Spawn(m, func(c *tasks.Task) { c.Yield(); x = 1 }, deps.Out(&x))
			tasks.Spawn(m, func() { x *= 10 }, deps.InOut(&x))
			tasks.Spawn(m, func() { x += 5 }, deps.InOut(&x), tasks.If(false))
			assert.Equal(t, 15, x)
			return nil
		}))
	})
}

func TestIfTrueIsDeferred(t *testing.T) {
	rt := newRuntime(t, 1)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var started atomic.Bool
		tasks.Spawn(m, func() { started.Store(true) }, tasks.If(true))
		assert.False(t, started.Load())
		return m.Wait()
	}))
}

// TestIfFalseIsForTheBodyOnly: the children of an undeferred task outlive the call.
func TestIfFalseIsForTheBodyOnly(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		var x, after int
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			open := make(chan struct{})
			tasks.Spawn(m, func(c *tasks.Task) {
				tasks.Spawn(c, func(g *tasks.Task) {
					assert.NoError(t, g.Suspend(func(r func()) {
						go func() { <-open; r() }()
					}))
					x = 1
				}, deps.Out(&x))
			}, tasks.If(false), deps.Out(&x))
			close(open)
			tasks.Spawn(m, func() { after = x }, deps.In(&x), deps.Out(&after))
			return nil
		}))
		require.Equal(t, 1, after)
	})
}

// TestIfFalseLeavesSuccessorsToOthers: what the end of an undeferred task makes ready does not wait for the creator.
func TestIfFalseLeavesSuccessorsToOthers(t *testing.T) {
	rt := newRuntime(t, 2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var x, y int
		both := newMeeting(2)
		tasks.Spawn(m, func(c *tasks.Task) {
			// With a weak access besides, the child has to wait for the token that its parent holds.
			tasks.Spawn(c, func() { both.join() }, deps.Commutative(&x))
		}, tasks.If(false), deps.Commutative(&x), deps.Weak(deps.InOut(&y)))
		both.join()
		return nil
	}))
}

func TestIfFalseFailure(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		boom := errors.New("boom")
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			tasks.Spawn(m, func() error { return boom }, tasks.If(false))
			tasks.Spawn(m, func() { panic("oops") }, tasks.If(false))
			err := m.Wait()
			assert.ErrorIs(t, err, boom)
			assert.ErrorContains(t, err, "oops")
			return nil
		}))
	})
}

func TestIfFalseInALongRow(t *testing.T) {
	rt := newRuntime(t, 2)
	n := 100_000
	if raceEnabled {
		n = 2_000
	}
	x := 0
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		for range n {
			tasks.Spawn(m, func() { x++ }, tasks.If(false), deps.InOut(&x))
		}
		return nil
	}))
	require.Equal(t, n, x)
}

// TestIfFalseWaitsForOnReady: the body of an undeferred task whose OnReady takes an event starts late; Spawn waits.
func TestIfFalseWaitsForOnReady(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			var ran atomic.Bool
			open := make(chan struct{})
			tasks.Spawn(m, func() { ran.Store(true) }, tasks.If(false), tasks.OnReady(func(c *tasks.Task) {
				done := c.Hold()
				go func() {
					<-open
					done(nil)
				}()
				close(open)
			}))
			assert.True(t, ran.Load())
			return nil
		}))
	})
}

func TestFinal(t *testing.T) {
	rt := newRuntime(t, 1)
	var x int
	var j journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		assert.False(t, m.InFinal())
		var open box[func()]
		tasks.Spawn(m, func(w *tasks.Task) error { return w.Suspend(func(r func()) { open.put(r) }) }, deps.Out(&x), tasks.Priority(1))
		tasks.Spawn(m, func(c *tasks.Task) { j.note("weak"); assert.False(t, c.InFinal()) }, deps.Weak(deps.InOut(&x)), tasks.Final(false))
		tasks.Spawn(m, func(c *tasks.Task) {
			j.note("final")
			assert.True(t, c.InFinal())
			tasks.Spawn(c, func(g *tasks.Task) {
				j.note("grandchild")
				assert.True(t, g.InFinal(), "finality is inherited")
			}, deps.Weak(deps.InOut(&x)), tasks.Final(false))
			c.Release(deps.Weak(deps.InOut(&x)))
		}, deps.Weak(deps.InOut(&x)), tasks.Final(true))
		tasks.Spawn(m, func() { j.note("last"); open.get()() }, last)
		return nil
	}))
	require.Equal(t, "weak last final grandchild", j.text())
}

// TestFinalChildrenAreStrong: in a final task the weak access of a child waits for its elder sibling.
func TestFinalChildrenAreStrong(t *testing.T) {
	rt := newRuntime(t, 1)
	var x int
	var j journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func(f *tasks.Task) {
			var open box[func()]
			tasks.Spawn(f, func(w *tasks.Task) error { return w.Suspend(func(r func()) { open.put(r) }) }, deps.Out(&x), tasks.Priority(1))
			tasks.Spawn(f, func() { j.note("weak") }, deps.Weak(deps.InOut(&x)))
			tasks.Spawn(f, func() { j.note("last"); open.get()() }, last)
		}, tasks.Final(true))
		return nil
	}))
	require.Equal(t, "last weak", j.text())
}

// TestWaitChildren: with the clause nothing is passed on before the children are complete, items that none of them
// uses included.
func TestWaitChildren(t *testing.T) {
	for _, clause := range []bool{false, true} {
		rt := newRuntime(t, 1)
		var x, y int
		var j journal
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			var open box[func()]
			clauses := []tasks.Clause{deps.InOut(&x), deps.InOut(&y), tasks.Priority(1)}
			if clause {
				clauses = append(clauses, tasks.WaitChildren)
			}
			tasks.Spawn(m, func(p *tasks.Task) {
				tasks.Spawn(p, func(c *tasks.Task) {
					assert.NoError(t, c.Suspend(func(r func()) { open.put(r) }))
					j.note("child")
				}, tasks.Priority(1))
			}, clauses...)
			tasks.Spawn(m, func() { j.note("x") }, deps.In(&x))
			tasks.Spawn(m, func() { j.note("y") }, deps.In(&y))
			tasks.Spawn(m, func() { j.note("last"); open.get()() }, last)
			return nil
		}))
		if clause {
			require.Regexp(t, "^last child (x y|y x)$", j.text())
		} else {
			require.Regexp(t, "^(x y|y x) last child$", j.text())
		}
	}
}

// TestWaitChildrenWithoutASlot: the wait clause needs neither the slot nor the body.
func TestWaitChildrenWithoutASlot(t *testing.T) {
	rt := newRuntime(t, 1)
	var n atomic.Int32
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var x int
		for range 100 {
			tasks.Spawn(m, func(p *tasks.Task) {
				for range 3 {
					tasks.Spawn(p, func(c *tasks.Task) { c.Yield(); n.Add(1) })
				}
			}, deps.InOut(&x), tasks.WaitChildren)
			tasks.Spawn(m, func() { assert.Zero(t, n.Load()%3) }, deps.InOut(&x))
		}
		return nil
	}))
	require.EqualValues(t, 300, n.Load())
}

func TestLabelAndType(t *testing.T) {
	rt := newRuntime(t, 2)
	force := tasks.NewType("force", 3)
	boom := errors.New("boom")
	labels := func(clauses ...tasks.Clause) (label, inError string) {
		err := run(t, rt, func(m *tasks.Task) error {
			tasks.Spawn(m, func(c *tasks.Task) error { label = c.Label(); return boom }, clauses...)
			return nil
		})
		var te *tasks.TaskError
		if assert.ErrorAs(t, err, &te) {
			assert.ErrorIs(t, te, boom)
			inError = te.Label
			assert.Equal(t, te.Label+": boom", te.Error())
		}
		return label, inError
	}
	for _, c := range []struct {
		want    string
		clauses []tasks.Clause
	}{
		{"task", nil},
		{"one", []tasks.Clause{tasks.Label("one")}},
		{"force", []tasks.Clause{force}},
		{"this one", []tasks.Clause{force, tasks.Label("this one")}},
		{"task", []tasks.Clause{tasks.Label("")}},
		{"force", []tasks.Clause{tasks.Cost(100), force}},
	} {
		label, inError := labels(c.clauses...)
		assert.Equal(t, c.want, label)
		assert.Equal(t, c.want, inError)
	}
	err := run(t, rt, func(m *tasks.Task) error { assert.Equal(t, "main", m.Label()); return boom })
	require.EqualError(t, err, "main: boom")
}

func TestOnReady(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		var x int
		var j journal
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			tasks.Spawn(m, func(c *tasks.Task) { c.Yield(); x = 1; j.note("writer") }, deps.Out(&x))
			tasks.Spawn(m, func(c *tasks.Task) {
				j.note("body")
				c.Yield()
				c.Sleep(1)
			}, deps.InOut(&x), tasks.OnReady(func(*tasks.Task) { assert.Equal(t, 1, x); j.note("onready") }))
			return nil
		}))
		require.Equal(t, "writer onready body", j.text())
	})
}

// TestOnReadyHold: the body waits for the events that OnReady took, without a slot, and so do its successors.
func TestOnReadyHold(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		var x int
		var j journal
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			var one, two func(error)
			var taken atomic.Bool
			tasks.Spawn(m, func(c *tasks.Task) {
				j.note("body")
				done := c.Hold() // counts again, now for the release
				go func() {
					j.note("end")
					done(nil)
				}()
			}, deps.InOut(&x), tasks.OnReady(func(c *tasks.Task) {
				one, two = c.Hold(), c.Hold()
				taken.Store(true)
			}))
			tasks.Spawn(m, func() { j.note("successor") }, deps.In(&x))
			yieldUntil(m, taken.Load)
			j.note("one")
			one(nil)
			m.Yield()
			j.note("two")
			two(nil)
			return m.Wait()
		}))
		require.Equal(t, "one two body end successor", j.text())
	})
}

// yieldUntil lets other tasks run until cond holds.
func yieldUntil(m *tasks.Task, cond func() bool) {
	for !cond() {
		m.Yield()
		runtime.Gosched()
	}
}

// TestOnReadyHoldEndedAtOnce: events that are over before OnReady returns delay nothing.
func TestOnReadyHoldEndedAtOnce(t *testing.T) {
	rt := newRuntime(t, 1)
	var j journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func() { j.note("body") }, tasks.OnReady(func(c *tasks.Task) { c.Hold()(nil); j.note("onready") }))
		return nil
	}))
	require.Equal(t, "onready body", j.text())
}

// TestOnReadyFailures: whatever goes wrong before the body is the task's failure, and the body does not run.
func TestOnReadyFailures(t *testing.T) {
	boom := errors.New("boom")
	for name, c := range map[string]struct {
		onReady func(*tasks.Task)
		want    error
	}{
		"panics":                  {func(*tasks.Task) { panic(boom) }, boom},
		"ends its goroutine":      {func(*tasks.Task) { runtime.Goexit() }, tasks.ErrGoexit},
		"event fails at once":     {func(c *tasks.Task) { c.Hold()(boom) }, boom},
		"event fails later":       {func(c *tasks.Task) { done := c.Hold(); go done(boom) }, boom},
		"panics, event pending":   {func(c *tasks.Task) { done := c.Hold(); go done(nil); panic(boom) }, boom},
		"one of two events fails": {func(c *tasks.Task) { a, b := c.Hold(), c.Hold(); a(boom); go b(nil) }, boom},
	} {
		t.Run(name, func(t *testing.T) {
			eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
				var x int
				var j journal
				err := run(t, rt, func(m *tasks.Task) error {
					tasks.Spawn(m, func() { j.note("body") }, deps.Out(&x), tasks.Label("late"), tasks.OnReady(c.onReady))
					tasks.Spawn(m, func() { j.note("dependent") }, deps.In(&x))
					return nil
				})
				require.ErrorIs(t, err, c.want)
				var te *tasks.TaskError
				require.ErrorAs(t, err, &te)
				require.Equal(t, "late", te.Label)
				require.Empty(t, j.text())
				require.NoError(t, run(t, rt, func(m *tasks.Task) error { return nil }), "the slots are all there")
			})
		})
	}
}

func TestOnReadyOfSkippedTask(t *testing.T) {
	rt := newRuntime(t, 1)
	boom := errors.New("boom")
	var x int
	require.ErrorIs(t, run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func() error { return boom }, deps.Out(&x))
		tasks.Spawn(m, func() {}, deps.In(&x), tasks.OnReady(func(*tasks.Task) { t.Error("OnReady of a task that is skipped") }))
		return nil
	}), boom)
}
