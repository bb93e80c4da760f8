package tasks_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
)

// What the random programs found, in small.

// A combination that a WaitOn or Spawn makes ready has to be run by somebody.
func TestCombinationReadyAtOnce(t *testing.T) {
	for _, workers := range []int{1, 2} {
		rt := newRuntime(t, workers)
		x, y, once := 1, 0, 0
		contribute := func() {}
		mustRun(t, rt, func(m *tasks.Task) error {
			contribute = func() {
				tasks.Spawn(m, func(t *tasks.Task) { *reduce.Local(t, &x)++ }, reduce.Sum(&x), deps.Out(&once))
				_ = m.WaitOn(deps.In(&once))
			}
			contribute()
			if err := m.WaitOn(deps.In(&x)); err != nil {
				return err
			}
			y = x
			contribute()
			tasks.Spawn(m, func() { y += x }, deps.In(&x), tasks.If(false))
			return nil
		})
		require.Equal(t, 2+3, y)
	}
}

// A creator far ahead of children that wait for it goes on when what was pending outside ended, though that made no task
// ready.
func TestCreatorAheadWhenTheLastEventEnds(t *testing.T) {
	rt, err := tasks.New(tasks.Config{Workers: 1, Throttle: 1})
	require.NoError(t, err)
	defer rt.Close()
	for range 20 {
		x, y, n := 0, 0, 0
		mustRun(t, rt, func(m *tasks.Task) error {
			tasks.Spawn(m, func(t *tasks.Task) {
				done := t.Hold()
				go func() {
					for idle := false; !idle; {
						var b strings.Builder
						rt.Dump(&b)
						idle = strings.Contains(b.String(), "1 idle")
						runtime.Gosched()
					}
					done(nil)
				}()
			})
			tasks.Spawn(m, func(t *tasks.Task) {
				for range 20 {
					tasks.Spawn(t, func() { n++ }, deps.Commutative(&x))
				}
			}, deps.Commutative(&x), deps.Weak(deps.In(&y)))
			return nil
		})
		require.Equal(t, 20, n)
	}
}

// Tasks that an event completes leave nothing behind: not what ordered their children, either.
func TestEventsNeedConstantMemory(t *testing.T) {
	rt := newRuntime(t, 1)
	x := make([]int, 64)
	heap := func(rounds int) uint64 {
		for range rounds {
			mustRun(t, rt, func(m *tasks.Task) error {
				for range 10 {
					tasks.Spawn(m, func(t *tasks.Task) {
						for i := range x {
							tasks.Spawn(t, func() {}, deps.In(&x[i]))
						}
						go t.Hold()(nil)
					})
				}
				return nil
			})
		}
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	before := heap(200)
	require.Less(t, heap(200), before+4<<20)
}
