package worksharing_test

import (
	"fmt"
	"math"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
	"github.com/gompss/gompss/worksharing"
)

var dynamic = worksharing.Dynamic(1)

func TestForRunsEveryIterationOnce(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		rt := newRuntime(t, workers)
		for _, s := range schedules() {
			for _, n := range []int{0, 1, 2, 3, 5, 64, 100, 1000, 4097} {
				c := make(counts, n)
				var empty atomic.Bool
				require.NoError(t, run(t, rt, func(m *tasks.Task) {
					worksharing.For(m, n, s, func(_ *tasks.Task, lo, hi int) {
						if lo >= hi {
							empty.Store(true)
						}
						c.add(lo, hi)
					})
				}))
				c.once(t, fmt.Sprintf("%v with %d workers", s, workers))
				require.False(t, empty.Load())
			}
		}
	}
}

func TestForRunsOnManySlots(t *testing.T) {
	for _, workers := range []int{2, 3, 20} { // with 20 several tasks invite
		rt := newRuntime(t, workers)
		for _, s := range []worksharing.Schedule{worksharing.Static(0), worksharing.Static(1), dynamic, worksharing.Guided(0), worksharing.Adaptive()} {
			met := newMeeting(workers)
			require.NoError(t, run(t, rt, func(m *tasks.Task) {
				worksharing.For(m, workers, s, func(*tasks.Task, int, int) { met.join() })
			}), "%v", s)
		}
	}
}

func TestForWaitsForItsPredecessor(t *testing.T) {
	rt := newRuntime(t, 1)
	for name, a := range map[string]func(*int) deps.Access{
		"strong": deps.InOut[int],
		"weak":   func(p *int) deps.Access { return deps.Weak(deps.InOut(p)) },
		"list":   deps.In[int],
	} {
		var x int
		var before, during atomic.Int32
		require.NoError(t, run(t, rt, func(m *tasks.Task) {
			var done box[func(error)]
			tasks.Spawn(m, func(c *tasks.Task) { done.put(c.Hold()) }, deps.Out(&x))
			worksharing.For(m, 10, dynamic, func(*tasks.Task, int, int) { during.Add(1) }, deps.List{a(&x)})
			tasks.Spawn(m, func() { before.Store(during.Load()); done.get()(nil) }, last)
		}))
		require.Zero(t, before.Load(), name)
		require.NotZero(t, during.Load(), name)
	}
}

// TestForKeepsItsAccesses until the last of it is over: a range whose event is pending, or a task that a range spawned.
func TestForKeepsItsAccesses(t *testing.T) {
	rt := newRuntime(t, 1)
	for name, body := range map[string]func(t *tasks.Task, held *box[func(error)]){
		"event": func(t *tasks.Task, held *box[func(error)]) { held.put(t.Hold()) },
		"task": func(t *tasks.Task, held *box[func(error)]) {
			tasks.Spawn(t, func(t *tasks.Task) { held.put(t.Hold()) })
		},
	} {
		var x int
		var after, early atomic.Int32
		require.NoError(t, run(t, rt, func(m *tasks.Task) {
			var done box[func(error)]
			worksharing.For(m, 10, dynamic, func(c *tasks.Task, lo, _ int) {
				if lo == 5 {
					body(c, &done)
				}
			}, deps.Out(&x))
			tasks.Spawn(m, func() { after.Add(1) }, deps.In(&x))
			tasks.Spawn(m, func() { early.Store(after.Load()); done.get()(nil) }, last)
		}))
		require.Zero(t, early.Load(), name)
		require.EqualValues(t, 1, after.Load(), name)
	}
}

func TestForOrdersData(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		rt := newRuntime(t, workers)
		for _, s := range schedules() {
			a := make([]int, 500)
			sum := 0
			require.NoError(t, run(t, rt, func(m *tasks.Task) {
				tasks.Spawn(m, func() {
					for i := range a {
						a[i] = i
					}
				}, deps.OutSlice(a))
				for range 3 {
					worksharing.For(m, len(a), s, func(_ *tasks.Task, lo, hi int) {
						for i := lo; i < hi; i++ {
							a[i]++
						}
					}, deps.InOutSlice(a))
				}
				tasks.Spawn(m, func() {
					for _, v := range a {
						sum += v
					}
				}, deps.InSlice(a), deps.Out(&sum))
			}))
			require.Equal(t, 500*499/2+3*500, sum, "%v with %d workers", s, workers)
		}
	}
}

func TestForCommutative(t *testing.T) {
	rt := newRuntime(t, 4)
	var x int
	var loops, together [2]atomic.Int32
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		for k := range 20 {
			worksharing.For(m, 50, dynamic, func(*tasks.Task, int, int) {
				loops[k%2].Add(1)
				if loops[1-k%2].Load() != 0 {
					together[0].Add(1)
				}
				loops[k%2].Add(-1)
			}, deps.Commutative(&x))
		}
	}))
	require.Zero(t, together[0].Load(), "two loops had the token")
}

// TestForWithoutIterations is a task all the same.
func TestForWithoutIterations(t *testing.T) {
	rt := newRuntime(t, 2)
	var x, y int
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		tasks.Spawn(m, func() { x = 1 }, deps.Out(&x))
		worksharing.For(m, 0, worksharing.Static(0), func(*tasks.Task, int, int) { t.Error("ran") }, deps.In(&x), deps.Out(&y))
		tasks.Spawn(m, func() { x++ }, deps.In(&y)) // ordered behind the writer of x by the loop alone
	}))
	require.Equal(t, 2, x)
}

// TestForWaitInABody waits for what the body spawned, not for other ranges.
func TestForWaitInABody(t *testing.T) {
	rt := newRuntime(t, 2)
	met := newMeeting(2)
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		worksharing.For(m, 2, worksharing.Static(1), func(c *tasks.Task, lo, _ int) {
			x := 0
			tasks.Spawn(c, func() { x = 1 })
			assert.NoError(t, c.Wait())
			assert.Equal(t, 1, x)
			met.join()
		})
	}))
}

func TestForNested(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		rt := newRuntime(t, workers)
		for _, s := range []worksharing.Schedule{{}, dynamic, worksharing.Static(2)} {
			c := make(counts, 20*30)
			inner := make(counts, 10*10)
			require.NoError(t, run(t, rt, func(m *tasks.Task) {
				worksharing.For(m, 20, s, func(c1 *tasks.Task, lo, hi int) {
					for i := lo; i < hi; i++ {
						worksharing.For(c1, 30, s, func(_ *tasks.Task, lo, hi int) { c.add(30*i+lo, 30*i+hi) })
					}
				})
				worksharing.For(m, 10, s, func(c1 *tasks.Task, lo, hi int) {
					for i := lo; i < hi; i++ {
						worksharing.Loop(c1, 10, 3, func(_ *tasks.Task, lo, hi int) { inner.add(10*i+lo, 10*i+hi) }, nil)
					}
				})
			}))
			c.once(t, "For in For")
			inner.once(t, "Loop in For")
		}
	}
}

func TestForInOrderWhenSerial(t *testing.T) {
	for _, s := range schedules() {
		next := 0
		require.NoError(t, taskstest.Serial(t, func(m *tasks.Task) error {
			worksharing.For(m, 300, s, func(_ *tasks.Task, lo, hi int) {
				assert.Equal(t, next, lo, "%v", s)
				next = hi
			})
			assert.Equal(t, 300, next, "For returned before the loop was over")
			return nil
		}))
	}
}

func TestForUnderSchedules(t *testing.T) {
	taskstest.Schedules(t, fewer(200), func() (func(*tasks.Task) error, func() any) {
		a, b := make([]int, 100), make([]int, 100)
		main := func(m *tasks.Task) error {
			for k, s := range schedules() {
				worksharing.For(m, len(a), s, func(_ *tasks.Task, lo, hi int) {
					for i := lo; i < hi; i++ {
						a[i] = 3*a[i] + b[i] + k
					}
				}, deps.InOutSlice(a), deps.InSlice(b))
				worksharing.Loop(m, len(b), 0, func(_ *tasks.Task, lo, hi int) {
					for i := lo; i < hi; i++ {
						b[i] = a[i] - b[i]
					}
				}, func(lo, hi int) []deps.Access { return []deps.Access{deps.InSlice(a), deps.InOutSlice(b)} })
			}
			return nil
		}
		return main, func() any { return [][]int{a, b} }
	})
}

func TestForMisuse(t *testing.T) {
	rt := newRuntime(t, 1)
	nothing := func(*tasks.Task, int, int) {}
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		assert.PanicsWithValue(t, "worksharing: For of -1 iterations", func() { worksharing.For(m, -1, dynamic, nothing) })
		assert.PanicsWithValue(t, "worksharing: For of a nil body", func() { worksharing.For(m, 1, dynamic, nil) })
		assert.Panics(t, func() { worksharing.For(m, 1, dynamic, nothing, nil) })
		assert.Panics(t, func() { worksharing.For(m, 1, dynamic, nothing, last, last, last, last, last, last, last, nil) })
		assert.PanicsWithValue(t, "worksharing: schedule guided,-2: a chunk is not negative", func() { worksharing.Guided(-2) })
		assert.Panics(t, func() { worksharing.Static(-1) })
		assert.Panics(t, func() { worksharing.Dynamic(math.MinInt) })
	}))
}

func TestScheduleString(t *testing.T) {
	for want, s := range map[string]worksharing.Schedule{
		"adaptive": {}, "static": worksharing.Static(0), "static,3": worksharing.Static(3),
		"dynamic,4": worksharing.Dynamic(4), "guided,5": worksharing.Guided(5),
	} {
		require.Equal(t, want, s.String())
	}
}
