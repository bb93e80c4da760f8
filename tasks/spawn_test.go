package tasks_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func TestSpawnTakesFourShapesOfBody(t *testing.T) {
	rt := newRuntime(t, 2)
	var ran atomic.Int32
	one, two := errors.New("one"), errors.New("two")
	err := run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func() { ran.Add(1) })
		tasks.Spawn(m, func(c *tasks.Task) { assert.NotSame(t, m, c); ran.Add(1) })
		tasks.Spawn(m, func() error { ran.Add(1); return one })
		tasks.Spawn(m, func(c *tasks.Task) error { assert.NotSame(t, m, c); ran.Add(1); return two })
		return nil
	})
	require.EqualValues(t, 4, ran.Load())
	require.ErrorIs(t, err, one)
	require.ErrorIs(t, err, two)
}

type strangeClause struct{}

func (strangeClause) TaskClause() {}

func TestSpawnPanicsOnMisuse(t *testing.T) {
	rt := newRuntime(t, 2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		const clause = "tasks: a clause is nil or of a type that Spawn does not know"
		assert.PanicsWithValue(t, "tasks: Spawn of a nil body", func() { tasks.Spawn(m, (func())(nil)) })
		assert.PanicsWithValue(t, clause, func() { tasks.Spawn(m, func() {}, nil) })
		assert.PanicsWithValue(t, clause, func() { tasks.Spawn(m, func() {}, strangeClause{}) })
		assert.PanicsWithValue(t, "tasks: Spawn on a task whose body is not running",
			func() { tasks.Spawn((*tasks.Task)(nil), func() {}) })
		ran := false
		tasks.Spawn(m, func() { ran = true })
		assert.NoError(t, m.Wait())
		assert.True(t, ran, "the task goes on after a refused spawn")
		return nil
	}))
}

// TestFinishedTaskIsRefused keeps tasks longer than their bodies last.
func TestFinishedTaskIsRefused(t *testing.T) {
	var x int
	verbs := map[string]func(*tasks.Task){
		"Spawn":    func(k *tasks.Task) { tasks.Spawn(k, func() {}) },
		"Wait":     func(k *tasks.Task) { _ = k.Wait() },
		"WaitOn":   func(k *tasks.Task) { _ = k.WaitOn(deps.In(&x)) },
		"Release":  func(k *tasks.Task) { k.Release(deps.In(&x)) },
		"Hold":     func(k *tasks.Task) { k.Hold() },
		"Suspend":  func(k *tasks.Task) { _ = k.Suspend(func(resume func()) { resume() }) },
		"Sleep":    func(k *tasks.Task) { k.Sleep(1) },
		"Yield":    func(k *tasks.Task) { k.Yield() },
		"Critical": func(k *tasks.Task) { k.Critical("a", func() {}) },
	}
	for verb, call := range verbs {
		want := "tasks: " + verb + " on a task whose body is not running"
		t.Run(verb+"/root", func(t *testing.T) {
			rt := newRuntime(t, 1)
			var kept *tasks.Task
			require.NoError(t, run(t, rt, func(m *tasks.Task) error { kept = m; return nil }))
			require.PanicsWithValue(t, want, func() { call(kept) })
		})
		t.Run(verb+"/held", func(t *testing.T) {
			// The body is over, but the task is not: an event is pending.
			rt := newRuntime(t, 1)
			require.NoError(t, run(t, rt, func(m *tasks.Task) error {
				var kept *tasks.Task
				var done func(error)
				tasks.Spawn(m, func(k *tasks.Task) { kept, done = k, k.Hold() }, tasks.If(false))
				assert.PanicsWithValue(t, want, func() { call(kept) })
				done(nil)
				return nil
			}))
		})
	}
}

func TestCreatorGoesOn(t *testing.T) {
	rt := newRuntime(t, 1)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var started atomic.Bool
		tasks.Spawn(m, func() { started.Store(true) })
		assert.False(t, started.Load(), "there is no slot for the child")
		assert.NoError(t, m.Wait())
		assert.True(t, started.Load())
		return nil
	}))
}

func TestIndependentTasksRunTogether(t *testing.T) {
	rt := newRuntime(t, 4)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		all := newMeeting(4)
		x := make([]int, 3)
		for i := range x {
			tasks.Spawn(m, func() { all.join() }, deps.Out(&x[i]))
		}
		all.join()
		return nil
	}))
}

// TestSameKind checks which kinds on one item run together. Two tasks meet, or find that the other one is not there.
func TestSameKind(t *testing.T) {
	kinds := map[string]struct {
		access   func(*int) deps.Access
		together bool
	}{
		"in":          {deps.In[int], true},
		"out":         {deps.Out[int], false},
		"inout":       {deps.InOut[int], false},
		"concurrent":  {deps.Concurrent[int], true},
		"commutative": {deps.Commutative[int], false},
	}
	for name, k := range kinds {
		t.Run(name, func(t *testing.T) {
			rt := newRuntime(t, 2)
			var x int
			var inside, most atomic.Int32
			both := newMeeting(2)
			require.NoError(t, run(t, rt, func(m *tasks.Task) error {
				for range 2 {
					tasks.Spawn(m, func(c *tasks.Task) {
						n := inside.Add(1)
						most.Store(max(most.Load(), n))
						if k.together {
							both.join()
						} else {
							c.Yield() // whatever else can run does
						}
						inside.Add(-1)
					}, k.access(&x))
				}
				return nil
			}))
			if k.together {
				require.EqualValues(t, 2, most.Load())
			} else {
				require.EqualValues(t, 1, most.Load())
			}
		})
	}
}

// TestKindsAgainstEachOther holds a task of one kind back from its end and looks whether one of another kind starts.
func TestKindsAgainstEachOther(t *testing.T) {
	kinds := map[string]func(*int) deps.Access{
		"in": deps.In[int], "out": deps.Out[int], "inout": deps.InOut[int], "concurrent": deps.Concurrent[int], "commutative": deps.Commutative[int],
	}
	for n1, k1 := range kinds {
		for n2, k2 := range kinds {
			t.Run(n1+"-"+n2, func(t *testing.T) {
				rt := newRuntime(t, 1)
				var x int
				var started atomic.Bool
				together := n1 == n2 && (n1 == "in" || n1 == "concurrent")
				require.NoError(t, run(t, rt, func(m *tasks.Task) error {
					var open box[func()]
					tasks.Spawn(m, func(c *tasks.Task) error { return c.Suspend(func(r func()) { open.put(r) }) }, k1(&x), tasks.Priority(1))
					tasks.Spawn(m, func() { started.Store(true) }, k2(&x))
					tasks.Spawn(m, func() {
						assert.Equal(t, together, started.Load())
						open.get()()
					}, last)
					return m.Wait()
				}))
				require.True(t, started.Load())
			})
		}
	}
}

func TestSkipsNilAndEmptyAccesses(t *testing.T) {
	rt := newRuntime(t, 2)
	var p *int
	var none []int
	var empty struct{}
	both := newMeeting(2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		for range 2 {
			tasks.Spawn(m, func() { both.join() }, deps.InOut(p), deps.InOutSlice(none), deps.InOut(&empty), deps.List{deps.Out(p)}, deps.Access{})
		}
		return nil
	}))
}

// TestOverlappingRegions: tasks are ordered by the bytes they share. Those on disjoint parts meet; one on all waits for
// both, and one on a part of what it wrote only for it.
func TestOverlappingRegions(t *testing.T) {
	rt := newRuntime(t, 2)
	x := make([]int, 8)
	both, halves := newMeeting(2), newMeeting(2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		for lo := 0; lo < 8; lo += 4 {
			tasks.Spawn(m, func() {
				both.join()
				for i := lo; i < lo+4; i++ {
					x[i] = i
				}
			}, deps.OutSlice(x[lo:lo+4]))
		}
		tasks.Spawn(m, func() {
			for i := range x {
				x[i] *= 10
			}
		}, deps.InOutSlice(x))
		tasks.Spawn(m, func() { halves.join(); x[3]++ }, deps.InOutSlice(x[3:6]))
		tasks.Spawn(m, func() { halves.join(); x[6]++ }, deps.InOutSlice(x[6:]))
		return nil
	}))
	require.Equal(t, []int{0, 10, 20, 31, 40, 50, 61, 70}, x)
}

// TestReleaseOfParts: who waits for a part of what a task writes goes on when that part is released; a reader, when the
// right to write is.
func TestReleaseOfParts(t *testing.T) {
	rt := newRuntime(t, 2)
	x := make([]int, 8)
	first, second := newMeeting(2), newMeeting(2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func(c *tasks.Task) {
			x[0], x[7] = 1, 2
			c.Release(deps.InOutSlice(x[:4]))
			first.join()
			c.Release(deps.InSlice(x[4:]))
			second.join()
			assert.Equal(t, 2, x[7])
		}, deps.InOutSlice(x))
		tasks.Spawn(m, func() { assert.Equal(t, 1, x[0]); first.join() }, deps.InOutSlice(x[:3]))
		tasks.Spawn(m, func() { assert.Equal(t, 2, x[7]); second.join() }, deps.InSlice(x[6:]))
		return nil
	}))
}

// TestTiles: tiles of one matrix interleave in memory and share bytes only where they overlap.
func TestTiles(t *testing.T) {
	rt := newRuntime(t, 2)
	const n = 8
	a := make([]int, n*n)
	both := newMeeting(2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		add := func(i0, i1, j0, j1, v int) {
			for i := i0; i < i1; i++ {
				for j := j0; j < j1; j++ {
					a[i*n+j] += v
				}
			}
		}
		tasks.Spawn(m, func() { both.join(); add(0, 8, 0, 4, 1) }, deps.InOutTile(a, n, 0, 8, 0, 4))
		tasks.Spawn(m, func() { both.join(); add(0, 8, 4, 8, 2) }, deps.InOutTile(a, n, 0, 8, 4, 8))
		tasks.Spawn(m, func() { add(2, 6, 2, 6, 10) }, deps.InOutTile(a, n, 2, 6, 2, 6))
		return m.WaitOn(deps.InTile(a, n, 5, 6, 3, 5))
	}))
	require.Equal(t, []int{1, 1, 11, 11, 12, 12, 2, 2}, a[2*n:3*n])
	require.Equal(t, []int{1, 1, 1, 1, 2, 2, 2, 2}, a[:n])
}

func TestManyAccessesInOneTask(t *testing.T) {
	rt := newRuntime(t, 2)
	v := make([]int, 1000)
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		var all deps.List
		for i := range v {
			tasks.Spawn(m, func() { v[i] = i }, deps.Out(&v[i]))
			all = append(all, deps.In(&v[i]))
		}
		sum := 0
		tasks.Spawn(m, func() {
			for i := range v {
				sum += v[i]
			}
		}, all, all, deps.Out(&sum))
		assert.NoError(t, m.Wait())
		assert.Equal(t, 999*1000/2, sum)
		return nil
	}))
}
