package tasks_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func TestWaitWithoutChildren(t *testing.T) {
	rt := newRuntime(t, 1)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		assert.NoError(t, m.Wait())
		before := rt.Stats().Blocked
		assert.NoError(t, m.Wait())
		assert.Equal(t, before, rt.Stats().Blocked)
		return nil
	}))
}

func TestWaitReturnsErrorsOnce(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		one, two := errors.New("one"), errors.New("two")
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			tasks.Spawn(m, func() error { return one })
			tasks.Spawn(m, func(c *tasks.Task) {
				tasks.Spawn(c, func() error { return two })
			})
			err := m.Wait()
			assert.ErrorIs(t, err, one)
			assert.ErrorIs(t, err, two, "of a grandchild that nobody waited for")
			assert.NoError(t, m.Wait())
			return nil
		}))
	})
}

// TestWaitForgives: what failed tasks wrote counts as good once Wait has returned the error.
func TestWaitForgives(t *testing.T) {
	rt := newRuntime(t, 2)
	var x int
	boom := errors.New("boom")
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func() error { return boom }, deps.Out(&x))
		tasks.Spawn(m, func() { t.Error("reads what a failed task wrote") }, deps.InOut(&x))
		assert.ErrorIs(t, m.Wait(), boom)
		tasks.Spawn(m, func() { x++ }, deps.InOut(&x))
		assert.NoError(t, m.Wait())
		assert.Equal(t, 1, x)
		return nil
	}))
}

// TestWaitOnIsForAccesses: it does not wait for what else the tasks do.
func TestWaitOnIsForAccesses(t *testing.T) {
	rt := newRuntime(t, 2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var x, y int
		open := make(chan struct{})
		tasks.Spawn(m, func(c *tasks.Task) {
			x = 1
			tasks.Spawn(c, func() { <-open }, deps.InOut(&y))
		}, deps.Out(&x), deps.InOut(&y))
		assert.NoError(t, m.WaitOn(deps.In(&x)))
		assert.Equal(t, 1, x)
		close(open)
		return nil
	}))
}

func TestWaitOnOrder(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			var x, y, seen int
			for range 10 {
				tasks.Spawn(m, func(c *tasks.Task) { c.Yield(); x++ }, deps.InOut(&x))
				tasks.Spawn(m, func(c *tasks.Task) { c.Yield(); y++ }, deps.InOut(&y))
			}
			assert.NoError(t, m.WaitOn(deps.InOut(&x), deps.In(&y)))
			assert.Equal(t, 10, x)
			assert.Equal(t, 10, y)
			// With inout, readers are waited for too; with in they are not.
			open := make(chan struct{})
			tasks.Spawn(m, func(c *tasks.Task) {
				assert.NoError(t, c.Suspend(func(r func()) { go func() { <-open; r() }() }))
				seen = x
			}, deps.In(&x), deps.Out(&seen))
			assert.NoError(t, m.WaitOn(deps.In(&x)))
			close(open)
			assert.NoError(t, m.WaitOn(deps.InOut(&x)))
			x = 100
			assert.NoError(t, m.WaitOn(deps.Commutative(&x)))
			assert.NoError(t, m.WaitOn())
			assert.NoError(t, m.WaitOn(deps.In[int](nil)))
			assert.NoError(t, m.WaitOn(deps.In(&seen)))
			assert.Equal(t, 10, seen)
			return nil
		}))
	})
}

func TestWaitOnFailure(t *testing.T) {
	rt := newRuntime(t, 2)
	boom := errors.New("boom")
	err := run(t, rt, func(m *tasks.Task) error {
		var x, y int
		tasks.Spawn(m, func() error { return boom }, deps.Out(&x), tasks.Label("bad"))
		tasks.Spawn(m, func() {}, deps.Out(&y))
		var te *tasks.TaskError
		if assert.ErrorAs(t, m.WaitOn(deps.In(&x)), &te) {
			assert.Equal(t, "bad", te.Label)
		}
		assert.NoError(t, m.WaitOn(deps.In(&y)))
		assert.ErrorIs(t, m.WaitOn(deps.InOut(&x)), boom, "the mark stays")
		assert.NoError(t, m.WaitOn(deps.Out(&x)), "who overwrites need not mind")
		assert.NoError(t, m.WaitOn(deps.In(&x)))
		return nil
	})
	require.ErrorIs(t, err, boom, "WaitOn does not take the error off")
}

func TestWaitOnMisuse(t *testing.T) {
	rt := newRuntime(t, 2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		x := make([]int, 4)
		tasks.Spawn(m, func() {}, deps.InOutSlice(x))
		assert.PanicsWithValue(t, "deps: WaitOn of a weak access", func() { _ = m.WaitOn(deps.Weak(deps.InSlice(x))) })
		assert.NoError(t, m.WaitOn(deps.InSlice(x[:2])), "a part")
		return m.WaitOn(deps.InSlice(x))
	}))
}

// TestWaitOnInNestedTask: the item is the parent's; what the parent is ordered after is over anyway.
func TestWaitOnInNestedTask(t *testing.T) {
	rt := newRuntime(t, 2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var x int
		var j journal
		tasks.Spawn(m, func(c *tasks.Task) { c.Yield(); x = 1; j.note("uncle") }, deps.Out(&x))
		tasks.Spawn(m, func(p *tasks.Task) {
			assert.NoError(t, p.WaitOn(deps.In(&x)), "a weak parent waits here for its elder sibling")
			assert.Equal(t, "uncle", j.text())
		}, deps.Weak(deps.InOut(&x)))
		tasks.Spawn(m, func(p *tasks.Task) {
			tasks.Spawn(p, func(c *tasks.Task) { c.Yield(); x++ }, deps.InOut(&x))
			assert.NoError(t, p.WaitOn(deps.In(&x)))
			assert.Equal(t, 2, x)
		}, deps.InOut(&x))
		return nil
	}))
}

// TestRelease: the successor of the released item meets the body that released it.
func TestRelease(t *testing.T) {
	for name, access := range map[string]func(*int) deps.Access{
		"in": deps.In[int], "out": deps.Out[int], "inout": deps.InOut[int], "concurrent": deps.Concurrent[int], "commutative": deps.Commutative[int],
		"weak": func(x *int) deps.Access { return deps.Weak(deps.InOut(x)) },
	} {
		for successor, access2 := range map[string]func(*int) deps.Access{"inout": deps.InOut[int], "commutative": deps.Commutative[int]} {
			t.Run(name+"/"+successor, func(t *testing.T) {
				rt := newRuntime(t, 2)
				require.NoError(t, run(t, rt, func(m *tasks.Task) error {
					var x, y int
					both := newMeeting(2)
					tasks.Spawn(m, func(c *tasks.Task) {
						c.Release(access(&x), deps.In[int](nil))
						both.join()
						y++
					}, access(&x), deps.InOut(&y))
					tasks.Spawn(m, func() { both.join() }, access2(&x))
					tasks.Spawn(m, func() { assert.Equal(t, 1, y) }, deps.In(&y))
					return nil
				}))
			})
		}
	}
}

// TestReleaseWithChildren: a child that uses the item delays its hand-over.
func TestReleaseWithChildren(t *testing.T) {
	rt := newRuntime(t, 2)
	var j journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var x int
		both := newMeeting(2)
		tasks.Spawn(m, func(c *tasks.Task) {
			tasks.Spawn(c, func(g *tasks.Task) { g.Yield(); j.note("child") }, deps.InOut(&x))
			c.Release(deps.InOut(&x))
			both.join()
		}, deps.InOut(&x))
		tasks.Spawn(m, func() { j.note("successor"); both.join() }, deps.In(&x))
		return nil
	}))
	require.Equal(t, "child successor", j.text())
}

func TestReleaseMisuse(t *testing.T) {
	rt := newRuntime(t, 1)
	var x, y int
	v := make([]int, 8)
	for name, accs := range map[string][]deps.Access{
		"other kind":     {deps.Concurrent(&x)},
		"other weakness": {deps.Weak(deps.InOut(&x))},
		"other item":     {deps.InOut(&y)},
		"not all of it":  {deps.InOutSlice(v[:5])},
		"part twice":     {deps.InOutSlice(v[:2]), deps.InOutSlice(v[1:3])},
		"twice":          {deps.InOut(&x), deps.InOut(&x)},
	} {
		t.Run(name, func(t *testing.T) {
			err := run(t, rt, func(m *tasks.Task) error {
				tasks.Spawn(m, func(c *tasks.Task) { c.Release(accs...) }, deps.InOut(&x), deps.InOutSlice(v[:4]), tasks.Label("careless"))
				return nil
			})
			require.ErrorContains(t, err, `careless: panic: deps: Release of `)
			require.ErrorContains(t, err, `which task "careless" has not declared like that, or has released before`)
		})
	}
}
