package tasks_test

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func TestCriticalExcludes(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		rt := newRuntime(t, workers)
		n := 2000
		if raceEnabled {
			n = 200
		}
		x, inside := 0, 0
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			for range n {
				tasks.Spawn(m, func(c *tasks.Task) {
					c.Critical("x", func() {
						inside++
						assert.Equal(t, 1, inside)
						x++
						if x%3 == 0 {
							c.Yield() // a critical survives the loss of the slot
						}
						inside--
					})
				})
			}
			return m.Wait()
		}))
		require.Equal(t, n, x)
	}
}

// TestCriticalIsServedInOrder: on one slot tasks arrive one after the other while the first is inside.
func TestCriticalIsServedInOrder(t *testing.T) {
	rt := newRuntime(t, 1)
	var arrived, served journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		m.Critical("q", func() {
			for i := range 20 {
				tasks.Spawn(m, func(c *tasks.Task) {
					arrived.note(strconv.Itoa(i))
					c.Critical("q", func() { served.note(strconv.Itoa(i)) })
				})
			}
			yieldUntil(m, func() bool { return arrived.len() == 20 })
			assert.Empty(t, served.text())
		})
		return nil
	}))
	require.Equal(t, arrived.text(), served.text())
}

// TestCriticalNames: different names do not exclude each other.
func TestCriticalNames(t *testing.T) {
	rt := newRuntime(t, 2)
	both := newMeeting(2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		for _, name := range []string{"a", ""} {
			tasks.Spawn(m, func(c *tasks.Task) { c.Critical(name, both.join) })
		}
		tasks.Spawn(m, func(c *tasks.Task) {
			c.Critical("a", func() { c.Critical("", func() { c.Critical("c", func() {}) }) })
		})
		return nil
	}))
}

func TestCriticalInsideItself(t *testing.T) {
	rt := newRuntime(t, 2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		m.Critical("a", func() {
			assert.PanicsWithValue(t, "tasks: Critical(a) inside itself", func() { m.Critical("a", func() {}) })
		})
		m.Critical("a", func() {}) // again is not inside
		return nil
	}))
}

func TestCriticalIsLeftByPanic(t *testing.T) {
	rt := newRuntime(t, 1)
	boom := errors.New("boom")
	entered := false
	require.ErrorIs(t, run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func(c *tasks.Task) { c.Critical("a", func() { panic(boom) }) })
		_ = m.WaitOn()
		tasks.Spawn(m, func(c *tasks.Task) { c.Critical("a", func() { entered = true }) })
		return nil
	}), boom)
	require.True(t, entered)
}

// TestCriticalCancelled: a task that waits for its turn ends with the cause, and is passed over.
func TestCriticalCancelled(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		c, cancel := context.WithCancelCause(ctx)
		why := errors.New("why")
		var entered atomic.Bool
		var err error
		within(t, rt, func() {
			err = rt.Run(c, func(m *tasks.Task) error {
				m.Critical("a", func() {
					blocked := rt.Stats().Blocked
					for range 10 {
						tasks.Spawn(m, func(c *tasks.Task) { c.Critical("a", func() { entered.Store(true) }) })
					}
					yieldUntil(m, func() bool { return rt.Stats().Blocked >= blocked+10 })
					assert.ErrorIs(t, m.Suspend(func(func()) { cancel(why) }), why)
					assert.ErrorIs(t, m.Wait(), why)
				})
				return nil
			})
		})
		require.ErrorIs(t, err, why)
		require.False(t, entered.Load())
		require.NoError(t, run(t, rt, func(m *tasks.Task) error { m.Critical("a", func() { entered.Store(true) }); return nil }))
		require.True(t, entered.Load(), "the name is free")
	})
}

// TestCommutativeAllAtOnce: a task that lacks one of its items keeps none of the others from anybody.
func TestCommutativeAllAtOnce(t *testing.T) {
	rt := newRuntime(t, 2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var x, y int
		both := newMeeting(2)
		started := make(chan struct{})
		tasks.Spawn(m, func() { close(started); both.join() }, deps.Commutative(&x))
		<-started
		tasks.Spawn(m, func() {}, deps.Commutative(&y), deps.Commutative(&x)) // waits for x and must leave y alone
		tasks.Spawn(m, func() { both.join() }, deps.Commutative(&y))
		return nil
	}))
}

// TestCommutativeAfterOtherAccesses: a task that waits for another item does not take the commutative one meanwhile.
func TestCommutativeAfterOtherAccesses(t *testing.T) {
	rt := newRuntime(t, 2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var x, y int
		both := newMeeting(2)
		tasks.Spawn(m, func() { both.join() }, deps.Out(&y))
		tasks.Spawn(m, func() {}, deps.Commutative(&x), deps.In(&y))
		tasks.Spawn(m, func() { both.join() }, deps.Commutative(&x))
		return nil
	}))
}

func TestCommutativeCrossed(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		rt := newRuntime(t, workers)
		n := 1000
		if raceEnabled {
			n = 100
		}
		x, y := 0, 0
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			for i := range n {
				a, b := deps.Commutative(&x), deps.Commutative(&y)
				if i%2 == 0 {
					a, b = b, a
				}
				tasks.Spawn(m, func(c *tasks.Task) { x++; c.Yield(); y++ }, a, b)
				tasks.Spawn(m, func(c *tasks.Task) { x++ }, deps.Commutative(&x))
			}
			return nil
		}))
		require.Equal(t, 2*n, x)
		require.Equal(t, n, y)
	}
}

func TestDiningPhilosophers(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		rt := newRuntime(t, workers)
		meals := 200
		if raceEnabled {
			meals = 30
		}
		var forks [5]int
		var held [5]atomic.Bool
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			for range meals {
				for p := range forks {
					l, r := p, (p+1)%5
					tasks.Spawn(m, func(c *tasks.Task) {
						assert.True(t, held[l].CompareAndSwap(false, true))
						assert.True(t, held[r].CompareAndSwap(false, true))
						forks[l]++
						c.Yield()
						forks[r]++
						held[l].Store(false)
						held[r].Store(false)
					}, deps.Commutative(&forks[l]), deps.Commutative(&forks[r]))
				}
			}
			return nil
		}))
		for _, n := range forks {
			require.Equal(t, 2*meals, n)
		}
	}
}

// TestCommutativeParent: children of a commutative task work under its token; a taskwait for them is safe, and nobody
// else is let in before they are done.
func TestCommutativeParent(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		x := 0
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			for i := range 20 {
				tasks.Spawn(m, func(p *tasks.Task) {
					was := x
					for range 3 {
						tasks.Spawn(p, func(c *tasks.Task) { v := x; c.Yield(); x = v + 1 }, deps.Commutative(&x))
					}
					tasks.Spawn(p, func(c *tasks.Task) { v := x; c.Yield(); x = v + 1 }, deps.InOut(&x))
					if i%2 == 0 {
						assert.NoError(t, p.Wait())
						assert.Equal(t, was+4, x)
					}
				}, deps.Commutative(&x))
			}
			return nil
		}))
		require.Equal(t, 80, x)
	})
}
