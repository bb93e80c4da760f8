package tasks_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// TestChildIsNotOrderedWithItsUncle: an item that the parent did not declare is the children's own matter.
func TestChildIsNotOrderedWithItsUncle(t *testing.T) {
	rt := newRuntime(t, 2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var x, y int
		both := newMeeting(2)
		tasks.Spawn(m, func() { both.join() }, deps.InOut(&x))
		tasks.Spawn(m, func(p *tasks.Task) {
			tasks.Spawn(p, func() { both.join() }, deps.InOut(&x))
		}, deps.InOut(&y))
		return nil
	}))
}

// TestNestedOrder: what children of different parents do to an item happens as in a flat program.
func TestNestedOrder(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		rt := newRuntime(t, workers)
		var x []int
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			for i := range 50 {
				tasks.Spawn(m, func(p *tasks.Task) {
					for j := range 4 {
						tasks.Spawn(p, func(q *tasks.Task) {
							tasks.Spawn(q, func() { x = append(x, 8*i+2*j) }, deps.InOut(&x))
							tasks.Spawn(q, func() { x = append(x, 8*i+2*j+1) }, deps.InOut(&x))
						}, deps.Weak(deps.InOut(&x)))
					}
				}, deps.Weak(deps.InOut(&x)))
			}
			return nil
		}))
		require.Len(t, x, 400)
		for i := range x {
			require.Equal(t, i, x[i])
		}
	}
}

// TestWeakTaskDoesNotWait: the body of a weak task meets the task that it is ordered after; its child waits.
func TestWeakTaskDoesNotWait(t *testing.T) {
	rt := newRuntime(t, 2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var x int
		both := newMeeting(2)
		tasks.Spawn(m, func() { both.join(); x = 1 }, deps.Out(&x))
		tasks.Spawn(m, func(p *tasks.Task) {
			tasks.Spawn(p, func() { x *= 10 }, deps.InOut(&x))
			both.join()
		}, deps.Weak(deps.InOut(&x)))
		tasks.Spawn(m, func() { x += 5 }, deps.InOut(&x))
		assert.NoError(t, m.Wait())
		assert.Equal(t, 15, x)
		return nil
	}))
}

// TestEarlyRelease: a task whose body is over passes on what no child uses, while a child still uses the rest.
func TestEarlyRelease(t *testing.T) {
	rt := newRuntime(t, 2)
	var x, y int
	var j journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		free := make(chan struct{})
		tasks.Spawn(m, func(p *tasks.Task) {
			tasks.Spawn(p, func() {
				<-free // opened by the successor on y
				j.note("child")
			}, deps.InOut(&x))
		}, deps.InOut(&x), deps.InOut(&y))
		tasks.Spawn(m, func() { j.note("x") }, deps.In(&x))
		tasks.Spawn(m, func() { j.note("y"); close(free) }, deps.In(&y))
		return nil
	}))
	require.Equal(t, "y child x", j.text())
}

// TestLastChildHandsOver: the successor of the parent starts when the last child on the item is over, not when the
// parent's other children are.
func TestLastChildHandsOver(t *testing.T) {
	rt := newRuntime(t, 2)
	var x, y int
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		both := newMeeting(2)
		tasks.Spawn(m, func(p *tasks.Task) {
			tasks.Spawn(p, func() { x++ }, deps.InOut(&x))
			tasks.Spawn(p, func() { x++ }, deps.InOut(&x))
			tasks.Spawn(p, func() { both.join() }, deps.InOut(&y))
		}, deps.InOut(&x), deps.InOut(&y))
		tasks.Spawn(m, func() { assert.Equal(t, 2, x); both.join() }, deps.In(&x))
		return nil
	}))
}

// TestWriterMayStillAppear: a reader's child waits for the end of an elder weak writer's body, which may still create
// a writer, and does.
func TestWriterMayStillAppear(t *testing.T) {
	rt := newRuntime(t, 1)
	var x int
	var j journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var open box[func()]
		tasks.Spawn(m, func(p *tasks.Task) {
			tasks.Spawn(p, func() { j.note("child") }, deps.In(&x))
			assert.NoError(t, p.Wait())
			assert.NoError(t, p.Suspend(func(r func()) { open.put(r) }))
			tasks.Spawn(p, func() { j.note("writer"); x = 1 }, deps.InOut(&x))
		}, deps.Weak(deps.InOut(&x)), tasks.Priority(1))
		tasks.Spawn(m, func(q *tasks.Task) {
			tasks.Spawn(q, func() { j.note("reader"); assert.Equal(t, 1, x) }, deps.In(&x))
		}, deps.Weak(deps.In(&x)))
		tasks.Spawn(m, func() { j.note("last"); open.get()() }, last)
		return nil
	}))
	require.Equal(t, "child last writer reader", j.text())
}

func TestWaitIsForGrandchildrenToo(t *testing.T) {
	rt := newRuntime(t, 2)
	var n atomic.Int32
	var deep func(*tasks.Task, int)
	deep = func(p *tasks.Task, level int) {
		n.Add(1)
		if level > 0 {
			tasks.Spawn(p, func(c *tasks.Task) { c.Yield(); deep(c, level-1) })
		}
	}
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func(c *tasks.Task) { deep(c, 100) })
		assert.NoError(t, m.Wait())
		assert.EqualValues(t, 101, n.Load())
		return nil
	}))
}

func TestRunIsForAllDescendants(t *testing.T) {
	rt := newRuntime(t, 2)
	var n atomic.Int32
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		for range 10 {
			tasks.Spawn(m, func(c *tasks.Task) {
				for range 10 {
					tasks.Spawn(c, func(g *tasks.Task) { g.Yield(); n.Add(1) })
				}
			})
		}
		return nil
	}))
	require.EqualValues(t, 100, n.Load())
}
