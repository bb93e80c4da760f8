//go:build !race

package tasks_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// TestCreatorAheadNeedsConstantMemory: millions of tasks, created faster than they run, also on fresh memory each.
func TestCreatorAheadNeedsConstantMemory(t *testing.T) {
	n := 3_000_000
	if testing.Short() {
		n = 300_000
	}
	var shared int
	for name, spawn := range map[string]func(m *tasks.Task, body func()){
		"no accesses":   func(m *tasks.Task, body func()) { tasks.Spawn(m, body) },
		"fresh address": func(m *tasks.Task, body func()) { tasks.Spawn(m, body, deps.Out(new([8]int))) },
		"readers":       func(m *tasks.Task, body func()) { tasks.Spawn(m, body, deps.In(&shared)) },
		"concurrents":   func(m *tasks.Task, body func()) { tasks.Spawn(m, body, deps.Concurrent(&shared)) },
	} {
		t.Run(name, func(t *testing.T) {
			rt := newRuntime(t, 2)
			first, most := uint64(0), uint64(0)
			open := make(chan struct{})
			var slow atomic.Int64
			require.NoError(t, run(t, rt, func(m *tasks.Task) error {
				tasks.Spawn(m, func() { <-open }, tasks.Priority(1)) // the other slot is lost for the creator's children
				for i := range n {
					spawn(m, func() { slow.Add(1) })
					if i%(n/6) == n/12 {
						h := liveHeap()
						if first == 0 {
							first = h
						}
						most = max(most, h)
					}
				}
				close(open)
				return nil
			}))
			require.EqualValues(t, n, slow.Load())
			assert.Less(t, most, first+8<<20, "the live heap grows with the number of tasks")
		})
	}
}

// TestChainNeedsConstantMemory: a million tasks, each behind the last, in one run without a taskwait.
func TestChainNeedsConstantMemory(t *testing.T) {
	for _, workers := range []int{1, 2} {
		rt := newRuntime(t, workers)
		x := 0
		first, most := uint64(0), uint64(0)
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			for i := range 1_000_000 {
				tasks.Spawn(m, func() { x++ }, deps.InOut(&x))
				if i%200_000 == 100_000 {
					h := liveHeap()
					if first == 0 {
						first = h
					}
					most = max(most, h)
				}
			}
			return nil
		}))
		require.Equal(t, 1_000_000, x)
		t.Logf("workers=%d: live heap from %d to %d KiB", workers, first>>10, most>>10)
		assert.Less(t, most, first+8<<20) // room for a loaded machine; without the hard bound it was 9 MiB on two slots
	}
}
