package tasks_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/trace"
)

// everyWay spawns tasks that go all ways through the runtime, and says how many tasks, itself included, how many of
// them their creator waits for, and how many do not run.
func everyWay(t *testing.T, m *tasks.Task) (all, undeferred, skipped int) {
	var x, y int
	spawn := func(p *tasks.Task, body func(*tasks.Task) error, clauses ...tasks.Clause) {
		all++
		tasks.Spawn(p, body, clauses...)
	}
	all++ // m
	for range 300 {
		spawn(m, func(*tasks.Task) error { x++; return nil }, deps.InOut(&x), tasks.Label("chain"))
	}
	assert.NoError(t, m.WaitOn(deps.In(&x)))
	for range 300 {
		spawn(m, func(*tasks.Task) error { return nil }, tasks.Label("alone"))
	}
	for range 20 {
		undeferred++
		spawn(m, func(*tasks.Task) error { return nil }, tasks.If(false), deps.In(&x))
		all += 2
		tasks.Spawn(m, func(p *tasks.Task) {
			tasks.Spawn(p, func(c *tasks.Task) { c.Yield() }, tasks.Priority(1))
			assert.NoError(t, p.Wait())
			assert.NoError(t, p.Suspend(func(resume func()) { go resume() }))
		})
		spawn(m, func(*tasks.Task) error { return nil }, tasks.OnReady(func(c *tasks.Task) {
			go c.Hold()(nil)
		}))
		spawn(m, func(c *tasks.Task) error {
			go c.Hold()(nil)
			return nil
		}, deps.Commutative(&y), tasks.WaitChildren)
	}
	assert.NoError(t, m.Wait())
	spawn(m, func(*tasks.Task) error { panic("on purpose") }, deps.Out(&x))
	skipped++
	spawn(m, func(*tasks.Task) error { return nil }, deps.In(&x))
	assert.ErrorContains(t, m.Wait(), "on purpose")
	spawn(m, func(*tasks.Task) error { runtime.Goexit(); return nil }, deps.Out(&x))
	return all, undeferred, skipped
}

// TestTraceIsComplete: a recording has every event of every task once, whichever way the task went.
func TestTraceIsComplete(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		rec := trace.New(trace.Config{})
		rt := newRuntimeWith(t, tasks.Config{Workers: workers, Trace: rec, Throttle: 64})
		var all, undeferred, skipped int
		require.ErrorIs(t, run(t, rt, func(m *tasks.Task) error {
			all, undeferred, skipped = everyWay(t, m)
			return nil
		}), tasks.ErrGoexit)

		counts := map[trace.Kind]int{}
		seen := map[uint64]map[trace.Kind]int{}
		for e := range rec.Events() {
			switch e.Kind {
			case trace.TaskCreate, trace.TaskReady, trace.TaskStart, trace.TaskBlock, trace.TaskResume, trace.TaskEnd, trace.TaskDone:
				counts[e.Kind]++
				if seen[e.ID] == nil {
					seen[e.ID] = map[trace.Kind]int{}
				}
				seen[e.ID][e.Kind]++
			case trace.Edge:
				require.NotZero(t, seen[e.ID][trace.TaskCreate]+seen[e.Arg][trace.TaskCreate], "of tasks")
			}
		}
		require.Len(t, seen, all)
		require.Equal(t, all, counts[trace.TaskCreate])
		require.Equal(t, all-skipped, counts[trace.TaskStart])
		require.Equal(t, all-undeferred-1, counts[trace.TaskReady], "all but the root and those that their creator runs")
		require.EqualValues(t, rt.Stats().Executed, counts[trace.TaskStart])
		for id, k := range seen {
			require.NotZero(t, id)
			require.Equal(t, 1, k[trace.TaskCreate])
			require.Equal(t, 1, k[trace.TaskDone])
			require.Equal(t, k[trace.TaskStart], k[trace.TaskEnd])
			require.Equal(t, k[trace.TaskBlock], k[trace.TaskResume])
		}
	}
}
