package taskstest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// family spawns three generations and records the order of the bodies.
func family(order *[]string) func(*tasks.Task) error {
	var mu sync.Mutex
	record := func(a ...any) {
		mu.Lock()
		defer mu.Unlock()
		*order = append(*order, fmt.Sprint(a...))
	}
	return func(m *tasks.Task) error {
		for i := range 5 {
			tasks.Spawn(m, func(t *tasks.Task) {
				record(i)
				for j := range 4 {
					tasks.Spawn(t, func(t *tasks.Task) {
						record(i, j)
						t.Yield()
						tasks.Spawn(t, func() { record(i, j, "last") })
					})
				}
				_ = t.Wait()
			})
		}
		return nil
	}
}

func orderOf(t *testing.T, seed uint64) string {
	var order []string
	require.NoError(t, RunSeed(t, seed, family(&order)))
	require.Len(t, order, 5+20+20)
	return strings.Join(order, ",")
}

func TestTheSameSeedGivesTheSameOrder(t *testing.T) {
	for seed := range uint64(50) {
		first := orderOf(t, seed)
		for range 5 {
			require.Equal(t, first, orderOf(t, seed), "seed %d", seed)
		}
	}
}

func TestSeedsGiveDifferentOrders(t *testing.T) {
	orders := map[string]bool{}
	for seed := range uint64(50) {
		orders[orderOf(t, seed)] = true
	}
	require.Greater(t, len(orders), 45)
}

func TestSerialIsProgramOrder(t *testing.T) {
	var want, got []string
	for i := range 5 {
		want = append(want, fmt.Sprint(i))
		for j := range 4 {
			want = append(want, fmt.Sprint(i, j), fmt.Sprint(i, j, "last"))
		}
	}
	require.NoError(t, Serial(t, family(&got)))
	require.Equal(t, want, got)
}

// A commutative task with a weak access gives its exclusion back when its body is over; its children run before that.
func TestSerialRunsChildrenUnderTheirParentsExclusion(t *testing.T) {
	var x, y int
	require.NoError(t, Serial(t, func(m *tasks.Task) error {
		tasks.Spawn(m, func(t *tasks.Task) {
			x++
			tasks.Spawn(t, func() { x *= 10; y = x }, deps.Commutative(&x), deps.Out(&y))
			t.Release(deps.Commutative(&x))
		}, deps.Commutative(&x), deps.Weak(deps.Out(&y)))
		return nil
	}))
	require.Equal(t, 10, y)
}

func TestSerialWaitsForEvents(t *testing.T) {
	x := 0
	require.NoError(t, Serial(t, func(m *tasks.Task) error {
		tasks.Spawn(m, func(t *tasks.Task) {
			done := t.Hold()
			go func() { x = 7; done(nil) }()
		}, deps.Out(&x))
		tasks.Spawn(m, func() { x *= 2 }, deps.Commutative(&x))
		return nil
	}))
	require.Equal(t, 14, x)
}

func TestSerialReturnsErrorsAndSkips(t *testing.T) {
	boom := errors.New("boom")
	var x int
	err := Serial(t, func(m *tasks.Task) error {
		tasks.Spawn(m, func() error { return boom }, deps.Out(&x))
		tasks.Spawn(m, func() { x = 1 }, deps.InOut(&x))
		return nil
	})
	require.ErrorIs(t, err, boom)
	require.Zero(t, x)
}

// recorder is a testing.TB that keeps what it is told.
type recorder struct {
	testing.TB
	text strings.Builder
	bad  bool
	ends []func()
}

func (r *recorder) Helper()                  {}
func (r *recorder) Context() context.Context { return context.Background() }
func (r *recorder) Cleanup(f func())         { r.ends = append(r.ends, f) }
func (r *recorder) Failed() bool             { return r.bad }
func (r *recorder) Logf(f string, a ...any)  { fmt.Fprintf(&r.text, f+"\n", a...) }
func (r *recorder) Errorf(f string, a ...any) {
	r.bad = true
	r.Logf(f, a...)
}
func (r *recorder) close() {
	for _, f := range r.ends {
		f()
	}
}

// forgetful has one order among many that goes wrong: b before a.
func forgetful() (func(*tasks.Task) error, func() any) {
	var x int
	return func(m *tasks.Task) error {
		tasks.Spawn(m, func() { x = 1 }, deps.Out(&x))
		tasks.Spawn(m, func(t *tasks.Task) { t.Yield(); x = x*2 + 1 }, deps.InOut(&x))
		tasks.Spawn(m, func() { x *= 3 }) // forgot InOut(&x)
		return nil
	}, func() any { return x }
}

func TestSchedulesStopsAtABodyThatFailsTheTest(t *testing.T) {
	r := &recorder{TB: t}
	runs := 0
	Schedules(r, 100, func() (func(*tasks.Task) error, func() any) {
		runs++
		return func(*tasks.Task) error { assert.Less(r, runs, 5); return nil }, nil
	})
	require.True(t, r.bad)
	require.Equal(t, 5, runs)
}

func TestRunPrintsItsSeedIfTheTestFails(t *testing.T) {
	good := &recorder{TB: t}
	require.NoError(t, Run(good, func(*tasks.Task) error { return nil }))
	good.close()
	require.Empty(t, good.text.String())

	bad := &recorder{TB: t}
	assert.NoError(bad, Run(bad, func(*tasks.Task) error { return errors.New("boom") }))
	bad.close()
	require.Contains(t, bad.text.String(), "rerun with -taskstest.seed=0x")
}

// Some seeds hold a creator back after its first child, some after a few, some never.
func TestSeedsInterruptCreators(t *testing.T) {
	ahead := map[int]bool{}
	for seed := range uint64(200) {
		var mu sync.Mutex
		spawned, first := 0, 0
		require.NoError(t, RunSeed(t, seed, func(m *tasks.Task) error {
			for range 20 {
				mu.Lock()
				spawned++
				mu.Unlock()
				tasks.Spawn(m, func() {
					mu.Lock()
					defer mu.Unlock()
					if first == 0 {
						first = spawned
					}
				})
			}
			return nil
		}))
		ahead[first] = true
	}
	require.True(t, ahead[2] && ahead[4] && ahead[20], "%v", ahead)
}
