package tasks_test

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/trace"
)

// settled waits until the slots are in these states.
func settled(t *testing.T, rt *tasks.Runtime, want ...tasks.SlotState) {
	t.Helper()
	within(t, rt, func() {
		for !slices.Equal(rt.Slots(), want) {
			runtime.Gosched()
		}
	})
}

func TestSetWorkersRefuses(t *testing.T) {
	rt := newRuntime(t, 2)
	require.EqualError(t, rt.SetWorkers(0), "tasks: SetWorkers(0): want 1 to 65536")
	require.EqualError(t, rt.SetWorkers(-3), "tasks: SetWorkers(-3): want 1 to 65536")
	require.EqualError(t, rt.SetWorkers(1<<16+1), "tasks: SetWorkers(65537): want 1 to 65536")
	require.Equal(t, 2, rt.Workers())
	require.NoError(t, rt.SetWorkers(3))
	require.NoError(t, rt.Close())
	require.ErrorIs(t, rt.SetWorkers(2), tasks.ErrClosed)
	require.Equal(t, 3, rt.Workers())

	for _, cfg := range []tasks.Config{{Serial: true}, {Pick: func(int) int { return 0 }}} {
		one := newRuntimeWith(t, cfg)
		require.NoError(t, one.SetWorkers(1))
		require.EqualError(t, one.SetWorkers(2), "tasks: SetWorkers(2): a runtime with Config.Serial or Config.Pick has one slot")
	}
}

// TestGrowLetsBodiesMeet: slots are added while all there are keep their bodies, from one of these or from outside.
func TestGrowLetsBodiesMeet(t *testing.T) {
	for _, inside := range []bool{true, false} {
		rt := newRuntime(t, 1)
		const bodies = 5
		m := newMeeting(bodies)
		started := make(chan struct{}, bodies)
		over := make(chan struct{})
		go func() {
			defer close(over)
			<-started // the only slot has a body that waits for the others
			if !inside {
				assert.NoError(t, rt.SetWorkers(bodies))
			}
		}()
		require.NoError(t, run(t, rt, func(r *tasks.Task) error {
			for range bodies {
				tasks.Spawn(r, func() {
					if inside {
						assert.NoError(t, rt.SetWorkers(rt.Workers()+1))
					}
					started <- struct{}{}
					m.join()
				})
			}
			return nil
		}))
		<-over
		require.GreaterOrEqual(t, rt.Workers(), bodies)
	}
}

// TestShrinkWaitsForTheBody: a slot too many runs its body to the end, takes no other task, and leaves what is queued in
// it to the others.
func TestShrinkWaitsForTheBody(t *testing.T) {
	rt := newRuntime(t, 4)
	const each = 200
	here, gate := newMeeting(4), newMeeting(1)
	var late, running atomic.Int32
	over := make(chan struct{})
	go func() {
		defer close(over)
		here.join()
		assert.NoError(t, rt.SetWorkers(1))
		assert.Equal(t, 1, rt.Workers())
		// The three bodies keep their slots. The fourth slot is the first, which stays, or goes.
		for s := rt.Slots(); s[0] != tasks.SlotIdle && countOf(s, tasks.SlotLeaving) > 2; s = rt.Slots() {
			runtime.Gosched()
		}
		gate.join()
	}()
	require.NoError(t, run(t, rt, func(r *tasks.Task) error {
		for range 3 {
			tasks.Spawn(r, func(p *tasks.Task) {
				for range each {
					tasks.Spawn(p, func() {
						if running.Add(1) > 1 {
							late.Add(1)
						}
						running.Add(-1)
					})
				}
				here.join()
				<-gate.open
			})
		}
		return nil
	}))
	<-over
	settled(t, rt, tasks.SlotIdle, tasks.SlotDisabled, tasks.SlotDisabled, tasks.SlotDisabled)
	require.Zero(t, late.Load(), "bodies ran together on one slot")
	require.EqualValues(t, 4+3*each, rt.Stats().Executed)
}

func countOf(states []tasks.SlotState, of tasks.SlotState) (n int) {
	for _, s := range states {
		if s == of {
			n++
		}
	}
	return n
}

// TestShrinkWhileBodiesAreBlocked: bodies that gave their slot away go on, one at a time, when one slot is left.
func TestShrinkWhileBodiesAreBlocked(t *testing.T) {
	rt := newRuntime(t, 4)
	const bodies = 20
	suspended := make(chan func(), bodies)
	var running, most atomic.Int32
	over := make(chan struct{})
	go func() {
		defer close(over)
		var resumes []func()
		for range bodies {
			resumes = append(resumes, <-suspended)
		}
		assert.NoError(t, rt.SetWorkers(1))
		for countOf(rt.Slots(), tasks.SlotDisabled) < 3 {
			runtime.Gosched()
		}
		for _, resume := range resumes {
			resume()
		}
	}()
	require.NoError(t, run(t, rt, func(r *tasks.Task) error {
		for range bodies {
			tasks.Spawn(r, func(b *tasks.Task) error {
				err := b.Suspend(func(resume func()) { suspended <- resume })
				n := running.Add(1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				runtime.Gosched()
				running.Add(-1)
				return err
			})
		}
		return nil
	}))
	<-over
	require.EqualValues(t, 1, most.Load())
}

// TestShrinkUnderAWaitingBody: a slot that is to go does not run the children of its body, which waits for them.
func TestShrinkUnderAWaitingBody(t *testing.T) {
	rt := newRuntime(t, 2)
	here := newMeeting(2)
	require.NoError(t, run(t, rt, func(r *tasks.Task) error {
		for range 2 {
			tasks.Spawn(r, func(p *tasks.Task) error {
				for range 50 {
					tasks.Spawn(p, func(c *tasks.Task) { c.Yield() })
				}
				here.join()
				if err := rt.SetWorkers(1); err != nil {
					return err
				}
				p.Yield()
				return p.Wait()
			})
		}
		return nil
	}))
	settled(t, rt, tasks.SlotIdle, tasks.SlotDisabled)
	require.NoError(t, rt.SetWorkers(2))
	settled(t, rt, tasks.SlotIdle, tasks.SlotIdle)
}

// TestQueueOfALeavingSlotGetsItsTurn: what was queued in a slot that is gone runs although the other is never idle.
func TestQueueOfALeavingSlotGetsItsTurn(t *testing.T) {
	rt := newRuntime(t, 2)
	here := newMeeting(2)
	var ran atomic.Bool
	var busy func(*tasks.Task)
	busy = func(b *tasks.Task) {
		if !ran.Load() {
			tasks.Spawn(b, busy)
		}
	}
	require.NoError(t, run(t, rt, func(r *tasks.Task) error {
		for range 2 {
			tasks.Spawn(r, func(b *tasks.Task) {
				tasks.Spawn(b, func() { ran.Store(true) })
				here.join()
				assert.NoError(t, rt.SetWorkers(1))
				busy(b)
			})
		}
		return nil
	}))
}

// resizing changes the number of slots, 1 to 6, all the time until the function that it returns is called.
func resizing(t *testing.T, rt *tasks.Runtime) (stop func()) {
	var wg sync.WaitGroup
	var over atomic.Bool
	wg.Go(func() {
		n := numbers{7}
		for !over.Load() {
			assert.NoError(t, rt.SetWorkers(1+n.pick(6)))
			for range n.pick(30) {
				runtime.Gosched()
			}
		}
	})
	return func() {
		over.Store(true)
		wg.Wait()
	}
}

// TestResizedPrograms: random programs come out as always while slots come and go.
func TestResizedPrograms(t *testing.T) {
	rts := []*tasks.Runtime{newRuntime(t, 2), newRuntimeWith(t, tasks.Config{Workers: 4, Throttle: 1})}
	for _, rt := range rts {
		defer resizing(t, rt)()
	}
	eachSeed(5, func(seed uint64) {
		p := newProgram(seed)
		want, m := newMachine(p), newMachine(p)
		want.elide(p.root)
		rt := rts[seed%2]
		err := guarded(t, rt, func() error { return rt.Run(ctx, m.main) }, p.String)
		if err == nil {
			err = m.compare(want)
		}
		require.NoError(t, err, "seed %d\n%s", seed, p)
	})
}

func TestStressResizedShortRuns(t *testing.T) {
	onProcs(t, func(t *testing.T, rt *tasks.Runtime) {
		defer resizing(t, rt)()
		x := 0
		for i := range rounds() {
			mustRun(t, rt, func(m *tasks.Task) error {
				for range i % 4 {
					tasks.Spawn(m, func() { x++ }, deps.InOut(&x))
				}
				return nil
			})
		}
		assert.Equal(t, rounds()/4*6, x)
	})
}

// TestResizedDeadlock: a run that is stuck is noticed whichever slot is the last to lie down or to go, and no other is.
func TestResizedDeadlock(t *testing.T) {
	rt := newRuntime(t, 3)
	defer resizing(t, rt)()
	for range rounds() {
		require.ErrorIs(t, run(t, rt, stuck), tasks.ErrDeadlock)
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			tasks.Spawn(m, func(c *tasks.Task) error {
				return c.Suspend(func(resume func()) { go resume() })
			})
			return nil
		}))
	}
}

// TestDeadlockAfterTheLastSlotIsGone: the slot that is disabled is the last that was not idle.
func TestDeadlockAfterTheLastSlotIsGone(t *testing.T) {
	rt := newRuntime(t, 2)
	for range rounds() / 10 {
		require.NoError(t, rt.SetWorkers(2))
		require.ErrorIs(t, run(t, rt, func(m *tasks.Task) error {
			here := newMeeting(2)
			for range 2 {
				tasks.Spawn(m, func(c *tasks.Task) error {
					here.join()
					if err := rt.SetWorkers(1); err != nil {
						return err
					}
					return stuck(c)
				})
			}
			return nil
		}), tasks.ErrDeadlock)
	}
}

// TestTraceOfResizedSlots: rows are kept; a slot that comes back goes on with its own, and all tasks are there once.
func TestTraceOfResizedSlots(t *testing.T) {
	rec := trace.New(trace.Config{})
	rt := newRuntimeWith(t, tasks.Config{Workers: 2, Trace: rec})
	const bodies = 3
	for _, n := range []int{bodies, 1, bodies} {
		require.NoError(t, rt.SetWorkers(n))
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			here := newMeeting(n)
			for range n {
				tasks.Spawn(m, here.join)
			}
			return nil
		}))
	}
	require.NoError(t, rt.Close())
	total := 0
	rows := map[string]int{}
	for e := range rec.Events() {
		if e.Kind == trace.TaskStart {
			rows[e.Row]++
			total++
		}
	}
	require.Len(t, rows, bodies)
	require.Equal(t, 3+2*bodies+1, total)
	require.EqualValues(t, total, rt.Stats().Executed)
}

// TestCreatorFarAheadWhenAHoldEnds: a creator at its hard bound is not stuck when all slots are idle and the last event
// that was pending ends: it is what goes on.
func TestCreatorFarAheadWhenAHoldEnds(t *testing.T) {
	rt := newRuntimeWith(t, tasks.Config{Workers: 1, Throttle: 1})
	for range 20 {
		var x int
		held := make(chan func(error), 1)
		over := make(chan struct{})
		go func() {
			defer close(over)
			done := <-held
			for rt.Stats().Idle == 0 {
				runtime.Gosched()
			}
			done(nil)
		}()
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			m.Critical("c", func() {
				tasks.Spawn(m, func(c *tasks.Task) { held <- c.Hold() })
				tasks.Spawn(m, func(c *tasks.Task) { c.Critical("c", func() { x++ }) }, deps.InOut(&x))
				for range 20 {
					tasks.Spawn(m, func() { x++ }, deps.InOut(&x))
				}
			})
			return nil
		}))
		<-over
		require.Equal(t, 21, x)
	}
}
