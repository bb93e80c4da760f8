package tasks_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// constant is a body that returns v.
func constant[T any](v T) func(*tasks.Task) (T, error) {
	return func(*tasks.Task) (T, error) { return v, nil }
}

func TestFutureOrdersWhoDeclaresIt(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		got := 0
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			gate := make(chan func(), 1)
			a := tasks.Async(m, func(c *tasks.Task) (int, error) {
				_ = c.Suspend(func(resume func()) { gate <- resume })
				return 3, nil
			})
			b := tasks.Async(m, func(*tasks.Task) (int, error) { return a.Value() * 2, nil }, a.In())
			tasks.Spawn(m, func() { got = a.Value() + b.Value() }, a.In(), b.In(), deps.Out(&got))
			tasks.Spawn(m, func(c *tasks.Task) {
				c.Yield()
				(<-gate)()
			})
			v, err := b.Get(m)
			assert.Equal(t, 6, v)
			return err
		}))
		require.Equal(t, 9, got)
	})
}

func TestFutureOfNothing(t *testing.T) {
	rt := newRuntime(t, 2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		x := 0
		f := tasks.Async(m, func(*tasks.Task) (struct{}, error) { x = 1; return struct{}{}, nil })
		tasks.Spawn(m, func() { assert.Equal(t, 1, x) }, f.In())
		_, err := f.Get(m)
		return err
	}))
}

// TestFutureFails: those that declared it are skipped, those that wait are told, the failure comes out of Run once.
func TestFutureFails(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		boom := errors.New("boom")
		ran := false
		err := run(t, rt, func(m *tasks.Task) error {
			f := tasks.Async(m, func(*tasks.Task) (int, error) { return 5, boom }, tasks.Label("f"))
			g := tasks.Async(m, func(*tasks.Task) (int, error) { return f.Value(), nil }, f.In())
			tasks.Spawn(m, func() { ran = true }, g.In())
			tasks.Spawn(m, func(c *tasks.Task) {
				for _, f := range []*tasks.Future[int]{f, g} {
					v, err := f.Get(c)
					assert.Zero(t, v)
					assert.ErrorIs(t, err, boom)
				}
			})
			_, err := g.WaitContext(ctxAfter(m, g))
			assert.ErrorIs(t, err, boom)
			assert.PanicsWithError(t, "tasks: Value of a future that failed: f: boom", func() { f.Value() })
			return nil
		})
		require.EqualError(t, err, "f: boom")
		require.False(t, ran)
	})
}

// ctxAfter waits for f without looking at what came of it.
func ctxAfter(t *tasks.Task, f *tasks.Future[int]) context.Context {
	_, _ = f.Get(t)
	return ctx
}

// TestFutureIsCompleteWhenItsDataAre: not before its holds have ended and, with WaitChildren, its children are over.
func TestFutureIsCompleteWhenItsDataAre(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		boom := errors.New("boom")
		err := run(t, rt, func(m *tasks.Task) error {
			held := make(chan func(error), 1)
			f := tasks.Async(m, func(c *tasks.Task) (int, error) { held <- c.Hold(); return 1, nil })
			resumes := make(chan func(), 1)
			g := tasks.Async(m, func(c *tasks.Task) (*int, error) {
				v := new(int)
				tasks.Spawn(c, func(c *tasks.Task) {
					_ = c.Suspend(func(r func()) { resumes <- r })
					*v = 4
				})
				return v, nil
			}, tasks.WaitChildren)
			tasks.Spawn(m, func(c *tasks.Task) {
				yieldUntil(c, func() bool { return len(held) == 1 && len(resumes) == 1 })
				for _, done := range []<-chan struct{}{f.Done(), g.Done()} {
					select {
					case <-done:
						t.Error("complete too early")
					default:
					}
				}
				(<-held)(boom)
				(<-resumes)()
			})
			v, err := g.Get(m)
			assert.NoError(t, err)
			assert.Equal(t, 4, *v)
			_, err = f.Get(m)
			assert.ErrorIs(t, err, boom)
			return nil
		})
		require.ErrorIs(t, err, boom)
	})
}

// TestFutureAcrossLevels: it is handed to children, to a sibling's child by a weak access, and to another run.
func TestFutureAcrossLevels(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		other := newRuntime(t, 1)
		sum := 0
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			resumes := make(chan func(), 1)
			f := tasks.Async(m, func(c *tasks.Task) (int, error) {
				_ = c.Suspend(func(r func()) { resumes <- r })
				return 10, nil
			})
			add := func() { sum += f.Value() }
			tasks.Spawn(m, func(c *tasks.Task) {
				tasks.Spawn(c, add, f.In(), deps.InOut(&sum))
				tasks.Spawn(c, func(c *tasks.Task) {
					tasks.Spawn(c, add, f.In(), deps.InOut(&sum))
				}, deps.Weak(f.In()), deps.Weak(deps.InOut(&sum)))
			}, deps.Weak(f.In()), deps.Weak(deps.InOut(&sum)))
			tasks.Spawn(m, func(c *tasks.Task) error { // an outsider: waits
				v, err := f.Get(c)
				assert.Equal(t, 10, v)
				return err
			})
			var outside sync.WaitGroup
			outside.Go(func() {
				v, err := f.WaitContext(ctx)
				assert.NoError(t, err)
				assert.Equal(t, 10, v)
			})
			outside.Go(func() {
				assert.NoError(t, other.Run(ctx, func(o *tasks.Task) error {
					v, err := f.Get(o)
					assert.Equal(t, 10, v)
					return err
				}))
			})
			yieldUntil(m, func() bool { return len(resumes) == 1 })
			(<-resumes)()
			_, err := f.Get(m)
			outside.Wait()
			return err
		}))
		require.Equal(t, 20, sum)
	})
}

// TestFutureNotDeclared: a child whose parent does not cover the future is not ordered after it, and is told so.
func TestFutureNotDeclared(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		err := run(t, rt, func(m *tasks.Task) error {
			order := 0
			resumes := make(chan func(), 1)
			f := tasks.Async(m, func(c *tasks.Task) (int, error) {
				return 1, c.Suspend(func(r func()) { resumes <- r })
			})
			yieldUntil(m, func() bool { return len(resumes) == 1 })
			tasks.Spawn(m, func(c *tasks.Task) error {
				tasks.Spawn(c, func() { f.Value() }, f.In())
				return c.Wait()
			}, deps.Out(&order))
			tasks.Spawn(m, func() { (<-resumes)() }, deps.Out(&order))
			return m.Wait()
		})
		require.ErrorContains(t, err, "Value of a future that is not complete")
	})
}

func TestFutureWaitIsCancelled(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		resumes := make(chan func(), 1)
		futures := make(chan *tasks.Future[int], 1)
		var both sync.WaitGroup
		both.Go(func() {
			assert.NoError(t, rt.Run(ctx, func(m *tasks.Task) error {
				futures <- tasks.Async(m, func(c *tasks.Task) (int, error) {
					return 1, c.Suspend(func(r func()) { resumes <- r })
				})
				return nil
			}))
		})
		f := <-futures
		require.ErrorIs(t, runCancelled(t, rt, func(m *tasks.Task, cancel func()) error {
			tasks.Spawn(m, cancel)
			_, err := f.Get(m)
			assert.ErrorIs(t, err, errWhy)
			return nil
		}), errWhy)
		c, cancel := context.WithCancelCause(ctx)
		cancel(errWhy)
		_, err := f.WaitContext(c)
		require.ErrorIs(t, err, errWhy)
		(<-resumes)()
		both.Wait()
		v, err := f.WaitContext(c)
		require.NoError(t, err)
		require.Equal(t, 1, v)
	})
}

func TestFutureDeadlock(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		err := run(t, rt, func(m *tasks.Task) error {
			bs := make(chan *tasks.Future[int], 1)
			a := tasks.Async(m, func(c *tasks.Task) (int, error) {
				yieldUntil(c, func() bool { return len(bs) == 1 })
				return (<-bs).Get(c)
			}, tasks.Label("a"))
			bs <- tasks.Async(m, func(c *tasks.Task) (int, error) { return a.Get(c) }, tasks.Label("b"))
			return nil
		})
		require.ErrorIs(t, err, tasks.ErrDeadlock)
		require.ErrorContains(t, err, `waits for the result of task "b"`)
	})
}

func TestFutureMisuse(t *testing.T) {
	rt := newRuntime(t, 1)
	err := run(t, rt, func(m *tasks.Task) error {
		futures := make(chan *tasks.Future[int], 1)
		futures <- tasks.Async(m, func(c *tasks.Task) (int, error) { return (<-futures).Get(c) }, tasks.Label("own"))
		return nil
	})
	require.ErrorContains(t, err, `tasks: Get of a future by the task "own" that produces it`)
	require.ErrorContains(t, run(t, rt, func(m *tasks.Task) error {
		tasks.Async[int](m, nil)
		return nil
	}), "tasks: Async of a nil body")
	require.PanicsWithValue(t, "tasks: Async on a task whose body is not running", func() { tasks.Async(nil, constant(1)) })
}

func TestFutureInDump(t *testing.T) {
	rt := newRuntime(t, 1)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		resumes := make(chan func(), 1)
		f := tasks.Async(m, func(c *tasks.Task) (int, error) {
			return 1, c.Suspend(func(r func()) { resumes <- r })
		}, tasks.Label("slow"))
		tasks.Spawn(m, func(c *tasks.Task) { _, _ = f.Get(c) }, tasks.Label("eager"))
		dump := func() string {
			var b strings.Builder
			rt.Dump(&b)
			return b.String()
		}
		yieldUntil(m, func() bool {
			return len(resumes) == 1 && strings.Contains(dump(), `"main › eager" waits for the result of task "slow"`)
		})
		(<-resumes)()
		return nil
	}))
}

// TestFutureRandom compares random graphs of futures, handed round in all ways, with their evaluation in program order.
func TestFutureRandom(t *testing.T) {
	rounds := 60
	if raceEnabled {
		rounds = 10
	}
	for seed := range uint64(rounds) {
		g := newFutureGraph(seed)
		want := g.expected()
		for _, cfg := range []tasks.Config{{Workers: 1}, {Workers: 3}, {Serial: true}} {
			rt := newRuntimeWith(t, cfg)
			var got []int
			_ = run(t, rt, func(m *tasks.Task) error {
				got = g.evaluate(m)
				return nil
			})
			require.Equal(t, want, got, "seed %d, %+v", seed, cfg)
		}
	}
}

// futureGraph is a number of futures; each reads earlier ones, by declaration (from a child, if deep) or by Get. Some fail.
type futureGraph struct {
	reads [][]int
	way   []int
	fails []bool
}

var errFuture = errors.New("fails")

func newFutureGraph(seed uint64) *futureGraph {
	r := rand.New(rand.NewPCG(seed, 7))
	n := 5 + r.IntN(40)
	g := &futureGraph{make([][]int, n), make([]int, n), make([]bool, n)}
	for i := range n {
		for range min(i, r.IntN(4)) {
			g.reads[i] = append(g.reads[i], r.IntN(i))
		}
		g.way[i] = r.IntN(3)
		g.fails[i] = r.IntN(12) == 0
	}
	return g
}

// expected has −1 for what fails.
func (g *futureGraph) expected() []int {
	v := make([]int, len(g.reads))
	for i, reads := range g.reads {
		v[i] = i + 1
		for _, j := range reads {
			if v[j] < 0 {
				v[i] = -1
				break
			}
			v[i] = (3*v[i] + v[j]) % 1000
		}
		if g.fails[i] {
			v[i] = -1
		}
	}
	return v
}

func (g *futureGraph) evaluate(m *tasks.Task) []int {
	fs := make([]*tasks.Future[int], len(g.reads))
	for i, reads := range g.reads {
		var ins, weak deps.List
		for _, j := range reads {
			ins = append(ins, fs[j].In())
			weak = append(weak, deps.Weak(fs[j].In()))
		}
		body := func(read func(j int) (int, error)) (int, error) {
			v := i + 1
			for _, j := range reads {
				x, err := read(j)
				if err != nil {
					return 0, err
				}
				v = (3*v + x) % 1000
			}
			if g.fails[i] {
				return 0, errFuture
			}
			return v, nil
		}
		declared := func(*tasks.Task) (int, error) {
			return body(func(j int) (int, error) { return fs[j].Value(), nil })
		}
		switch g.way[i] {
		case 0:
			fs[i] = tasks.Async(m, declared, ins)
		case 1:
			fs[i] = tasks.Async(m, func(c *tasks.Task) (int, error) {
				return body(func(j int) (int, error) { return fs[j].Get(c) })
			})
		case 2:
			fs[i] = tasks.Async(m, func(c *tasks.Task) (int, error) {
				return tasks.Async(c, declared, ins).Get(c)
			}, weak)
		}
	}
	got := make([]int, len(fs))
	for i, f := range fs {
		v, err := f.Get(m)
		if err != nil {
			v = -1
		}
		got[i] = v
	}
	return got
}
