package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
)

// spawned counts the tasks of a call by the rule of fibCutoff.
func spawned(n, cutoff int) (count uint64) {
	if n < 2 {
		return 0
	}
	for _, m := range []int{n - 1, n - 2} {
		count++
		if m >= cutoff {
			count += spawned(m, cutoff)
		}
	}
	return count
}

func TestValueAndTasks(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		for _, n := range []int{0, 1, 2, 3, 17} {
			for _, cutoff := range []int{0, 1, 2, 5, 16, 17, 18} {
				rt, err := tasks.New(tasks.Config{Workers: workers})
				require.NoError(t, err)
				var got uint64
				require.NoError(t, rt.Run(t.Context(), func(m *tasks.Task) error { return fibCutoff(m, n, cutoff, &got) }))
				require.NoError(t, rt.Close())
				assert.Equal(t, fib(n), got)
				assert.Equal(t, spawned(n, cutoff), rt.Stats().Spawned, "n %d, cutoff %d", n, cutoff)
			}
		}
	}
}

func TestEveryCallIsATask(t *testing.T) {
	rt, err := tasks.New(tasks.Config{Workers: 2})
	require.NoError(t, err)
	var got uint64
	require.NoError(t, rt.Run(t.Context(), func(m *tasks.Task) error { return fibTasks(m, 16, &got) }))
	require.NoError(t, rt.Close())
	assert.Equal(t, uint64(987), got)
	assert.Equal(t, calls(16), rt.Stats().Spawned+1, "the first call is the main task")
}

func TestAnyOrder(t *testing.T) {
	taskstest.Schedules(t, 20, func() (func(*tasks.Task) error, func() any) {
		var got uint64
		return func(m *tasks.Task) error { return fibTasks(m, 9, &got) }, func() any { return got }
	})
}

func TestCalls(t *testing.T) {
	for n, want := range []uint64{1, 1, 3, 5, 9, 15, 25} {
		assert.Equal(t, want, calls(n))
	}
}
