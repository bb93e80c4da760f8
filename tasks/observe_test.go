package tasks_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
)

// logbook keeps what it hears. Only one goroutine at a time may tell it.
type logbook struct {
	events [64]tasks.Event
	n      int
}

//go:norace
func (j *logbook) Observe(e tasks.Event) {
	j.events[j.n] = e
	j.n++
}

//go:norace
func oldest(int) int { return 0 }

func observedRun(t *testing.T, main func(*tasks.Task) error) []tasks.Event {
	j := new(logbook)
	rt, err := tasks.New(tasks.Config{Workers: 1, Pick: oldest, Observer: j})
	require.NoError(t, err)
	require.NoError(t, rt.Run(context.Background(), main))
	require.NoError(t, rt.Close())
	return j.events[:j.n]
}

// life lists the events of one task.
func life(events []tasks.Event, label string) (kinds []tasks.EventKind) {
	id := uint64(0)
	for _, e := range events {
		if e.Kind == tasks.EventCreated && e.Label == label {
			id = e.Task
		}
		if id != 0 && e.Task == id {
			kinds = append(kinds, e.Kind)
		}
	}
	return kinds
}

func TestObserverHearsTheLifeOfATask(t *testing.T) {
	var x, y [2]int
	events := observedRun(t, func(m *tasks.Task) error {
		tasks.Spawn(m, func(t *tasks.Task) {
			tasks.Spawn(t, func() {}, deps.In(&x[0]), tasks.Label("child"))
			_ = t.Wait()
			t.Release(deps.InOut(&y))
		}, deps.In(&x), deps.Out(&x[0]), deps.InOut(&y), deps.In[int](nil), tasks.Label("parent"))
		return nil
	})
	require.Equal(t, []tasks.EventKind{
		tasks.EventCreated, tasks.EventBegins, tasks.EventPauses, tasks.EventResumes, tasks.EventReleases,
		tasks.EventEnds, tasks.EventReleased, tasks.EventDone,
	}, life(events, "parent"))
	require.Equal(t, []tasks.EventKind{tasks.EventCreated, tasks.EventBegins, tasks.EventEnds, tasks.EventDone}, life(events, "child"))
	for _, e := range events {
		switch e.Label {
		case "main":
			require.Zero(t, e.Parent)
		case "parent":
			require.Len(t, e.Declared, 4)
			require.Len(t, e.Accesses, 3)
			require.Equal(t, deps.KindInOut, e.Accesses[0].Kind())
			require.Equal(t, events[0].Task, e.Parent)
			require.True(t, strings.HasPrefix(runtime.FuncForPC(e.Body).Name(), "github.com/gompss/gompss/tasks_test.TestObserver"))
		}
		if e.Kind == tasks.EventReleases {
			require.Equal(t, deps.InOut(&y), e.Access)
		}
	}
}

func TestObserverSeesCombinations(t *testing.T) {
	x := 0
	events := observedRun(t, func(m *tasks.Task) error {
		tasks.Spawn(m, func(t *tasks.Task) { *reduce.Local(t, &x)++ }, reduce.Sum(&x))
		return nil
	})
	require.Equal(t, 1, x)
	kinds := life(events, "reduction")
	require.Equal(t, tasks.EventCreated, kinds[0])
	require.Equal(t, tasks.EventDone, kinds[len(kinds)-1])
	for _, e := range events {
		if e.Label == "reduction" {
			require.Zero(t, e.Body)
		}
	}
}

func TestObserverHearsOfSkippedTasksToo(t *testing.T) {
	j := new(logbook)
	rt, err := tasks.New(tasks.Config{Workers: 1, Pick: oldest, Observer: j})
	require.NoError(t, err)
	var x int
	require.ErrorIs(t, rt.Run(context.Background(), func(m *tasks.Task) error {
		tasks.Spawn(m, func() error { return context.Canceled }, deps.Out(&x), tasks.Label("fails"))
		tasks.Spawn(m, func() {}, deps.In(&x), tasks.Label("skipped"))
		return nil
	}), context.Canceled)
	require.NoError(t, rt.Close())
	require.Equal(t, []tasks.EventKind{tasks.EventCreated, tasks.EventDone}, life(j.events[:j.n], "skipped"))
}
