package tasks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// byPriority spawns a task of each priority and returns the order in which one slot ran them.
func byPriority(t *testing.T, rt *tasks.Runtime, wait bool, priorities ...int) string {
	var j journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		for _, p := range priorities {
			tasks.Spawn(m, func() { j.note(fmt.Sprint(p)) }, tasks.Priority(p))
		}
		if wait {
			return m.Wait()
		}
		return nil
	}))
	return j.text()
}

func TestPriorityOrder(t *testing.T) {
	for _, wait := range []bool{false, true} {
		t.Run(fmt.Sprintf("wait=%v", wait), func(t *testing.T) {
			rt := newRuntime(t, 1)
			require.Equal(t, "9 5 3 2 1 0 0 0 -1 -7", byPriority(t, rt, wait, 0, 3, -7, 1, 0, 9, -1, 5, 0, 2))
			require.Equal(t, "7 0 0 0 -3", byPriority(t, rt, wait, 0, 0, -3, 0, 7))
		})
	}
}

// TestPriorityIsFirstComeFirstServed among equals.
func TestPriorityIsFirstComeFirstServed(t *testing.T) {
	rt := newRuntime(t, 1)
	var j journal
	want := ""
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		for i := range 20 {
			tasks.Spawn(m, func() { j.note(fmt.Sprint(i)) }, tasks.Priority(4))
			want += fmt.Sprint(i) + " "
		}
		return nil
	}))
	require.Equal(t, want, j.text()+" ")
}

func TestPriorityOfType(t *testing.T) {
	rt := newRuntime(t, 1)
	var j journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		low, high := tasks.NewType("low", -1), tasks.NewType("high", 1)
		tasks.Spawn(m, func(c *tasks.Task) { j.note(c.Label()) }, low)
		tasks.Spawn(m, func(c *tasks.Task) { j.note(c.Label()) })
		tasks.Spawn(m, func(c *tasks.Task) { j.note(c.Label()) }, high)
		tasks.Spawn(m, func(c *tasks.Task) { j.note("raised") }, low, tasks.Priority(2))
		return nil
	}))
	require.Equal(t, "raised high task low", j.text())
}

// TestPriorityOfSuccessors: of the tasks that one task frees the best runs next, and the rest by priority.
func TestPriorityOfSuccessors(t *testing.T) {
	rt := newRuntime(t, 1)
	var x int
	var j journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func() {}, deps.Out(&x), tasks.Priority(10))
		for _, p := range []int{1, 4, -2, 0, 3} {
			tasks.Spawn(m, func() { j.note(fmt.Sprint(p)) }, deps.In(&x), tasks.Priority(p))
		}
		tasks.Spawn(m, func() { j.note("2") }, tasks.Priority(2))
		return nil
	}))
	require.Equal(t, "4 3 2 1 0 -2", j.text())
}

// TestNegativePriorityOfASingleSuccessor: it does not run next because its predecessor ended just now.
func TestNegativePriorityOfASingleSuccessor(t *testing.T) {
	rt := newRuntime(t, 1)
	var x int
	var j journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func() { j.note("first") }, deps.Out(&x), tasks.Priority(1))
		tasks.Spawn(m, func() { j.note("last") }, deps.In(&x), tasks.Priority(-1))
		tasks.Spawn(m, func() { j.note("plain") })
		return nil
	}))
	require.Equal(t, "first plain last", j.text())
}

// TestPriorityDoesNotInterrupt: a body that runs goes on.
func TestPriorityDoesNotInterrupt(t *testing.T) {
	rt := newRuntime(t, 1)
	var j journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func() { j.note("high") }, tasks.Priority(100))
		j.note("main")
		m.Yield()
		j.note("main")
		return nil
	}))
	require.Equal(t, "main high main", j.text())
}

// TestSuccessorIsNotKeptBehindAPriority: a successor that another task overtakes on its slot may run on another slot.
func TestSuccessorIsNotKeptBehindAPriority(t *testing.T) {
	rt := newRuntime(t, 2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var x int
		start, both := newMeeting(2), newMeeting(2)
		open := make(chan struct{})
		tasks.Spawn(m, func() { start.join() }, deps.Out(&x), tasks.Priority(3))
		tasks.Spawn(m, func() { start.join(); <-open }, tasks.Priority(3))
		tasks.Spawn(m, func() { both.join() }, deps.In(&x))
		tasks.Spawn(m, func() { close(open); both.join() }, tasks.Priority(1))
		return nil
	}))
}

// TestSuccessorIsNotKeptBehindAResumedBody is the same with a body that goes on after it blocked.
func TestSuccessorIsNotKeptBehindAResumedBody(t *testing.T) {
	rt := newRuntime(t, 2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var x int
		start, both := newMeeting(2), newMeeting(2)
		var resume func()
		open, armed := make(chan struct{}), make(chan struct{})
		tasks.Spawn(m, func(c *tasks.Task) error {
			err := c.Suspend(func(r func()) { resume = r; close(armed) })
			close(open)
			both.join()
			return err
		}, tasks.Priority(4))
		tasks.Spawn(m, func() {
			<-armed
			start.join()
			resume() // this body's slot goes on with it, and leaves x to the other slot
		}, deps.Out(&x), tasks.Priority(3))
		tasks.Spawn(m, func() { start.join(); <-open }, tasks.Priority(3))
		tasks.Spawn(m, func() { both.join() }, deps.In(&x))
		return nil
	}))
}
