package tasks_test

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// dump returns the report without the item's addresses and the slots' numbers.
func dump(rt *tasks.Runtime) string {
	var b strings.Builder
	rt.Dump(&b)
	return regexp.MustCompile(`\[0x[0-9a-f]+,|slot \d+`).ReplaceAllStringFunc(b.String(), func(s string) string {
		if s[0] == 's' {
			return "slot"
		}
		return "["
	})
}

// TestDumpNamesWhoRuns: a body that never comes back is named, with those that wait for it.
func TestDumpNamesWhoRuns(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		stuck, forever := make(chan bool), make(chan bool)
		var report string
		go func() {
			<-stuck
			for !strings.Contains(report, "taskwait") { // main may still be creating
				runtime.Gosched()
				report = dump(rt)
			}
			close(forever)
		}()
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			var x int
			tasks.Spawn(m, func() { stuck <- true; <-forever }, deps.Out(&x), tasks.Label("stuck"), tasks.Priority(1))
			for _, l := range []string{"one", "two"} {
				tasks.Spawn(m, func() {}, deps.In(&x), tasks.Label(l))
			}
			for range 7 {
				tasks.Spawn(m, func() {}, deps.InOut(&x))
			}
			return m.Wait()
		}))
		require.Contains(t, report, `
  task "main › stuck" runs on slot
    task "one" waits for it, in [+8)
    task "two" waits for it, in [+8)
    task "task" waits for it, inout [+8)
    task "task" waits for it, inout [+8)
    and 5 more
`)
		require.Contains(t, report, `task "main" waits for its children (taskwait)`)
		require.NotContains(t, report, `task "main" runs`)
	})
}

// TestDumpAfterMoves: bodies that waited, on whichever slot they go on, and below others, are told as what they are.
func TestDumpAfterMoves(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		require.ErrorIs(t, run(t, rt, func(m *tasks.Task) error {
			for range 50 {
				tasks.Spawn(m, func(p *tasks.Task) {
					mine := func() bool { return strings.Count(dump(rt), `task "main › p" runs on slot`) > 0 }
					p.Yield()
					assert.True(t, mine())
					assert.NoError(t, p.Suspend(func(resume func()) { go resume() }))
					assert.True(t, mine())
					tasks.Spawn(p, func(c *tasks.Task) {
						c.Yield()
						report := dump(rt)
						assert.Contains(t, report, `task "main › p › inline" runs on slot`)
						assert.Contains(t, report, `task "main › p" waits for an undeferred child`)
					}, tasks.If(false), tasks.Label("inline"))
					assert.True(t, mine())
					tasks.Spawn(p, runtime.Goexit, tasks.Label("gone"))
				}, tasks.Label("p"))
			}
			return nil
		}), tasks.ErrGoexit)
		require.Contains(t, dump(rt), "no run under way")
		require.NotContains(t, dump(rt), "runs")
	})
}

// TestDumpNamesOnReady: the clause's code is the user's, too.
func TestDumpNamesOnReady(t *testing.T) {
	rt := newRuntime(t, 1)
	var report string
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func() {}, tasks.Label("late"), tasks.OnReady(func(*tasks.Task) { report = dump(rt) }))
		return nil
	}))
	require.Contains(t, report, `task "main › late" runs its OnReady on slot`)
}

// TestDumpIsReadable: however much goes on, a report has an end.
func TestDumpIsReadable(t *testing.T) {
	const many = 300
	rt := newRuntimeWith(t, tasks.Config{Workers: many + 1, Throttle: -1})
	require.NoError(t, run(t, rt, func(m *tasks.Task) error {
		together, over := newMeeting(many+1), make(chan bool)
		var x int
		for range many {
			tasks.Spawn(m, func(c *tasks.Task) { assert.NoError(t, c.Suspend(func(r func()) { go func() { <-over; r() }() })) })
		}
		for range many {
			tasks.Spawn(m, func() { together.join(); <-over }, deps.In(&x), tasks.Label("runs"))
		}
		together.join()
		for range many {
			tasks.Spawn(m, func() {}, deps.Out(&x))
			rt.Go(func(*tasks.Task) error { return nil }, func(error) {})
		}
		report := dump(rt)
		assert.Less(t, strings.Count(report, "\n"), 1500)
		assert.Contains(t, report, fmt.Sprintf("%d more bodies run", many+1-100))
		close(over)
		return nil
	}))
}

// TestDumpMeanwhile: reports while tasks come and go by the million do no harm.
func TestDumpMeanwhile(t *testing.T) {
	rt := newRuntime(t, 2)
	var over atomic.Bool
	dumped := make(chan int)
	go func() {
		n := 0
		for ; !over.Load() || n == 0; n++ {
			for line := range strings.Lines(dump(rt)) {
				if !known.MatchString(line) {
					t.Errorf("torn: %q", line)
				}
			}
		}
		dumped <- n
	}()
	rounds := 30
	if raceEnabled {
		rounds = 1
	}
	labels := []tasks.Option{tasks.Label("a"), tasks.Label("quite a long label"), tasks.Label("mid label")}
	err := run(t, rt, func(m *tasks.Task) error {
		var x [3]int
		for round := range rounds {
			for i := range 10_000 {
				l := labels[i%3]
				switch i % 4 {
				case 0:
					tasks.Spawn(m, func() {}, deps.InOut(&x[i%3]), l)
				case 1:
					tasks.Spawn(m, func() {}, deps.In(&x[0]), deps.In(&x[1]), deps.Commutative(&x[2]), l)
				case 2:
					tasks.Spawn(m, func(p *tasks.Task) {
						tasks.Spawn(p, func() {}, deps.InOut(&x[0]), labels[2])
						tasks.Spawn(p, func(c *tasks.Task) { c.Yield() }, labels[0])
						if round%2 == 0 {
							_ = p.Wait()
						}
					}, deps.Weak(deps.InOut(&x[0])), l)
				case 3:
					tasks.Spawn(m, func() {}, l)
				}
			}
			if err := m.Wait(); err != nil {
				return err
			}
		}
		return nil
	})
	over.Store(true)
	require.NoError(t, err)
	require.Positive(t, <-dumped)
}

// known are the lines that a report of TestDumpMeanwhile may have.
var known = regexp.MustCompile(`^(\d+ slots, .*|no run under way|run of "main":|.*slots are busy.*|    and \d+ more|` +
	`  task "main( › (a|quite a long label|mid label)){0,2}" (runs on slot|waits for .*)|` +
	`    task "(a|quite a long label|mid label)" waits for it, .*|  … and \d+ more)\n$`)
