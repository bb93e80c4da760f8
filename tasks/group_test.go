package tasks_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// TestGroupWaitsForItsMembers: for their descendants, too, and for no other child.
func TestGroupWaitsForItsMembers(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			resumes := make(chan func(), 1)
			other := false
			tasks.Spawn(m, func(c *tasks.Task) {
				_ = c.Suspend(func(r func()) { resumes <- r })
				other = true
			})
			g := m.Group(nil)
			done := 0
			for range 10 {
				tasks.Spawn(m, func(c *tasks.Task) {
					tasks.Spawn(c, func(c *tasks.Task) {
						tasks.Spawn(c, func(c *tasks.Task) { c.Yield(); done++ }, deps.Commutative(&done))
					}, deps.Weak(deps.Commutative(&done)))
				}, tasks.InGroup(g), deps.Weak(deps.Commutative(&done)))
			}
			yieldUntil(m, func() bool { return len(resumes) == 1 })
			assert.NoError(t, g.Wait())
			assert.Equal(t, 10, done)
			assert.NoError(t, g.Wait(), "again")
			assert.ErrorIs(t, g.Context().Err(), context.Canceled)
			(<-resumes)()
			assert.NoError(t, m.Wait())
			assert.True(t, other)
			return nil
		}))
	})
}

func TestGroupOfNobody(t *testing.T) {
	rt := newRuntime(t, 1)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error { return m.Group(nil).Wait() }))
}

// TestGroupReturnsItsErrorsOnce: not Run again, though tasks outside were skipped because of them.
func TestGroupReturnsItsErrorsOnce(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		boom, deep, mine := errors.New("boom"), errors.New("deep"), errors.New("mine")
		var ran atomic.Int32
		for _, early := range []bool{true, false} {
			ran.Store(0)
			err := run(t, rt, func(m *tasks.Task) error {
				x, y := 0, 0
				g := m.Group(nil)
				tasks.Spawn(m, func() error { return boom }, tasks.InGroup(g), deps.Out(&x))
				tasks.Spawn(m, func(c *tasks.Task) {
					tasks.Spawn(c, func() error { return deep })
				}, tasks.InGroup(g))
				tasks.Spawn(m, func() { ran.Add(1) }, deps.In(&x))
				tasks.Spawn(m, func() { ran.Add(1) }, deps.InOut(&x), deps.Out(&y))
				tasks.Spawn(m, func() { ran.Add(1) }, deps.In(&y))
				tasks.Spawn(m, func() error { return mine })
				if early {
					_ = m.WaitOn(deps.InOut(&y)) // the tasks outside were skipped by now
				} else {
					_ = m.WaitOn(deps.In(&x)) // the last of them were not
				}
				err := g.Wait()
				assert.ErrorIs(t, err, boom)
				assert.ErrorIs(t, err, deep)
				assert.NotErrorIs(t, err, mine)
				assert.Zero(t, ran.Load())
				tasks.Spawn(m, func() { ran.Add(1) }, deps.InOut(&x), deps.In(&y))
				tasks.Spawn(m, func() { ran.Add(1) }, deps.In(&x))
				assert.NoError(t, m.WaitOn(deps.In(&x)), "the data are good again")
				return nil
			})
			require.EqualError(t, err, "task: mine")
			require.EqualValues(t, 2, ran.Load())
		}
	})
}

// TestGroupForgivesItsOwnFailuresOnly: who reads the data of a member that failed and of another child that failed is
// skipped because of the latter, whichever failed first, and whatever lies between.
func TestGroupForgivesItsOwnFailuresOnly(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		boom, mine := errors.New("boom"), errors.New("mine")
		for _, memberFirst := range []bool{true, false} {
			for _, between := range []bool{true, false} {
				err := run(t, rt, func(m *tasks.Task) error {
					v := make([]int, 4)
					g := m.Group(nil)
					member := func() { tasks.Spawn(m, func() error { return boom }, tasks.InGroup(g), deps.OutSlice(v[:2])) }
					if memberFirst {
						member()
					}
					tasks.Spawn(m, func() error { return mine }, deps.OutSlice(v[2:]))
					if !memberFirst {
						member()
					}
					if between {
						tasks.Spawn(m, func() { t.Error("skipped by both") }, deps.InOutSlice(v))
					}
					_ = m.WaitOn(deps.InSlice(v))
					assert.ErrorIs(t, g.Wait(), boom)
					first := false
					if !between {
						tasks.Spawn(m, func() { first = true }, deps.InOutSlice(v[:2]))
						assert.NoError(t, m.WaitOn(deps.InSlice(v[:2])))
						assert.True(t, first)
					}
					assert.ErrorIs(t, m.WaitOn(deps.InSlice(v[2:])), mine)
					tasks.Spawn(m, func() { t.Error("skipped by the other one") }, deps.InSlice(v))
					return nil
				})
				require.EqualError(t, err, "task: mine")
			}
		}
	})
}

// TestGroupSkippedForAnother: the failure of a child outside is told by the group whose members it kept from running, and
// where it belongs; it is not the group's to forgive.
func TestGroupSkippedForAnother(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		mine := errors.New("mine")
		require.EqualError(t, run(t, rt, func(m *tasks.Task) error {
			x := 0
			tasks.Spawn(m, func() error { return mine }, deps.Out(&x))
			g := m.Group(nil)
			tasks.Spawn(m, func() { t.Error("skipped") }, tasks.InGroup(g), deps.InOut(&x))
			assert.EqualError(t, g.Wait(), "task: mine")
			tasks.Spawn(m, func() { t.Error("skipped, too") }, deps.In(&x))
			return nil
		}), "task: mine")
	})
}

// TestGroupLeftInAGroup: the outer one tells the failure and forgives it. (A task outside may have been skipped before the
// failure was handed on, and then tells it, too.)
func TestGroupLeftInAGroup(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		boom := errors.New("boom")
		ran := 0
		err := run(t, rt, func(m *tasks.Task) error {
			x := 0
			outer := m.Group(nil)
			tasks.Spawn(m, func(c *tasks.Task) {
				inner := c.Group(nil)
				tasks.Spawn(c, func() error { return boom }, tasks.InGroup(inner), deps.Out(&x))
			}, tasks.InGroup(outer), deps.Weak(deps.Out(&x)))
			tasks.Spawn(m, func() { t.Error("spawned before Wait") }, deps.InOut(&x))
			assert.EqualError(t, outer.Wait(), "task: boom")
			tasks.Spawn(m, func() { ran++ }, deps.InOut(&x))
			return nil
		})
		if err != nil {
			require.EqualError(t, err, "task: boom")
		}
		require.Equal(t, 1, ran)
	})
}

// TestGroupInProgramOrder: with serial elision a group is no different.
func TestGroupInProgramOrder(t *testing.T) {
	rt := newRuntimeWith(t, tasks.Config{Serial: true})
	boom := errors.New("boom")
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		x := 0
		g := m.Group(nil)
		tasks.Spawn(m, func(c *tasks.Task) {
			tasks.Spawn(c, func() { x++ }, deps.InOut(&x))
		}, tasks.InGroup(g), deps.Weak(deps.InOut(&x)))
		assert.Equal(t, 1, x)
		tasks.Spawn(m, func() error { return boom }, tasks.InGroup(g), deps.InOut(&x))
		tasks.Spawn(m, func() { x = 100 }, tasks.InGroup(g), deps.InOut(&x))
		assert.ErrorIs(t, g.Wait(), boom)
		tasks.Spawn(m, func() { x++ }, deps.InOut(&x))
		assert.Equal(t, 2, x)
		return nil
	}))
}

// TestGroupDeadline: members that wait end with the cause, those that have not started are skipped, the rest goes on.
func TestGroupDeadline(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		err := run(t, rt, func(m *tasks.Task) error {
			resumes := make(chan func(), 1)
			other := false
			tasks.Spawn(m, func(c *tasks.Task) {
				assert.NoError(t, c.Suspend(func(r func()) { resumes <- r }))
				assert.NoError(t, context.Cause(c.Context()))
				other = true
			})
			deadline, expire := context.WithCancelCause(m.Context()) // like one that passes when the members wait
			g := m.Group(deadline)
			var waiting, woken, started atomic.Int32
			tasks.Spawn(m, func(c *tasks.Task) {
				yieldUntil(c, func() bool { return waiting.Load() == 3 })
				expire(context.DeadlineExceeded)
			})
			x := 0
			tasks.Spawn(m, func(c *tasks.Task) {
				assert.ErrorIs(t, c.Suspend(func(func()) { waiting.Add(1) }), context.DeadlineExceeded)
				woken.Add(1)
			}, tasks.InGroup(g), deps.Out(&x))
			tasks.Spawn(m, func() { started.Add(1) }, tasks.InGroup(g), deps.InOut(&x))
			tasks.Spawn(m, func(c *tasks.Task) {
				waiting.Add(1)
				assert.Less(t, c.Sleep(time.Hour), time.Hour)
				woken.Add(1)
			}, tasks.InGroup(g))
			tasks.Spawn(m, func(c *tasks.Task) {
				tasks.Spawn(c, func(c *tasks.Task) {
					assert.ErrorIs(t, c.Suspend(func(func()) { waiting.Add(1) }), context.DeadlineExceeded)
					assert.ErrorIs(t, context.Cause(c.Context()), context.DeadlineExceeded)
					tasks.Spawn(c, func() { started.Add(1) })
					assert.ErrorIs(t, c.Wait(), context.DeadlineExceeded)
					woken.Add(1)
				})
				_ = c.Wait()
			}, tasks.InGroup(g))
			assert.ErrorIs(t, g.Wait(), context.DeadlineExceeded)
			assert.EqualValues(t, 3, woken.Load())
			assert.Zero(t, started.Load())
			yieldUntil(m, func() bool { return len(resumes) == 1 })
			(<-resumes)()
			tasks.Spawn(m, func() { x++ }, deps.InOut(&x))
			assert.NoError(t, m.Wait())
			assert.Equal(t, 1, x, "the data are good again")
			assert.True(t, other)
			return nil
		})
		require.NoError(t, err)
	})
}

// TestGroupTimeout: the same with a clock, which nobody can tell when it strikes.
func TestGroupTimeout(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			deadline, stop := context.WithTimeout(m.Context(), time.Millisecond)
			defer stop()
			g := m.Group(deadline)
			for range 10 {
				tasks.Spawn(m, func(c *tasks.Task) { c.Sleep(time.Hour) }, tasks.InGroup(g))
			}
			assert.ErrorIs(t, g.Wait(), context.DeadlineExceeded)
			return nil
		}))
	})
}

// TestGroupCancel: by a member, with a reason of its own.
func TestGroupCancel(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		var started atomic.Int32
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			g := m.Group(context.Background())
			x := 0
			tasks.Spawn(m, func(c *tasks.Task) { g.Cancel(errWhy) }, tasks.InGroup(g), deps.Out(&x))
			for range 10 {
				tasks.Spawn(m, func() { started.Add(1) }, tasks.InGroup(g), deps.In(&x))
			}
			assert.Equal(t, errWhy, g.Wait())
			tasks.Spawn(m, func() { started.Add(100) }, deps.In(&x))
			return nil
		}))
		require.EqualValues(t, 100, started.Load())
	})
}

// TestGroupIsCancelledWithItsRun: whatever its context derives from. Nobody is told twice.
func TestGroupIsCancelledWithItsRun(t *testing.T) {
	for name, wait := range map[string]bool{"waited for": true, "left": false} {
		t.Run(name, func(t *testing.T) {
			eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
				for _, derive := range []bool{true, false} {
					err := runCancelled(t, rt, func(m *tasks.Task, cancel func()) error {
						c := context.Background()
						if derive {
							c = m.Context()
						}
						g := m.Group(c)
						tasks.Spawn(m, func(c *tasks.Task) {
							cancel()
							assert.ErrorIs(t, c.Suspend(func(func()) {}), errWhy)
						}, tasks.InGroup(g))
						tasks.Spawn(m, func(c *tasks.Task) { _ = c.Suspend(func(func()) {}) }, tasks.InGroup(g))
						if wait {
							assert.ErrorIs(t, g.Wait(), errWhy)
						}
						return nil
					})
					require.Equal(t, errWhy, err)
				}
			})
		})
	}
}

// TestGroupsNest: a group below another, cancelled alone and with it.
func TestGroupsNest(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		boom := errors.New("boom")
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			outer := m.Group(nil)
			x := 0
			tasks.Spawn(m, func(c *tasks.Task) {
				inner := c.Group(nil)
				tasks.Spawn(c, func(c *tasks.Task) { assert.ErrorIs(t, c.Suspend(func(func()) {}), errWhy) }, tasks.InGroup(inner))
				tasks.Spawn(c, func() error { return boom }, tasks.InGroup(inner), deps.Out(&x))
				tasks.Spawn(c, func() { t.Error("its input failed") }, deps.In(&x))
				inner.Cancel(errWhy)
				err := inner.Wait()
				assert.ErrorIs(t, err, errWhy)
				assert.NotErrorIs(t, err, context.Canceled)
				assert.NoError(t, context.Cause(c.Context()))
			}, tasks.InGroup(outer))
			assert.NoError(t, outer.Wait())

			outer = m.Group(nil)
			tasks.Spawn(m, func(c *tasks.Task) {
				inner := c.Group(nil)
				tasks.Spawn(c, func(c *tasks.Task) {
					outer.Cancel(errWhy)
					assert.ErrorIs(t, c.Suspend(func(func()) {}), errWhy)
				}, tasks.InGroup(inner))
				assert.ErrorIs(t, inner.Wait(), errWhy)
			}, tasks.InGroup(outer))
			assert.Equal(t, errWhy, outer.Wait())
			return nil
		}))
	})
}

// TestGroupLeft: one that nobody waits for gives its failures to its owner's.
func TestGroupLeft(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		boom := errors.New("boom")
		var c context.Context
		err := run(t, rt, func(m *tasks.Task) error {
			tasks.Spawn(m, func(p *tasks.Task) {
				g := p.Group(nil)
				c = g.Context()
				tasks.Spawn(p, func() error { return boom }, tasks.InGroup(g))
				g = p.Group(nil)
				tasks.Spawn(p, func(c *tasks.Task) { _ = c.Suspend(func(r func()) { g.Cancel(errWhy) }) }, tasks.InGroup(g))
			})
			return nil
		})
		require.ErrorIs(t, err, boom)
		require.ErrorIs(t, err, errWhy)
		require.Len(t, strings.Split(err.Error(), "\n"), 2)
		require.ErrorIs(t, c.Err(), context.Canceled)
	})
}

func TestGroupDeadlock(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		err := run(t, rt, func(m *tasks.Task) error {
			g := m.Group(nil)
			futures := make(chan *tasks.Future[int], 1)
			futures <- tasks.Async(m, func(c *tasks.Task) (int, error) {
				g.Context()
				tasks.Spawn(c, func() {})
				return 0, c.WaitOn()
			})
			f := <-futures
			a, b := make(chan *tasks.Future[int], 1), make(chan *tasks.Future[int], 1)
			fa := tasks.Async(m, func(c *tasks.Task) (int, error) { return (<-b).Get(c) }, tasks.InGroup(g))
			b <- tasks.Async(m, func(c *tasks.Task) (int, error) { return (<-a).Get(c) }, tasks.InGroup(g))
			a <- fa
			_, err := f.Get(m)
			assert.NoError(t, err)
			assert.ErrorIs(t, g.Wait(), tasks.ErrDeadlock)
			return nil
		})
		require.ErrorIs(t, err, tasks.ErrDeadlock)
		require.ErrorContains(t, err, "group of \"main\"")
		require.ErrorContains(t, err, "task \"main\" waits for a group")
	})
}

// cancelledEvent is an event that ends itself when it is told that its run or group was cancelled.
type cancelledEvent struct{ done func(error) }

func (e *cancelledEvent) Cancelled(cause error) { e.done(cause) }
func (e *cancelledEvent) String() string        { return "an event" }

func TestGroupTellsHolds(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			g := m.Group(nil)
			tasks.Spawn(m, func(c *tasks.Task) {
				e := &cancelledEvent{}
				e.done = c.HoldOn(nil, e)
				g.Cancel(errWhy)
			}, tasks.InGroup(g))
			assert.ErrorIs(t, g.Wait(), errWhy)
			return nil
		}))
	})
}

func TestGroupMisuse(t *testing.T) {
	rt := newRuntime(t, 2)
	for want, body := range map[string]func(m *tasks.Task){
		"tasks: InGroup of a group that was waited":   func(m *tasks.Task) { g := m.Group(nil); _ = g.Wait(); tasks.Spawn(m, static, tasks.InGroup(g)) },
		"tasks: InGroup of a group that another task": func(m *tasks.Task) { inAnother(m, m.Group(nil)) },
		"tasks: Group.Wait on a task whose body": func(m *tasks.Task) {
			g := m.Group(nil)
			tasks.Spawn(m, func() { _ = g.Wait() }, tasks.If(false))
		},
		"tasks: a task without a parent is in no group": func(m *tasks.Task) {
			m.Runtime().Go(func(*tasks.Task) error { return nil }, nil, tasks.InGroup(m.Group(nil)))
		},
	} {
		require.ErrorContains(t, run(t, rt, func(m *tasks.Task) error { body(m); return m.Wait() }), want)
	}
	require.Panics(t, func() { (*tasks.Task)(nil).Group(nil) })
}

func inAnother(m *tasks.Task, g *tasks.Group) {
	tasks.Spawn(m, func(c *tasks.Task) { tasks.Spawn(c, static, tasks.InGroup(g)) })
}

// TestGroupRandom: in random trees of groups, some of which are cancelled at some time, every task outside the cancelled
// ones runs, none inside starts after the group's end, and who waits hears of the reason.
func TestGroupRandom(t *testing.T) {
	rounds := uint64(60)
	if raceEnabled {
		rounds = 10
	}
	for seed := range rounds {
		for _, workers := range []int{1, 3} {
			rt := newRuntime(t, workers)
			var ran, want atomic.Int64
			require.NoError(t, run(t, rt, func(m *tasks.Task) error {
				growGroups(t, m, rand.New(rand.NewPCG(seed, 3)), 3, false, &ran, &want)
				return m.Wait()
			}), "seed %d", seed)
			require.Equal(t, want.Load(), ran.Load(), "seed %d", seed)
		}
	}
}

// growGroups spawns tasks in and outside groups. inside tells whether a group round it may be cancelled.
func growGroups(t *testing.T, p *tasks.Task, r *rand.Rand, depth int, inside bool, ran, want *atomic.Int64) {
	for range 1 + r.IntN(3) {
		g := p.Group(nil)
		cancelled := r.IntN(2) == 0
		var live atomic.Int64
		for range r.IntN(6) {
			seed, in, way := r.Uint64(), r.IntN(2) == 0, r.IntN(4)
			free := !inside && !(in && cancelled)
			if free {
				want.Add(1)
			}
			body := func(c *tasks.Task) {
				if in {
					live.Add(1)
					defer live.Add(-1)
				}
				if free {
					ran.Add(1)
				}
				if depth > 0 {
					growGroups(t, c, rand.New(rand.NewPCG(seed, 1)), depth-1, !free, ran, want)
				}
				switch {
				case way == 0 && in && cancelled:
					g.Cancel(errWhy)
				case way == 1 && in && cancelled:
					assert.ErrorIs(t, c.Suspend(func(func()) {}), errWhy)
				case way == 2:
					c.Yield()
				}
			}
			if in {
				tasks.Spawn(p, body, tasks.InGroup(g))
			} else {
				tasks.Spawn(p, body)
			}
		}
		if cancelled {
			g.Cancel(errWhy)
		}
		if r.IntN(4) > 0 || cancelled {
			err := g.Wait()
			assert.Zero(t, live.Load())
			switch {
			case cancelled:
				assert.Equal(t, errWhy, err)
			case !inside:
				assert.NoError(t, err)
			}
		}
	}
}

func BenchmarkGroup(b *testing.B) {
	rt := newRuntime(b, 1)
	for _, members := range []int{0, 1, 100} {
		b.Run("members="+strings.Repeat("|", min(members, 3)), func(b *testing.B) {
			b.ReportAllocs()
			_ = rt.Run(ctx, func(m *tasks.Task) error {
				for b.Loop() {
					g := m.Group(nil)
					for range members {
						tasks.Spawn(m, static, tasks.InGroup(g))
					}
					_ = g.Wait()
				}
				return nil
			})
		})
	}
}
