package conformance

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
)

func TestIn(t *testing.T) {
	check(t, func() *task {
		return T("root", T("a", out(x)), T("b", in(x)), T("c", in(x)), T("d", inout(x)))
	}, "a<b a<c b|c b<d c<d")
}

func TestOutAndInOut(t *testing.T) {
	for _, first := range []func(region) access{in, out, inout, concurrent, commutative} {
		for _, second := range []func(region) access{out, inout} {
			check(t, func() *task { return T("root", T("a", first(x)), T("b", second(x)), T("c", first(x))) }, "a<b b<c")
		}
	}
}

func TestConcurrent(t *testing.T) {
	check(t, func() *task {
		return T("root", T("a", in(x)), T("b", concurrent(x)), T("c", concurrent(x)), T("d", commutative(x)), T("e", in(x)))
	}, "a<b a<c b|c b<d c<d d<e")
	// Through parents, which in OmpSs-2 cannot be: there is no weak concurrent.
	check(t, func() *task {
		return T("root", T("p", weak(concurrent(x)), T("a", concurrent(x))), T("q", weak(concurrent(x)), T("b", concurrent(x))), T("c", in(x)))
	}, "a|b a<c b<c")
}

func TestCommutative(t *testing.T) {
	check(t, func() *task {
		return T("root", T("a", out(x)), T("b", commutative(x)), T("c", commutative(x)), T("d", concurrent(x)))
	}, "a<b a<c b!c b<d c<d")
	check(t, func() *task { // any order: the second may go before the first, which waits for something else
		return T("root", T("a", out(y)), T("b", commutative(x), in(y)), T("c", commutative(x)))
	}, "a<b b!c a|c")
	check(t, func() *task { // all items together
		return T("root", T("a", commutative(left), commutative(rest)), T("b", commutative(rest), commutative(y)), T("c", commutative(y), commutative(left)))
	}, "a!b b!c c!a")
	check(t, func() *task { // exclusion by bytes
		return T("root", T("a", commutative(x)), T("b", commutative(span(4, 12))), T("c", commutative(span(12, 16))))
	}, "a!b a|c b|c")
	check(t, func() *task { // through domains that do not know each other
		return T("root", T("p", weak(commutative(x)), T("a", commutative(x))), T("q", weak(commutative(x)), T("b", commutative(x))))
	}, "a!b p|q")
	check(t, func() *task { // children work under their parent's exclusion, and it may wait for them
		return T("root", T("p", commutative(x), T("a", inout(x)), taskwait, T("b", commutative(x)), T("c", commutative(x))), T("q", commutative(x)))
	}, "p|a b!c p!q a!q b!q c!q")
}

func TestWeak(t *testing.T) {
	kinds := []func(region) access{in, out, inout, concurrent, commutative, adds}
	for _, k := range kinds {
		check(t, func() *task { // does not delay the task, but its child, which may be the only one to wait
			return T("root", T("a", inout(x)), T("p", weak(k(x)), T("c", in(y))), T("b", inout(x)))
		}, "a|p a<b")
		check(t, func() *task { // weak and strong is strong
			return T("root", T("a", inout(x)), T("p", weak(in(x)), in(x)))
		}, "a<p")
	}
	for _, k := range kinds[:5] {
		check(t, func() *task {
			return T("root", T("a", inout(x)), T("p", weak(k(x)), T("c", k(x))), T("b", inout(x)))
		}, "a<c c<b a|p")
	}
}

func TestWeakInFinal(t *testing.T) {
	check(t, func() *task {
		return T("root", T("a", out(x)), T("p", final, weak(in(x)), T("c", weak(in(x)))))
	}, "a<p a<c")
	must(t, 1, func(m *tasks.Task) { // the source of a taskloop is weak: see TestTaskloop
		tasks.Spawn(m, func(c *tasks.Task) { assert.True(t, c.InFinal()) }, tasks.Final(true))
	})
}

func TestTheSameItemTwice(t *testing.T) {
	kinds := []func(region) access{in, out, inout, concurrent, commutative}
	s := newStage(t, 0)
	for i, a := range kinds {
		for j, b := range kinds {
			k := inout
			switch {
			case i == j:
				k = a
			case i+j == 3+4:
				k = commutative
			}
			for _, probe := range kinds { // the pair orders as the one does
				for _, build := range []func(...any) *task{
					func(args ...any) *task { return T("root", T("a", args...), T("b", probe(x)), T("c", in(x))) },
					func(args ...any) *task { return T("root", T("a", probe(x)), T("b", args...), T("c", in(x))) },
				} {
					_, err := s.run(build(a(x), b(x)), youngestFirst)
					require.NoError(t, err)
					_, err = s.run(build(k(x)), youngestFirst)
					require.NoError(t, err)
				}
			}
		}
	}
	check(t, func() *task { // piece by piece
		return T("root", T("a", in(span(0, 6)), out(span(4, 12))), T("b", in(left)), T("c", in(span(4, 6))), T("d", in(y)))
	}, "a|b a<c a<d")
	v := 0
	for _, other := range []deps.Access{deps.In(&v), reduce.Prod(&v)} {
		require.ErrorContains(t, on(t, 1, func(m *tasks.Task) error {
			tasks.Spawn(m, func() {}, reduce.Sum(&v), other)
			return nil
		}), "what it reduces it cannot use otherwise")
	}
}

func TestEmptyAccesses(t *testing.T) {
	var none *int
	must(t, 1, func(m *tasks.Task) {
		both := make(chan func(), 1)
		tasks.Spawn(m, func(c *tasks.Task) { _ = c.Suspend(func(r func()) { both <- r }) },
			deps.InOut(none), deps.InOutSlice([]int{}), deps.Access{}, deps.InOutTile([]int{1, 2}, 2, 0, 1, 1, 1))
		tasks.Spawn(m, func() { (<-both)() }, deps.InOut(none), deps.InOutSlice([]int(nil)), tasks.Priority(-1))
	})
}

func TestSections(t *testing.T) {
	check(t, func() *task {
		return T("root", T("a", out(tile(0, 2, 0, 4))), T("b", out(tile(0, 2, 4, 8))), T("c", in(tile(1, 3, 3, 5))), T("d", in(tile(2, 4, 0, 8))))
	}, "a|b a<c b<c a|d")
	// More dimensions than Nanos6 has.
	v := make([]int, 1<<9)
	dims := make([]deps.Dim, 9)
	for i := range dims {
		dims[i] = deps.Dim{N: 2, Lo: i % 2, Hi: 2}
	}
	other := append([]deps.Dim(nil), dims...)
	dims[0], other[0] = deps.Dim{N: 2, Lo: 0, Hi: 1}, deps.Dim{N: 2, Lo: 1, Hi: 2}
	var order journal
	must(t, 1, func(m *tasks.Task) {
		resume := make(chan func(), 1)
		tasks.Spawn(m, func(c *tasks.Task) { _ = c.Suspend(func(r func()) { resume <- r }); order.add("a") }, deps.OutSection(v, dims...))
		tasks.Spawn(m, func() { order.add("b") }, deps.InSection(v, dims...))
		tasks.Spawn(m, func() { (<-resume)() }, deps.OutSection(v, other...), tasks.Priority(-1))
	})
	require.Equal(t, "ab", order.text)
}

func TestMultidependences(t *testing.T) {
	v := make([]int, 300)
	sum := 0
	must(t, 2, func(m *tasks.Task) {
		var all deps.List
		for i := range v {
			tasks.Spawn(m, func() { v[i] = i }, deps.Out(&v[i]))
			if i%3 == 0 {
				all = append(all, deps.In(&v[i]))
			}
		}
		tasks.Spawn(m, func() {
			for i := 0; i < len(v); i += 3 {
				sum += v[i]
			}
		}, all, deps.Out(&sum))
	})
	require.Equal(t, 14850, sum)
}

func TestIf(t *testing.T) {
	check(t, func() *task { // the body, not the children
		return T("root", T("a", out(x)), T("b", undeferred, in(x), T("k")), T("c"))
	}, "a<b b<c k|c")
	check(t, func() *task { return T("root", T("p", T("a", undeferred), T("b")), T("q")) }, "a<b p|q a|q")
}

func TestFinal(t *testing.T) {
	must(t, 1, func(m *tasks.Task) {
		deep := func(c *tasks.Task) { assert.True(t, c.InFinal()) }
		tasks.Spawn(m, func(c *tasks.Task) {
			deep(c)
			tasks.Spawn(c, func(d *tasks.Task) { deep(d); tasks.Spawn(d, deep) })
		}, tasks.Final(true))
		tasks.Spawn(m, func(c *tasks.Task) { assert.False(t, c.InFinal()) }, tasks.Final(false))
	})
	check(t, func() *task {
		return T("root", T("a", out(x)), T("f", final, stray, T("c", in(x)), T("d", weak(in(x)))))
	}, "f|a")
}

func TestWaitClause(t *testing.T) {
	check(t, func() *task {
		return T("root", T("a", waitKids, inout(x), inout(y), T("c", inout(x), T("d"))), T("b", in(y)))
	}, "a<b c<b d<b")
	// A weak task that waits does not wait itself, nor keep the slot.
	check(t, func() *task {
		return T("root", T("a", waitKids, weak(inout(x)), T("c", inout(left))), T("b", in(rest)))
	}, "c<b a<b")
	// Events, too.
	v, seen := 0, 0
	must(t, 1, func(m *tasks.Task) {
		tasks.Spawn(m, func(c *tasks.Task) {
			tasks.Spawn(c, func(d *tasks.Task) {
				done := d.Hold()
				go func() { v = 1; done(nil) }()
			}, deps.Out(&v))
		}, deps.Weak(deps.Out(&v)), tasks.WaitChildren)
		tasks.Spawn(m, func() { seen = v }, deps.In(&v))
	})
	require.Equal(t, 1, seen)
}

func TestPriority(t *testing.T) {
	var order journal
	must(t, 1, func(m *tasks.Task) {
		v := 0
		tasks.Spawn(m, func() {}, deps.Out(&v))
		for _, p := range []int{0, 3, -2, 7, 3} { // freed together
			tasks.Spawn(m, func() { order.add(string(rune('5' + p))) }, deps.In(&v), tasks.Priority(p))
		}
		tasks.Spawn(m, func() {}, tasks.Priority(0))
	})
	require.Equal(t, "<8853", order.text)
}

func TestLabel(t *testing.T) {
	typ := tasks.NewType("step", 1)
	must(t, 1, func(m *tasks.Task) {
		tasks.Spawn(m, func(c *tasks.Task) { assert.Equal(t, "step", c.Label()) }, typ)
		tasks.Spawn(m, func(c *tasks.Task) { assert.Equal(t, "step 3", c.Label()) }, typ, tasks.Label("step 3"))
	})
	err := on(t, 1, func(m *tasks.Task) error {
		tasks.Spawn(m, func() error { return errors.New("no") }, typ)
		return nil
	})
	require.ErrorContains(t, err, "step: no")
}

func TestOnReady(t *testing.T) {
	for _, deferred := range []bool{true, false} {
		v := 0
		var order journal
		must(t, 2, func(m *tasks.Task) {
			tasks.Spawn(m, func() { v = 1 }, deps.Out(&v))
			captured := 0
			tasks.Spawn(m, func() { order.add("body"); assert.Equal(t, 5, captured) }, deps.InOut(&v), tasks.If(deferred),
				tasks.OnReady(func(c *tasks.Task) {
					assert.Equal(t, 1, v, "its accesses are satisfied")
					captured = 5
					done := c.Hold()
					go func() { order.add("event,"); done(nil) }()
				}))
		})
		require.Equal(t, "event,body", order.text)
	}
}
