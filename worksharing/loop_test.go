package worksharing_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
	"github.com/gompss/gompss/worksharing"
)

func TestLoopRunsEveryIterationOnce(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		rt := newRuntime(t, workers)
		for _, grain := range []int{0, 1, 2, 3, 7, 64, 5000} {
			for _, n := range []int{0, 1, 2, 3, 5, 64, 100, 1000} {
				want := grain
				if grain == 0 {
					want = max(1, n/workers)
				}
				c := make(counts, n)
				var ranges atomic.Int32
				require.NoError(t, run(t, rt, func(m *tasks.Task) {
					worksharing.Loop(m, n, grain, func(_ *tasks.Task, lo, hi int) {
						assert.True(t, lo%want == 0 && (hi-lo == want || hi == n) && lo < hi, "[%d,%d)", lo, hi)
						ranges.Add(1)
						c.add(lo, hi)
					}, nil)
				}))
				c.once(t, fmt.Sprintf("grain %d with %d workers", grain, workers))
				require.EqualValues(t, (n+want-1)/want, ranges.Load())
			}
		}
	}
}

func TestLoop2And3RunEveryIterationOnce(t *testing.T) {
	rt := newRuntime(t, 3)
	for _, n := range [][3]int{{0, 3, 3}, {3, 0, 3}, {1, 1, 1}, {7, 5, 3}, {10, 4, 6}} {
		for _, grain := range [][3]int{{}, {1, 1, 1}, {2, 3, 4}, {0, 2, 0}, {100, 100, 100}} {
			two, three := make(counts, n[0]*n[1]), make(counts, n[0]*n[1]*n[2])
			require.NoError(t, run(t, rt, func(m *tasks.Task) {
				worksharing.Loop2(m, [2]int(n[:2]), [2]int(grain[:2]), func(_ *tasks.Task, lo, hi [2]int) {
					for i := lo[0]; i < hi[0]; i++ {
						two.add(i*n[1]+lo[1], i*n[1]+hi[1])
					}
				}, nil)
				worksharing.Loop3(m, n, grain, func(_ *tasks.Task, lo, hi [3]int) {
					for i := lo[0]; i < hi[0]; i++ {
						for j := lo[1]; j < hi[1]; j++ {
							three.add((i*n[1]+j)*n[2]+lo[2], (i*n[1]+j)*n[2]+hi[2])
						}
					}
				}, nil)
			}))
			two.once(t, fmt.Sprint("Loop2 ", n, grain))
			three.once(t, fmt.Sprint("Loop3 ", n, grain))
		}
	}
}

func TestLoop2GoesRowByRow(t *testing.T) {
	var j journal
	require.NoError(t, taskstest.Serial(t, func(m *tasks.Task) error {
		worksharing.Loop2(m, [2]int{3, 4}, [2]int{2, 0}, func(_ *tasks.Task, lo, hi [2]int) { j.note(fmt.Sprint(lo, hi)) }, nil)
		worksharing.Loop3(m, [3]int{1, 3, 2}, [3]int{0, 2, 1}, func(_ *tasks.Task, lo, hi [3]int) { j.note(fmt.Sprint(lo, hi)) }, nil)
		return nil
	}))
	require.Equal(t, "[0 0] [2 4] [2 0] [3 4] "+
		"[0 0 0] [1 2 1] [0 0 1] [1 2 2] [0 2 0] [1 3 1] [0 2 1] [1 3 2]", j.text())
}

// perElement returns inout accesses to the single elements of a range of a.
func perElement(a []int) func(lo, hi int) []deps.Access {
	return func(lo, hi int) (accs []deps.Access) {
		for i := lo; i < hi; i++ {
			accs = append(accs, deps.InOut(&a[i]))
		}
		return accs
	}
}

// cover returns the weak form of what perElement returns for all of a.
func cover(a []int) (all deps.List) {
	for i := range a {
		all = append(all, deps.Weak(deps.InOut(&a[i])))
	}
	return all
}

// TestLoopsOverlap: a range of the second loop runs although one of the first, with other data, is not over.
func TestLoopsOverlap(t *testing.T) {
	for name, clauses := range map[string]func(a []int) []tasks.Clause{
		"accesses asked for": func([]int) []tasks.Clause { return nil },
		"accesses given":     func(a []int) []tasks.Clause { return []tasks.Clause{cover(a)} },
	} {
		rt := newRuntime(t, 2)
		a := make([]int, 10)
		var held box[func(error)]
		require.NoError(t, run(t, rt, func(m *tasks.Task) {
			worksharing.Loop(m, len(a), 1, func(c *tasks.Task, lo, _ int) {
				a[lo] = lo
				if lo == 1 {
					held.put(c.Hold())
				}
			}, perElement(a), clauses(a)...)
			tasks.Spawn(m, func() { assert.Equal(t, 2, a[2]); a[2]++ }, deps.InOut(&a[2]))
			worksharing.Loop(m, len(a)/5, 1, func(c *tasks.Task, lo, _ int) {
				if lo == 1 {
					a[1]++ // behind the event that range 0 ends
					return
				}
				for held.get() == nil {
					c.Yield()
				}
				held.get()(nil)
			}, perElement(a), clauses(a[:2])...)
			assert.NoError(t, m.WaitOn(deps.In(&a[1]), deps.In(&a[2])))
			assert.Equal(t, 2, a[1], name)
			assert.Equal(t, 3, a[2], name)
		}))
	}
}

func TestLoopAccessesAreAskedOnce(t *testing.T) {
	a := make([]int, 7)
	for given, clauses := range map[bool][]tasks.Clause{false: nil, true: {cover(a)}} {
		rt := newRuntime(t, 1)
		var asked journal
		accs := func(lo, hi int) []deps.Access {
			asked.note(fmt.Sprint(lo, "-", hi))
			return perElement(a)(lo, hi)
		}
		require.NoError(t, run(t, rt, func(m *tasks.Task) {
			worksharing.Loop(m, len(a), 3, func(_ *tasks.Task, lo, hi int) { a[lo]++ }, accs, clauses...)
			assert.Equal(t, given, asked.text() == "", "asked before Loop returned")
		}))
		require.Equal(t, "0-3 3-6 6-7", asked.text())
	}
}

// TestLoopStrongClause is one of every range.
func TestLoopStrongClause(t *testing.T) {
	rt := newRuntime(t, 4)
	var x, y int
	order := []int{}
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		tasks.Spawn(m, func() { x = 7; y = 7 }, deps.Out(&x), deps.Out(&y))
		worksharing.Loop(m, 100, 1, func(_ *tasks.Task, lo, _ int) {
			order = append(order, lo)
			x++
		}, nil, deps.InOut(&x), deps.List{deps.In(&y)})
		tasks.Spawn(m, func() { y++ }, deps.InOut(&y))
		tasks.Spawn(m, func() { assert.Equal(t, 107, x) }, deps.In(&x))
	}))
	for i := range order {
		require.Equal(t, i, order[i])
	}
}

// TestLoopDoesNotWait: on one slot nothing of it has run when it returns, unless it is undeferred: then all has, in order.
func TestLoopDoesNotWait(t *testing.T) {
	rt := newRuntime(t, 1)
	var j, undeferred journal
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		worksharing.Loop(m, 3, 1, func(*tasks.Task, int, int) { j.note("range") }, nil)
		j.note("returned")
		assert.NoError(t, m.Wait())
		worksharing.Loop(m, 5, 2, func(_ *tasks.Task, lo, hi int) { undeferred.note(fmt.Sprint(lo, hi)) }, nil, tasks.If(false))
		undeferred.note("returned")
	}))
	require.Equal(t, "returned range range range", j.text())
	require.Equal(t, "0 2 2 4 4 5 returned", undeferred.text())
}

func TestLoopClauses(t *testing.T) {
	rt := newRuntime(t, 1)
	var j journal
	var early string
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		var done box[func(error)]
		worksharing.Loop(m, 2, 1, func(c *tasks.Task, lo, _ int) { j.note(fmt.Sprint(c.Label(), lo, c.InFinal())) }, nil,
			tasks.Label("loop"), tasks.Final(true), tasks.Cost(3),
			tasks.OnReady(func(c *tasks.Task) { j.note("ready"); done.put(c.Hold()) }))
		tasks.Spawn(m, func() { early = j.text(); done.get()(nil) }, last)
		assert.NoError(t, m.Wait())
		j.note("|")
		tasks.Spawn(m, func() { j.note("3") }, tasks.Priority(3))
		worksharing.Loop(m, 1, 1, func(*tasks.Task, int, int) { j.note("5") }, nil, tasks.Priority(5))
		worksharing.Loop(m, 1, 1, func(*tasks.Task, int, int) { j.note("1") }, nil, tasks.NewType("one", 1))
	}))
	require.Equal(t, "ready", early, "OnReady's hold delays every range")
	require.Contains(t, j.text(), "loop0 true")
	require.Contains(t, j.text(), "loop1 true")
	require.Contains(t, j.text(), "| 5 3 1")
}

// TestLoopWaitChildren keeps the accesses of ranges that are over until all are.
func TestLoopWaitChildren(t *testing.T) {
	rt := newRuntime(t, 1)
	a := make([]int, 4)
	var after, early atomic.Int32
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		var done box[func(error)]
		worksharing.Loop(m, len(a), 1, func(c *tasks.Task, lo, _ int) {
			if lo == 3 {
				done.put(c.Hold())
			}
		}, perElement(a), tasks.WaitChildren)
		tasks.Spawn(m, func() { after.Add(1) }, deps.In(&a[0]))
		tasks.Spawn(m, func() { early.Store(after.Load()); done.get()(nil) }, last)
	}))
	require.Zero(t, early.Load())
	require.EqualValues(t, 1, after.Load())
}

// TestLoopPanic skips what depends on the range that panicked, and nothing else.
func TestLoopPanic(t *testing.T) {
	rt := newRuntime(t, 2)
	a := make([]int, 10)
	c := make(counts, len(a))
	err := run(t, rt, func(m *tasks.Task) {
		worksharing.Loop(m, len(a), 1, func(_ *tasks.Task, lo, _ int) {
			if lo == 4 {
				boom()
			}
		}, perElement(a), tasks.Label("bad"))
		worksharing.Loop(m, len(a), 1, func(_ *tasks.Task, lo, hi int) { c.add(lo, hi) }, perElement(a))
	})
	var te *tasks.TaskError
	require.ErrorAs(t, err, &te)
	require.Equal(t, "bad", te.Label)
	require.ErrorContains(t, err, "panic: boom")
	require.Zero(t, c[4].Load())
	c[4].Add(1)
	c.once(t, "ranges behind good ones")
}

func TestForInLoop(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		rt := newRuntime(t, workers)
		const rows, cols = 20, 30
		a := make([][]int, rows)
		for i := range a {
			a[i] = make([]int, cols)
		}
		row := func(lo, hi int) (accs []deps.Access) {
			for i := lo; i < hi; i++ {
				accs = append(accs, deps.InOutSlice(a[i]))
			}
			return accs
		}
		require.NoError(t, run(t, rt, func(m *tasks.Task) {
			for range 5 {
				worksharing.Loop(m, rows, 3, func(c *tasks.Task, lo, hi int) {
					for i := lo; i < hi; i++ {
						worksharing.For(c, cols, worksharing.Guided(2), func(_ *tasks.Task, lo, hi int) {
							for j := lo; j < hi; j++ {
								a[i][j]++
							}
						}, deps.InOutSlice(a[i]))
					}
				}, row)
			}
		}))
		for i := range a {
			for j := range a[i] {
				require.Equal(t, 5, a[i][j])
			}
		}
	}
}

func TestLoopMisuse(t *testing.T) {
	rt := newRuntime(t, 1)
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		nothing := func(*tasks.Task, int, int) {}
		assert.PanicsWithValue(t, "worksharing: Loop of -1 iterations in ranges of 1", func() { worksharing.Loop(m, -1, 1, nothing, nil) })
		assert.PanicsWithValue(t, "worksharing: Loop of 1 iterations in ranges of -2", func() { worksharing.Loop(m, 1, -2, nothing, nil) })
		assert.PanicsWithValue(t, "worksharing: Loop of a nil body", func() { worksharing.Loop(m, 1, 1, nil, nil) })
		assert.PanicsWithValue(t, "worksharing: Loop2 of a nil body", func() { worksharing.Loop2(m, [2]int{}, [2]int{}, nil, nil) })
		assert.PanicsWithValue(t, "worksharing: Loop3 of a nil body", func() { worksharing.Loop3(m, [3]int{}, [3]int{}, nil, nil) })
		assert.Panics(t, func() { worksharing.Loop2(m, [2]int{1, -1}, [2]int{}, func(*tasks.Task, [2]int, [2]int) {}, nil) })
		assert.Panics(t, func() {
			worksharing.Loop3(m, [3]int{1, 1, 1}, [3]int{0, 0, -1}, func(*tasks.Task, [3]int, [3]int) {}, nil)
		})
		assert.Panics(t, func() { worksharing.Loop(m, 1, 1, nothing, nil, nil) })
	}))
}
