package conformance

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

func TestTaskCaptures(t *testing.T) {
	var sum [4]int
	add := func(i, by int) { sum[i] += by }
	must(t, 2, func(m *tasks.Task) {
		by := 0
		for i := range sum {
			mine := by // by itself would be shared, and changes
			tasks.Spawn(m, func() { add(i, mine) })
			by += 10
		}
	})
	must(t, 2, func(m *tasks.Task) {
		by := 1
		for i := range sum {
			outline(m, add, i, by)
			by++
		}
	})
	require.Equal(t, [4]int{1, 12, 23, 34}, sum)
}

// outline is a function each call of which is a task; its arguments are evaluated at the call.
func outline(t *tasks.Task, f func(i, by int), i, by int) { tasks.Spawn(t, func() { f(i, by) }) }

func TestTaskwait(t *testing.T) {
	check(t, func() *task {
		return T("root", T("a", weak(inout(x)), T("b", inout(x), T("c", in(x)))), taskwait, T("d"))
	}, "a<d b<d c<d")
	check(t, func() *task { return T("root", T("p", T("a"), taskwait, T("b")), T("q")) }, "a<b p|q a|q")
	// It closes reductions.
	v := 0
	must(t, 2, func(m *tasks.Task) {
		for range 5 {
			tasks.Spawn(m, func(c *tasks.Task) { *reduce.Local(c, &v)++ }, reduce.Sum(&v))
		}
		assert.NoError(t, m.Wait())
		assert.Equal(t, 5, v)
		// Without children it is free.
		assert.Zero(t, testing.AllocsPerRun(100, func() { _ = m.Wait() }))
	})
}

func TestTaskwaitOn(t *testing.T) {
	check(t, func() *task {
		return T("root", T("a", out(x)), T("b", out(y)), waitOn(in(x)), T("c"))
	}, "a<c b|c")
	check(t, func() *task { return T("root", T("a", in(x)), waitOn(in(x)), T("c")) }, "a|c")
	check(t, func() *task { return T("root", T("a", in(x)), waitOn(inout(x)), T("c")) }, "a<c")
	check(t, func() *task { return T("root", T("a", out(left)), T("b", out(y)), waitOn(in(span(2, 6))), T("c")) }, "a<c b|c")
	// For the access, not for the task: not for its children elsewhere.
	check(t, func() *task { return T("root", T("a", inout(x), T("k", inout(y))), waitOn(in(x)), T("c")) }, "a<c k|c")
	check(t, func() *task { return T("root", T("a", inout(x), release(inout(x))), waitOn(in(x)), T("c")) }, "a|c")
	check(t, func() *task { return T("root", T("a", adds(x)), T("b", adds(x)), waitOn(in(x)), T("c")) }, "a<c b<c")
	v := 0
	require.ErrorContains(t, on(t, 1, func(m *tasks.Task) error { return m.WaitOn(deps.Weak(deps.In(&v))) }), "weak")
}

func TestRelease(t *testing.T) {
	// What released parts order is played in TestPairs. Here: what may be released, and what becomes of it.
	for _, k := range []func(region) access{in, out, inout, concurrent, commutative, adds} {
		check(t, func() *task { return T("root", T("a", k(x), release(k(x))), T("b", inout(x))) }, "a|b")
		check(t, func() *task {
			return T("root", T("a", weak(k(x)), release(weak(k(x)))), T("b", inout(x)))
		}, "a|b")
		// Children that use it delay the hand-over.
		check(t, func() *task {
			return T("root", T("a", weak(k(x)), T("c", k(x)), release(weak(k(x)))), T("b", inout(x)))
		}, "a|b c<b")
	}
	// The exclusion of a commutative goes with it.
	check(t, func() *task {
		return T("root", T("a", commutative(x), release(commutative(x))), T("b", commutative(x)))
	}, "a|b")
	// Parts, and parts of several accesses.
	check(t, func() *task {
		return T("root", T("a", inout(left), inout(rest), release(inout(span(2, 6)))), T("b", inout(span(2, 6))), T("c", in(span(0, 2))))
	}, "a|b a<c")
	check(t, func() *task {
		return T("root", T("a", inout(tile(0, 4, 0, 4)), release(inout(tile(1, 2, 0, 4)))), T("b", in(tile(1, 2, 1, 8))), T("c", in(tile(0, 1, 0, 4))))
	}, "a|b a<c")
	// The right to write.
	check(t, func() *task {
		return T("root", T("a", inout(x), release(in(x))), T("b", in(x)), T("c", inout(x)))
	}, "a|b a<c b<c")
	check(t, func() *task {
		return T("root", T("a", inout(x), release(in(left))), T("b", in(left)), T("c", in(rest)))
	}, "a|b a<c")

	// But for what children use now: on one slot, where what is now is certain.
	single := newStage(t, 0)
	for _, choose := range policies {
		_, err := single.run(T("root", T("a", inout(x), T("k", inout(left)), release(in(x))), T("b", in(rest)), T("c", in(left))), choose)
		require.NoError(t, err)
	}

	// An In of what was inout is half a release, so it may come first, and the whole after it.
	v, w := 0, 0
	for want, bad := range map[string]func(*tasks.Task){
		"has not declared like that, or has released before":     func(c *tasks.Task) { c.Release(deps.In(&w)) },
		"has not declared like that, or has released before ":    func(c *tasks.Task) { c.Release(deps.Concurrent(&v)) },
		"has not declared like that, or has released before  ":   func(c *tasks.Task) { c.Release(deps.Weak(deps.InOut(&v))) },
		"has not declared like that, or has released before   ":  func(c *tasks.Task) { c.Release(deps.InOut(&v)); c.Release(deps.InOut(&v)) },
		"has not declared like that, or has released before    ": func(c *tasks.Task) { c.Release(deps.In(&v)); c.Release(deps.InOut(&v)) },
	} {
		err := on(t, 1, func(m *tasks.Task) error { tasks.Spawn(m, bad, deps.InOut(&v)); return nil })
		require.ErrorContains(t, err, want[:50])
	}
	must(t, 1, func(m *tasks.Task) {
		tasks.Spawn(m, func(c *tasks.Task) { c.Release(deps.In(&v)); c.Release(deps.In(&v)) }, deps.InOut(&v))
	})
}

func TestTaskloop(t *testing.T) {
	// Its tasks' accesses are their ranges', they meet, nothing waits, and the loop behind it overlaps.
	v := make([]int, 8)
	must(t, 4, func(m *tasks.Task) {
		first, second := newMeeting(), newMeeting()
		worksharing.Loop(m, len(v), 2, func(c *tasks.Task, lo, hi int) {
			switch lo {
			case 0, 2:
				first.join()
			case 6:
				second.join() // with a task of the next loop
			}
			for i := lo; i < hi; i++ {
				v[i] = i
			}
		}, func(lo, hi int) []deps.Access { return []deps.Access{deps.OutSlice(v[lo:hi])} })
		worksharing.Loop(m, len(v), 4, func(c *tasks.Task, lo, hi int) {
			if lo == 0 {
				second.join()
			}
			for i := lo; i < hi; i++ {
				v[i] *= 2
			}
		}, func(lo, hi int) []deps.Access { return []deps.Access{deps.InOutSlice(v[lo:hi])} })
	})
	require.Equal(t, []int{0, 2, 4, 6, 8, 10, 12, 14}, v)
	// collapse(2), and the default grain: iterations by slots.
	var cells atomic.Int32
	var ranges atomic.Int32
	must(t, 2, func(m *tasks.Task) {
		worksharing.Loop2(m, [2]int{5, 7}, [2]int{2, 3}, func(_ *tasks.Task, lo, hi [2]int) {
			cells.Add(int32((hi[0] - lo[0]) * (hi[1] - lo[1])))
		}, nil)
		worksharing.Loop(m, 10, 0, func(_ *tasks.Task, lo, hi int) { ranges.Add(1) }, nil)
	})
	require.Equal(t, [2]int32{35, 2}, [2]int32{cells.Load(), ranges.Load()})
}

func TestTaskFor(t *testing.T) {
	v, after := make([]int, 64), 0
	must(t, 2, func(m *tasks.Task) {
		both := newMeeting()
		tasks.Spawn(m, func() { v[0] = 1 }, deps.OutSlice(v))
		worksharing.For(m, len(v), worksharing.Static(32), func(c *tasks.Task, lo, hi int) {
			both.join() // two slots, one task
			for i := lo; i < hi; i++ {
				v[i]++
				*reduce.Local(c, &after)++
			}
		}, deps.InOutSlice(v), reduce.Sum(&after))
		tasks.Spawn(m, func() { v[1] += after }, deps.InOutSlice(v), deps.In(&after))
	})
	require.Equal(t, []int{2, 65, 1}, v[:3])
}

func TestCritical(t *testing.T) {
	// One slot: who waits for the section does not keep it. Other names are other locks.
	n := 0
	var order journal
	must(t, 1, func(m *tasks.Task) {
		leave := make(chan func(), 1)
		var inside atomic.Bool
		tasks.Spawn(m, func(c *tasks.Task) {
			c.Critical("", func() {
				inside.Store(true)
				_ = c.Suspend(func(resume func()) { leave <- resume })
				order.add("a")
			})
		})
		tasks.Spawn(m, func(c *tasks.Task) {
			for !inside.Load() {
				c.Yield()
			}
			tasks.Spawn(c, func(d *tasks.Task) { d.Critical("", func() { order.add("b") }) })
			tasks.Spawn(c, func(d *tasks.Task) { d.Critical("other", func() { n++ }); (<-leave)() })
		})
	})
	require.Equal(t, "ab", order.text)
	require.Equal(t, 1, n)
}

func TestAtomic(t *testing.T) {
	var n atomic.Int64
	var item, seen int64
	must(t, 4, func(m *tasks.Task) {
		both := newMeeting()
		for range 2 {
			tasks.Spawn(m, func() { both.join(); n.Add(1) }, deps.Concurrent(&item))
		}
		tasks.Spawn(m, func() { seen = n.Load() }, deps.In(&item))
	})
	require.EqualValues(t, 2, seen)
}

func TestDeclareReduction(t *testing.T) {
	type extremes struct{ lo, hi int }
	op := reduce.NewOp("extremes", func(a, b *extremes) { a.lo, a.hi = min(a.lo, b.lo), max(a.hi, b.hi) },
		func(p *extremes) { *p = extremes{1 << 30, -1 << 30} })
	v := extremes{5, 6}
	must(t, 2, func(m *tasks.Task) {
		for _, i := range []int{9, -3, 7} {
			tasks.Spawn(m, func(c *tasks.Task) {
				e := reduce.Local(c, &v)
				e.lo, e.hi = min(e.lo, i), max(e.hi, i)
			}, reduce.With(&v, op))
		}
	})
	require.Equal(t, extremes{-3, 9}, v)
}

func TestYield(t *testing.T) {
	var order journal
	must(t, 1, func(m *tasks.Task) {
		tasks.Spawn(m, func() { order.add("a") })
		m.Yield()
		order.add("m")
		m.Yield()
	})
	require.Equal(t, "am", order.text)
}

// TestBlockedBodiesCostNoSlot: what OmpSs-2 needs coroutines for.
func TestBlockedBodiesCostNoSlot(t *testing.T) {
	const n = 1000
	var blocked atomic.Int32
	must(t, 1, func(m *tasks.Task) {
		resume := make(chan func(), n)
		for range n {
			tasks.Spawn(m, func(c *tasks.Task) {
				tasks.Spawn(c, func(d *tasks.Task) { _ = d.Suspend(func(r func()) { resume <- r }) })
				_ = c.Wait() // deep in a call, too
				blocked.Add(1)
			})
		}
		tasks.Spawn(m, func() {
			go func() {
				for range n {
					(<-resume)()
				}
			}()
		})
	})
	require.EqualValues(t, n, blocked.Load())
}

func TestTaskiter(t *testing.T) {
	// Recorded once, run as a graph without a barrier: a task of the second iteration meets one of the first.
	v, calls, sum := make([]int, 4), 0, 0
	must(t, 2, func(m *tasks.Task) {
		both := newMeeting()
		worksharing.Iter(m, 6, func(c *tasks.Task) {
			calls++
			for i := range v {
				tasks.Spawn(c, func(c *tasks.Task) {
					if k := worksharing.Index(c); k == 1 && i == 0 || k == 0 && i == 3 {
						both.join()
					}
					v[i] += worksharing.Index(c)
				}, deps.InOut(&v[i]))
			}
			tasks.Spawn(c, func(c *tasks.Task) { *reduce.Local(c, &sum)++ }, reduce.Sum(&sum))
		}, deps.InOutSlice(v), deps.InOut(&sum))
	})
	require.Equal(t, []int{15, 15, 15, 15}, v)
	require.Equal(t, 6, sum)
	require.Equal(t, 1, calls)
	// While, exactly: the condition reads what the iteration before wrote.
	n, rounds := 100, 0
	must(t, 2, func(m *tasks.Task) {
		worksharing.IterWhile(m, func(*tasks.Task) bool { return n > 1 }, deps.List{deps.In(&n)}, func(c *tasks.Task) {
			tasks.Spawn(c, func() { n /= 2; rounds++ }, deps.InOut(&n))
		}, deps.InOut(&n))
	})
	require.Equal(t, [2]int{1, 6}, [2]int{n, rounds})
	// update: other captures every time.
	w, made := 0, 0
	must(t, 2, func(m *tasks.Task) {
		worksharing.Iter(m, 4, func(c *tasks.Task) {
			made++
			by := made
			tasks.Spawn(c, func() { w = w*10 + by }, deps.InOut(&w))
		}, deps.InOut(&w), worksharing.Update)
	})
	require.Equal(t, 1234, w)
}
