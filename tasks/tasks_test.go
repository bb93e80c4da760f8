package tasks_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/tasks"
)

var ctx = context.Background()

func newRuntime(t testing.TB, workers int) *tasks.Runtime {
	return newRuntimeWith(t, tasks.Config{Workers: workers})
}

func newRuntimeWith(t testing.TB, cfg tasks.Config) *tasks.Runtime {
	rt, err := tasks.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() {
		if !t.Failed() { // otherwise a run may still be under way
			within(t, rt, func() { assert.NoError(t, rt.Close()) })
		}
	})
	return rt
}

// raceEnabled scales tests down in race builds.
const raceEnabled = race.Enabled

// patience is how long a test that cannot proceed waits before it says so. No test's outcome depends on it.
const patience = 15 * time.Second

// within calls f and fails the test with a report of who waits for what if f does not return.
func within(t testing.TB, rt *tasks.Runtime, f func()) {
	t.Helper()
	over := make(chan struct{})
	go func() {
		defer close(over)
		f()
	}()
	select {
	case <-over:
	case <-time.After(patience):
		var b strings.Builder
		rt.Dump(&b)
		t.Fatalf("does not proceed:\n%s", &b)
	}
}

// run is rt.Run under the watch of within.
func run(t testing.TB, rt *tasks.Runtime, main func(*tasks.Task) error) (err error) {
	t.Helper()
	within(t, rt, func() { err = rt.Run(ctx, main) })
	return err
}

// meeting is a place where bodies wait for each other: the proof that they run together.
type meeting struct {
	missing atomic.Int32
	open    chan struct{}
}

func newMeeting(bodies int) *meeting {
	m := &meeting{open: make(chan struct{})}
	m.missing.Store(int32(bodies))
	return m
}

func (m *meeting) join() {
	if m.missing.Add(-1) == 0 {
		close(m.open)
	}
	<-m.open
}

// journal notes what happened in which order.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) note(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line)
}

func (j *journal) text() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Join(j.lines, " ")
}

func (j *journal) len() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.lines)
}

func (j *journal) has(line string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Contains(j.lines, line)
}

// box passes a value between tasks that no access orders.
type box[T any] struct {
	mu sync.Mutex
	v  T
}

func (b *box[T]) put(v T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.v = v
}

func (b *box[T]) get() T {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.v
}

// last is the clause of a task that on one slot runs after everything else that can run: what has not started by then
// is held back.
var last = tasks.Priority(-1 << 20)

func TestChain(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		rt := newRuntime(t, workers)
		x := 0
		require.NoError(t, rt.Run(ctx, func(m *tasks.Task) error {
			for range 100000 {
				tasks.Spawn(m, func() { x++ }, deps.InOut(&x))
			}
			return nil
		}))
		require.Equal(t, 100000, x)
	}
}

func fib(t *tasks.Task, n int, out *int) {
	if n < 2 {
		*out = n
		return
	}
	var a, b int
	tasks.Spawn(t, func(t *tasks.Task) { fib(t, n-1, &a) })
	tasks.Spawn(t, func(t *tasks.Task) { fib(t, n-2, &b) })
	t.Wait()
	*out = a + b
}

func TestFib(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		rt := newRuntime(t, workers)
		var f int
		require.NoError(t, rt.Run(ctx, func(m *tasks.Task) error { fib(m, 18, &f); return nil }))
		require.Equal(t, 2584, f)
	}
}

func TestErrors(t *testing.T) {
	rt := newRuntime(t, 2)
	boom := errors.New("boom")
	var x, y int
	ran := false
	err := rt.Run(ctx, func(m *tasks.Task) error {
		tasks.Spawn(m, func() error { return boom }, tasks.Label("bad"), deps.Out(&x))
		tasks.Spawn(m, func() { ran = true }, deps.In(&x), deps.Out(&y))
		tasks.Spawn(m, func() { ran = true }, deps.InOut(&y))
		e := m.Wait()
		assert.ErrorIs(t, e, boom)
		tasks.Spawn(m, func() { y = 7 }, deps.InOut(&y))
		return nil
	})
	require.NoError(t, err)
	require.False(t, ran)
	require.Equal(t, 7, y)
	err = rt.Run(ctx, func(m *tasks.Task) error {
		tasks.Spawn(m, func() { panic("oops") }, tasks.Label("p"))
		tasks.Spawn(m, func() { runtime.Goexit() }, tasks.Label("g"))
		return nil
	})
	var te *tasks.TaskError
	require.ErrorAs(t, err, &te)
	require.ErrorIs(t, err, tasks.ErrGoexit)
	require.ErrorContains(t, err, "oops")
}

func TestSuspend(t *testing.T) {
	rt := newRuntime(t, 1)
	var order atomic.Int32
	require.NoError(t, rt.Run(ctx, func(m *tasks.Task) error {
		for range 1000 {
			tasks.Spawn(m, func(t *tasks.Task) error {
				return t.Suspend(func(resume func()) { time.AfterFunc(time.Millisecond, resume) })
			})
		}
		tasks.Spawn(m, func(t *tasks.Task) { order.Add(1); t.Yield(); t.Sleep(time.Millisecond) })
		done := m.Hold()
		time.AfterFunc(2*time.Millisecond, func() { done(nil) })
		return nil
	}))
}

func TestDeadlock(t *testing.T) {
	rt := newRuntime(t, 2)
	err := rt.Run(ctx, func(m *tasks.Task) error {
		m.Critical("a", func() {
			tasks.Spawn(m, func(t *tasks.Task) { t.Critical("a", func() {}) }, tasks.Label("inner"))
			m.Wait()
		})
		return nil
	})
	require.ErrorIs(t, err, tasks.ErrDeadlock)
	require.ErrorContains(t, err, "inner")
}

func TestCancel(t *testing.T) {
	rt := newRuntime(t, 2)
	c, cancel := context.WithCancelCause(ctx)
	why := errors.New("why")
	err := rt.Run(c, func(m *tasks.Task) error {
		tasks.Spawn(m, func(t *tasks.Task) error { return t.Suspend(func(func()) {}) })
		time.AfterFunc(5*time.Millisecond, func() { cancel(why) })
		return m.Wait()
	})
	require.ErrorIs(t, err, why)
}

func TestWaitOn(t *testing.T) {
	rt := newRuntime(t, 2)
	var x int
	require.NoError(t, rt.Run(ctx, func(m *tasks.Task) error {
		tasks.Spawn(m, func(t *tasks.Task) { t.Sleep(time.Millisecond); x = 5 }, deps.Out(&x))
		assert.NoError(t, m.WaitOn(deps.In(&x)))
		assert.Equal(t, 5, x)
		tasks.Spawn(m, func(t *tasks.Task) { t.Sleep(time.Millisecond); x = 6 }, deps.Out(&x))
		tasks.Spawn(m, func() { assert.Equal(t, 6, x); x = 7 }, deps.InOut(&x), tasks.If(false))
		assert.Equal(t, 7, x)
		return nil
	}))
}

func static() {}

func BenchmarkM(b *testing.B) {
	for _, workers := range []int{1, 2} {
		rt := newRuntime(b, workers)
		name := map[int]string{1: "/workers=1", 2: "/workers=2"}[workers]
		b.Run("M1"+name, func(b *testing.B) {
			b.ReportAllocs()
			rt.Run(ctx, func(m *tasks.Task) error {
				for range b.N {
					tasks.Spawn(m, static)
				}
				return nil
			})
		})
		b.Run("M2"+name, func(b *testing.B) {
			b.ReportAllocs()
			var c int64
			rt.Run(ctx, func(m *tasks.Task) error {
				for range b.N {
					tasks.Spawn(m, static, deps.InOut(&c))
				}
				return nil
			})
		})
		b.Run("M3"+name, func(b *testing.B) {
			b.ReportAllocs()
			var c [64]int64
			rt.Run(ctx, func(m *tasks.Task) error {
				for i := range b.N {
					tasks.Spawn(m, static, deps.InOut(&c[i&63]))
				}
				return nil
			})
		})
		b.Run("M5"+name, func(b *testing.B) {
			b.ReportAllocs()
			var f int
			for range b.N {
				rt.Run(ctx, func(m *tasks.Task) error { fib(m, 25, &f); return nil })
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*242785), "ns/task")
		})
	}
}
