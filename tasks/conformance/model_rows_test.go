package conformance

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// on runs main on a runtime with the given number of slots.
func on(t *testing.T, slots int, main func(*tasks.Task) error) error {
	t.Helper()
	rt, err := tasks.New(tasks.Config{Workers: slots})
	require.NoError(t, err)
	defer rt.Close()
	return rt.Run(context.Background(), main)
}

// must is on for programs that do not fail.
func must(t *testing.T, slots int, main func(*tasks.Task)) {
	t.Helper()
	require.NoError(t, on(t, slots, func(m *tasks.Task) error { main(m); return nil }))
}

// journal takes notes of bodies that nothing orders.
type journal struct {
	mu   sync.Mutex
	text string
}

func (j *journal) add(s string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.text += s
}

// meeting lets two bodies join; both return when both have come.
type meeting chan bool

func newMeeting() meeting { return make(meeting) }

func (m meeting) join() {
	select {
	case m <- true:
	case <-m:
	}
}

func TestMainIsATask(t *testing.T) {
	for _, slots := range []int{1, 2, 3} {
		var now, most atomic.Int32
		gate := make(chan bool)
		must(t, slots, func(m *tasks.Task) {
			for range slots - 1 { // with main, all slots
				tasks.Spawn(m, func() { most.Store(max(most.Load(), now.Add(1))); <-gate; now.Add(-1) })
			}
			for range 10 {
				tasks.Spawn(m, func() { now.Add(1); defer now.Add(-1); most.Store(max(most.Load(), now.Load())) })
			}
			for range slots - 1 {
				gate <- true
			}
		})
		require.LessOrEqual(t, int(most.Load()), slots)
	}
}

func TestTaskStates(t *testing.T) {
	check(t, func() *task {
		return T("root", T("a", T("b", T("c"))), taskwait, T("d"))
	}, "a<d b<d c<d")
	// Pending events: the body is over, the task is not.
	released := make(chan func(error), 1)
	var x, y int
	must(t, 1, func(m *tasks.Task) {
		over := newMeeting()
		tasks.Spawn(m, func(c *tasks.Task) { released <- c.Hold() }, deps.Out(&x))
		tasks.Spawn(m, func() { y = x }, deps.In(&x))
		go func() {
			over.join() // another body ran after it on the only slot
			x = 7
			(<-released)(nil)
		}()
		tasks.Spawn(m, func() { over.join() })
		assert.NoError(t, m.Wait())
		assert.Equal(t, 7, y)
	})
	// What a body captured lives until the last task that uses it is complete.
	var freed atomic.Bool
	must(t, 1, func(m *tasks.Task) {
		big := new([64]int)
		runtime.SetFinalizer(big, func(*[64]int) { freed.Store(true) })
		tasks.Spawn(m, func(c *tasks.Task) {
			tasks.Spawn(c, func() { runtime.GC(); assert.False(t, freed.Load()); big[0]++ })
		})
	})
}

func TestNestedDomains(t *testing.T) {
	// As if the children stood in their parents' places.
	check(t, func() *task {
		return T("root", T("p", weak(inout(x)), T("a", inout(left)), T("b", inout(rest))), T("q", weak(inout(x)), T("c", in(left)), T("d", in(rest))))
	}, "a<c b<d a|b a|d p|q")
	// A parent that declared nothing: its children are not ordered with its siblings.
	check(t, func() *task {
		return T("root", stray, T("a", out(x)), T("p", T("c", in(x))))
	}, "a|c")
	// The first child waits for what its parent would wait for.
	check(t, func() *task { return T("root", T("a", out(x)), T("p", weak(in(x)), T("c", in(x)))) }, "a<c a|p")
}

func TestEarlyRelease(t *testing.T) {
	check(t, func() *task {
		return T("root", T("p", inout(x), inout(y), T("c", inout(x))), T("a", in(x)), T("b", in(y)))
	}, "c<a p<b b|c p<a")
	check(t, func() *task {
		return T("root", T("p", inout(x), inout(y), waitKids, T("c", inout(x))), T("a", in(x)), T("b", in(y)))
	}, "c<a c<b")
}

func TestAWriterMayStillAppear(t *testing.T) {
	for _, k := range []func(region) access{out, inout} {
		check(t, func() *task {
			return T("root", T("p", weak(k(x)), T("r", in(x)), T("w", inout(x))), T("q", weak(in(x)), T("c", in(x))))
		}, "p<c w<c p|q r<w")
		// Nobody wrote, but somebody might have.
		check(t, func() *task {
			return T("root", T("p", weak(k(x)), T("r", in(x))), T("q", weak(in(x)), T("c", in(x))))
		}, "p<c r|c")
	}
}

func TestWhoMayCreate(t *testing.T) {
	err := on(t, 2, func(m *tasks.Task) error {
		tasks.Spawn(m, func() { tasks.Spawn(m, func() {}) })
		return m.Wait()
	})
	require.ErrorContains(t, err, "a task of its own")
	var kept *tasks.Task
	must(t, 1, func(m *tasks.Task) { tasks.Spawn(m, func(c *tasks.Task) { kept = c }) })
	require.Panics(t, func() { tasks.Spawn(kept, func() {}) })

	rt, err := tasks.New(tasks.Config{})
	require.NoError(t, err)
	defer rt.Close()
	done := make(chan error)
	rt.Go(func(m *tasks.Task) error { tasks.Spawn(m, func() {}); return errors.New("its own") }, func(err error) { done <- err })
	require.ErrorContains(t, <-done, "its own")
}
