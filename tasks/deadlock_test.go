package tasks_test

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// TestDeadlocks: programs that cannot proceed end with an error that names who waits for what.
func TestDeadlocks(t *testing.T) {
	var x, y int
	for name, c := range map[string]struct {
		main func(*tasks.Task) error
		want []string
	}{
		"a taskwait inside a critical that the child wants": {stuck, []string{
			`task "main" waits for its children (taskwait)`, `task "main › child" waits for critical stuck`}},
		"two criticals in opposite order": {func(m *tasks.Task) error {
			both := newMeetingOf(m, 2)
			for i, name := range []string{"a", "b"} {
				tasks.Spawn(m, func(c *tasks.Task) {
					c.Critical(name, func() {
						both(c)
						c.Critical([]string{"b", "a"}[i], func() {})
					})
				}, tasks.Label(name))
			}
			return nil
		}, []string{`task "main › a" waits for critical b`, `task "main › b" waits for critical a`}},
		"a child that needs the token its parent keeps": {func(m *tasks.Task) error {
			tasks.Spawn(m, func(p *tasks.Task) {
				tasks.Spawn(p, func() {}, deps.Commutative(&x), tasks.Label("child"))
				_ = p.Wait()
			}, deps.Commutative(&x), deps.Weak(deps.InOut(&y)), tasks.Label("parent"))
			return nil
		}, []string{`task "main › parent" waits for its children (taskwait)`}},
		"a taskwait for a child behind an uncle that waits for the critical": {func(m *tasks.Task) error {
			tasks.Spawn(m, func(u *tasks.Task) {
				tasks.Spawn(u, func(c *tasks.Task) {
					u := c
					u.Critical("c", func() {})
				}, deps.InOut(&x), tasks.Label("cousin"))
			}, deps.InOut(&x), tasks.Label("uncle"), tasks.Priority(-1))
			tasks.Spawn(m, func(p *tasks.Task) {
				p.Critical("c", func() {
					tasks.Spawn(p, func() {}, deps.InOut(&x), tasks.Label("child"))
					_ = p.Wait()
				})
			}, deps.Weak(deps.InOut(&x)), tasks.Label("parent"))
			return nil
		}, []string{`task "main › uncle › cousin" waits for critical c`, `task "main › parent" waits for its children (taskwait)`}},
		"an undeferred child inside a critical": {func(m *tasks.Task) error {
			m.Critical("c", func() {
				tasks.Spawn(m, func(c *tasks.Task) { c.Critical("c", func() {}) }, tasks.If(false), tasks.Label("inline"))
			})
			return nil
		}, []string{`task "main › inline" waits for critical c`}},
		"a taskwait on inside a critical": {func(m *tasks.Task) error {
			m.Critical("c", func() {
				tasks.Spawn(m, func(c *tasks.Task) { c.Critical("c", func() {}) }, deps.Out(&x), tasks.Label("child"))
				_ = m.WaitOn(deps.In(&x))
			})
			return nil
		}, []string{`task "main" waits for earlier accesses (taskwait on)`, `task "main › child" waits for critical c`}},
	} {
		t.Run(name, func(t *testing.T) {
			eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
				err := run(t, rt, c.main)
				require.ErrorIs(t, err, tasks.ErrDeadlock)
				var de *tasks.DeadlockError
				require.ErrorAs(t, err, &de)
				for _, w := range c.want {
					require.Contains(t, de.Waiting, w)
				}
				require.NoError(t, run(t, rt, func(m *tasks.Task) error {
					x := 0
					tasks.Spawn(m, func(c *tasks.Task) { c.Critical("c", func() { x++ }) }, deps.Commutative(&x))
					return nil
				}), "the runtime is good for another run")
			})
		})
	}
}

// newMeetingOf returns a meeting that gives slots away while it waits.
func newMeetingOf(m *tasks.Task, bodies int32) func(*tasks.Task) {
	var come atomic.Int32
	return func(c *tasks.Task) {
		come.Add(1)
		yieldUntil(c, func() bool { return come.Load() == bodies })
	}
}

// TestDeadlockNamesFollowers: tasks that wait for the accesses of one that is stuck are in the report.
func TestDeadlockNamesFollowers(t *testing.T) {
	rt := newRuntime(t, 1)
	var x int
	err := run(t, rt, func(m *tasks.Task) error {
		m.Critical("c", func() {
			tasks.Spawn(m, func(c *tasks.Task) { c.Critical("c", func() {}) }, deps.Out(&x), tasks.Label("writer"))
			tasks.Spawn(m, func() {}, deps.In(&x), tasks.Label("reader"))
			_ = m.Wait()
		})
		return nil
	})
	var de *tasks.DeadlockError
	require.ErrorAs(t, err, &de)
	require.Regexp(t, `task "reader" waits for it, in \[0x[0-9a-f]+,\+8\)`, de.Waiting)
}

// TestNoFalseDeadlock: all slots are idle for long, but something outside is to come.
func TestNoFalseDeadlock(t *testing.T) {
	outside := 20 * time.Millisecond
	for name, wait := range map[string]func(*tasks.Task){
		"Suspend": func(c *tasks.Task) {
			assert.NoError(t, c.Suspend(func(r func()) { time.AfterFunc(outside, r) }))
		},
		"Sleep": func(c *tasks.Task) { c.Sleep(outside) },
		"Hold": func(c *tasks.Task) {
			done := c.Hold()
			time.AfterFunc(outside, func() { done(nil) })
		},
		"Hold with dependents": func(c *tasks.Task) {
			var x int
			tasks.Spawn(c, func(g *tasks.Task) {
				done := g.Hold()
				time.AfterFunc(outside, func() { done(nil) })
			}, deps.Out(&x))
			tasks.Spawn(c, func() {}, deps.InOut(&x))
			assert.NoError(t, c.WaitOn(deps.In(&x)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
				require.NoError(t, run(t, rt, func(m *tasks.Task) error {
					tasks.Spawn(m, func(c *tasks.Task) {
						wait(c)
						wait(c)
					})
					return m.Wait()
				}))
			})
		})
	}
}

// TestNoFalseDeadlockInPassing ends what is pending outside at the very moment when the slots become idle.
func TestNoFalseDeadlockInPassing(t *testing.T) {
	eachWorkers(t, func(t *testing.T, rt *tasks.Runtime) {
		n := 5000
		if raceEnabled {
			n = 500
		}
		require.NoError(t, run(t, rt, func(m *tasks.Task) error {
			var x int
			for i := range n {
				switch i % 3 {
				case 0:
					assert.NoError(t, m.Suspend(func(r func()) { go r() }))
				case 1:
					tasks.Spawn(m, func(c *tasks.Task) {
						done := c.Hold()
						go done(nil)
					}, deps.InOut(&x))
					assert.NoError(t, m.WaitOn(deps.In(&x)))
				case 2:
					tasks.Spawn(m, func(c *tasks.Task) { c.Sleep(time.Nanosecond) })
					assert.NoError(t, m.Wait())
				}
			}
			return nil
		}))
	})
}

// TestDeadlockSparesOtherRuns: runs that come and go while another one is found stuck.
func TestDeadlockSparesOtherRuns(t *testing.T) {
	rt := newRuntime(t, 2)
	n := 2000
	if raceEnabled {
		n = 200
	}
	var over atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for !over.Load() {
			assert.ErrorIs(t, rt.Run(ctx, stuck), tasks.ErrDeadlock)
		}
	})
	within(t, rt, func() {
		for range n {
			if !assert.NoError(t, rt.Run(ctx, func(m *tasks.Task) error {
				tasks.Spawn(m, func() {})
				return nil
			})) {
				break
			}
		}
	})
	over.Store(true)
	within(t, rt, wg.Wait)
}

// TestDump: the report names the waiting tasks and what they wait for.
func TestDump(t *testing.T) {
	rt := newRuntime(t, 2)
	var b strings.Builder
	rt.Dump(&b)
	require.Contains(t, b.String(), "2 slots, 2 idle")
	require.Contains(t, b.String(), "no run under way")
	var x int
	var text string
	require.ErrorIs(t, runCancelled(t, rt, func(m *tasks.Task, cancel func()) error {
		var resume box[func()]
		var done box[func(error)]
		tasks.Spawn(m, func(c *tasks.Task) { done.put(c.Hold()) }, tasks.Label("held"), deps.Out(&x), tasks.Priority(2))
		tasks.Spawn(m, func() {}, deps.In(&x), tasks.Label("reader"))
		tasks.Spawn(m, func(c *tasks.Task) { c.Sleep(time.Hour) }, tasks.Label("sleeper"), tasks.Priority(2))
		tasks.Spawn(m, func(p *tasks.Task) error {
			tasks.Spawn(p, func(c *tasks.Task) error {
				return c.Suspend(func(r func()) { resume.put(r) })
			}, tasks.Label("child"))
			return p.Wait()
		}, tasks.Label("parent"), tasks.Priority(2))
		dump := func() string { var b strings.Builder; rt.Dump(&b); return b.String() }
		yieldUntil(m, func() bool {
			text = dump()
			return strings.Count(text, " waits for ") >= 4 && strings.Contains(text, "child")
		})
		resume.get()()
		done.get()(nil)
		cancel() // the sleeper
		return nil
	}), errWhy)
	for _, want := range []string{
		`run of "main":`,
		`task "main › held" is held by an event`,
		`task "reader" waits for it, in [`,
		`task "main › sleeper" waits for a timer`,
		`task "main › parent" waits for its children (taskwait)`,
		`task "main › parent › child" waits for resume`,
	} {
		assert.Contains(t, text, want)
	}
}

// TestDumpWhileTasksRun: a report may be asked for at any time.
func TestDumpWhileTasksRun(t *testing.T) {
	rt := newRuntime(t, 2)
	n := 20_000
	if raceEnabled {
		n = 500
	}
	var over atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		var b strings.Builder
		for !over.Load() {
			b.Reset()
			rt.Dump(&b)
			_ = rt.Stats()
			runtime.Gosched()
		}
	})
	assert.NoError(t, run(t, rt, func(m *tasks.Task) error {
		x := make([]int, 8)
		for i := range n {
			tasks.Spawn(m, func(c *tasks.Task) {
				switch i % 4 {
				case 0:
					_ = c.Suspend(func(r func()) { go r() })
				case 1:
					done := c.Hold()
					go done(nil)
				case 2:
					tasks.Spawn(c, func() {}, deps.InOut(&x[i%8]))
					_ = c.Wait()
				}
			}, deps.InOut(&x[i%8]), deps.In(&x[(i+1)%8]))
		}
		return nil
	}))
	over.Store(true)
	wg.Wait()
}
