package worksharing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/trace"
	"github.com/gompss/gompss/worksharing"
)

// TestTraceShowsEveryRound: in a trace every round of a recorded task is a task, with all of its life.
func TestTraceShowsEveryRound(t *testing.T) {
	rec := trace.New(trace.Config{})
	rt, err := tasks.New(tasks.Config{Workers: 2, Trace: rec})
	require.NoError(t, err)
	x, y := 0, 0
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		worksharing.Iter(m, 20, func(m *tasks.Task) {
			tasks.Spawn(m, func() { x++ }, deps.InOut(&x))
			tasks.Spawn(m, func() { y += x }, deps.In(&x), deps.InOut(&y))
		}, deps.InOut(&x), deps.InOut(&y))
	}))
	require.NoError(t, rt.Close())
	state := map[uint64]int{}
	for e := range rec.Events() {
		switch e.Kind {
		case trace.TaskCreate, trace.TaskReady, trace.TaskStart, trace.TaskEnd, trace.TaskDone:
			state[e.ID]++
		}
	}
	require.Len(t, state, 1+1+40)
	whole := 0
	for _, n := range state {
		if n == 5 {
			whole++
		}
	}
	require.GreaterOrEqual(t, whole, 41)
}
