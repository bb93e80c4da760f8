package worksharing_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

func TestForLabelAndType(t *testing.T) {
	rt := newRuntime(t, 2)
	var j journal
	note := func(c *tasks.Task, _, _ int) { j.note(c.Label()) }
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		worksharing.For(m, 1, dynamic, note, tasks.Label("label"))
		assert.NoError(t, m.Wait())
		worksharing.For(m, 1, dynamic, note, tasks.NewType("type", 3))
		assert.NoError(t, m.Wait())
		worksharing.For(m, 1, dynamic, note)
	}))
	require.Equal(t, "label type task", j.text())
}

// TestForPriority: the loop and its collaborators come before what is less urgent, and after what is more.
func TestForPriority(t *testing.T) {
	for _, urgent := range []tasks.Clause{tasks.Priority(5), tasks.NewType("urgent", 5)} {
		rt := newRuntime(t, 1)
		var j journal
		require.NoError(t, run(t, rt, func(m *tasks.Task) {
			tasks.Spawn(m, func() { j.note("3") }, tasks.Priority(3))
			worksharing.For(m, 1, dynamic, func(*tasks.Task, int, int) { j.note("5") }, urgent)
			worksharing.For(m, 1, dynamic, func(*tasks.Task, int, int) { j.note("-1") }, tasks.Priority(-1))
			tasks.Spawn(m, func() { j.note("7") }, tasks.Priority(7))
			tasks.Spawn(m, func() { j.note("0") })
		}))
		require.Equal(t, "7 5 3 0 -1", j.text())
	}
}

func TestForOnReady(t *testing.T) {
	rt := newRuntime(t, 1)
	var ran, early, ready atomic.Int32
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		var done box[func(error)]
		worksharing.For(m, 10, dynamic, func(*tasks.Task, int, int) { ran.Add(1) },
			tasks.OnReady(func(c *tasks.Task) { ready.Add(1); done.put(c.Hold()) }))
		tasks.Spawn(m, func() { early.Store(ran.Load()); done.get()(nil) }, last)
	}))
	require.Zero(t, early.Load())
	require.EqualValues(t, 10, ran.Load())
	require.EqualValues(t, 1, ready.Load(), "once for the loop")
}

func TestForOnReadyFails(t *testing.T) {
	rt := newRuntime(t, 2)
	require.ErrorIs(t, run(t, rt, func(m *tasks.Task) {
		worksharing.For(m, 10, dynamic, func(*tasks.Task, int, int) { t.Error("ran") },
			tasks.OnReady(func(c *tasks.Task) { c.Hold()(errWhy) }))
	}), errWhy)
}

// TestForUndeferred: the call returns when the loop is over, and yet several slots ran it.
func TestForUndeferred(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		rt := newRuntime(t, workers)
		a := make([]int, 100)
		met := newMeeting(workers)
		require.NoError(t, run(t, rt, func(m *tasks.Task) {
			tasks.Spawn(m, func() { a[7] = 5 }, deps.OutSlice(a))
			worksharing.For(m, len(a), worksharing.Static(0), func(_ *tasks.Task, lo, hi int) {
				met.join()
				for i := lo; i < hi; i++ {
					a[i]++
				}
			}, deps.InOutSlice(a), tasks.If(false))
			assert.Equal(t, 6, a[7])
			assert.Equal(t, 1, a[99])
		}), "%d workers", workers)
	}
}

func TestForIsFinal(t *testing.T) {
	rt := newRuntime(t, 2)
	var final atomic.Int32
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		body := func(c *tasks.Task, _, _ int) {
			if c.InFinal() {
				final.Add(1)
			}
		}
		worksharing.For(m, 1, dynamic, body)
		worksharing.For(m, 1, dynamic, body, tasks.Final(true))
		worksharing.For(m, 1, dynamic, body, tasks.Final(false))
		assert.False(t, m.InFinal())
	}))
	require.EqualValues(t, 3, final.Load())
}

// TestForManyClauses has all of them at once, more than fit the call's stack.
func TestForManyClauses(t *testing.T) {
	rt := newRuntime(t, 2)
	v := make([]int, 9)
	c := make(counts, 100)
	var ready atomic.Int32
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		tasks.Spawn(m, func() { v[8] = 1 }, deps.Out(&v[8]))
		worksharing.For(m, len(c), dynamic, func(*tasks.Task, int, int) { assert.Equal(t, 1, v[8]) },
			deps.In(&v[0]), deps.Out(&v[1]), deps.InOut(&v[2]), deps.Concurrent(&v[3]), deps.Commutative(&v[4]),
			deps.List{deps.In(&v[5]), deps.In(&v[6])}, deps.Weak(deps.Out(&v[7])), deps.In(&v[8]), tasks.NewType("t", 1),
			tasks.Label("l"), tasks.Priority(2), tasks.If(true), tasks.Final(true), tasks.Cost(7), tasks.WaitChildren,
			tasks.OnReady(func(*tasks.Task) { ready.Add(1) }))
		worksharing.For(m, len(c), dynamic, func(_ *tasks.Task, lo, hi int) { c.add(lo, hi) }, deps.In(&v[7]), tasks.WaitChildren, tasks.Cost(1))
	}))
	require.EqualValues(t, 1, ready.Load())
	c.once(t, "behind a loop with many clauses")
}
