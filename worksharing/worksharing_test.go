package worksharing_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

var ctx = context.Background()

func newRuntime(t testing.TB, workers int) *tasks.Runtime {
	rt, err := tasks.New(tasks.Config{Workers: workers})
	require.NoError(t, err)
	t.Cleanup(func() {
		if !t.Failed() { // otherwise a run may still be under way
			assert.NoError(t, rt.Close())
		}
	})
	return rt
}

// run is rt.Run, which fails the test with a report of who waits for what if it does not return.
func run(t testing.TB, rt *tasks.Runtime, main func(*tasks.Task)) error {
	t.Helper()
	return runContext(t, rt, ctx, func(m *tasks.Task) error { main(m); return nil })
}

func runContext(t testing.TB, rt *tasks.Runtime, c context.Context, main func(*tasks.Task) error) error {
	t.Helper()
	end := make(chan error, 1)
	go func() { end <- rt.Run(c, main) }()
	timer := time.NewTimer(time.Minute)
	defer timer.Stop()
	select {
	case err := <-end:
		return err
	case <-timer.C:
		var b strings.Builder
		rt.Dump(&b)
		t.Fatalf("does not proceed:\n%s", &b)
		return nil
	}
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

// counts is how often each iteration ran.
type counts []atomic.Int32

func (c counts) add(lo, hi int) {
	for i := lo; i < hi; i++ {
		c[i].Add(1)
	}
}

// once fails the test unless each iteration ran once.
func (c counts) once(t testing.TB, what string) {
	t.Helper()
	for i := range c {
		if n := c[i].Load(); n != 1 {
			t.Fatalf("%s: iteration %d of %d ran %d times", what, i, len(c), n)
		}
	}
}

// schedules of every kind.
func schedules() (all []worksharing.Schedule) {
	all = append(all, worksharing.Schedule{}, worksharing.Adaptive())
	for _, chunk := range []int{0, 1, 2, 3, 7, 64, 5000} {
		all = append(all, worksharing.Static(chunk), worksharing.Dynamic(chunk), worksharing.Guided(chunk))
	}
	return all
}

// fewer divides what a race build, which is slower, or a short test does.
func fewer(n int) int {
	if race.Enabled || testing.Short() {
		return max(n/20, 1)
	}
	return n
}
