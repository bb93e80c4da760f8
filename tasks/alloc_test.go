package tasks_test

import (
	"os"
	"os/exec"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func staticTask(*tasks.Task) {}

// TestSpawnAllocations measures inside a run, after a warm-up in which the runtime made the tasks that it reuses.
func TestSpawnAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("race builds do not reuse tasks")
	}
	var x, y, z, w int
	v := make([]int, 8)
	kind := tasks.NewType("kind", 0)
	list := deps.List{deps.In(&x), deps.In(&y), deps.In(&z)}
	sum := 0
	for name, c := range map[string]struct {
		want  float64
		spawn func(*tasks.Task)
	}{
		"static body":               {0, func(m *tasks.Task) { tasks.Spawn(m, static) }},
		"static body with its task": {0, func(m *tasks.Task) { tasks.Spawn(m, staticTask) }},
		"1 access":                  {0, func(m *tasks.Task) { tasks.Spawn(m, static, deps.InOut(&x)) }},
		"2 accesses":                {0, func(m *tasks.Task) { tasks.Spawn(m, static, deps.In(&x), deps.Out(&y)) }},
		"3 accesses":                {0, func(m *tasks.Task) { tasks.Spawn(m, static, deps.In(&x), deps.Out(&y), deps.Concurrent(&z)) }},
		"4 accesses": {0, func(m *tasks.Task) {
			tasks.Spawn(m, static, deps.InSlice(v), deps.Commutative(&y), deps.Weak(deps.InOut(&z)), deps.InOut(&w))
		}},
		"4 accesses and a type": {0, func(m *tasks.Task) {
			tasks.Spawn(m, static, kind, deps.In(&x), deps.In(&y), deps.In(&z), deps.InOut(&w))
		}},
		"options": {0, func(m *tasks.Task) {
			tasks.Spawn(m, static, tasks.Label("l"), tasks.Final(true), tasks.Cost(3), deps.In(&x))
		}},
		"ready-made list":   {0, func(m *tasks.Task) { tasks.Spawn(m, static, list, deps.Out(&w)) }},
		"capturing closure": {1, func(m *tasks.Task) { tasks.Spawn(m, func() { sum += x }, deps.In(&x), deps.InOut(&sum)) }},
		"wait":              {0, func(m *tasks.Task) { tasks.Spawn(m, static); _ = m.Wait() }},
		"no wait":           {0, func(m *tasks.Task) { m.InFinal(); m.Yield() }},
	} {
		t.Run(name, func(t *testing.T) {
			rt := newRuntime(t, 1)
			require.NoError(t, run(t, rt, func(m *tasks.Task) error {
				batch := func() {
					for range 100 {
						c.spawn(m)
					}
					_ = m.Wait()
				}
				for range 50 {
					batch()
				}
				got := testing.AllocsPerRun(50, batch) / 100
				assert.LessOrEqual(t, got, c.want+0.02)
				assert.GreaterOrEqual(t, got, c.want-0.02)
				return nil
			}))
		})
	}
}

// TestConstantStack runs the programs below in a process whose goroutines may not need more than a small stack.
func TestConstantStack(t *testing.T) {
	const env = "GOMPSS_TEST_SMALL_STACK"
	if os.Getenv(env) == "" {
		exe, err := os.Executable()
		require.NoError(t, err)
		cmd := exec.Command(exe, "-test.run=^TestConstantStack$", "-test.timeout=120s")
		cmd.Env = append(os.Environ(), env+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%.4000s", out)
		return
	}
	for workers, n := range map[int]int{1: 1_000_000, 2: 100_000} {
		limit, depth := 64<<10, n/10
		if raceEnabled {
			limit, n, depth = 128<<10, 20_000, 5_000
		}
		debug.SetMaxStack(limit)
		rt := newRuntime(t, workers)
		held := func(main func(m *tasks.Task, x *int)) {
			x := 0
			require.NoError(t, run(t, rt, func(m *tasks.Task) error {
				var done func(error)
				tasks.Spawn(m, func(c *tasks.Task) { done = c.Hold() }, deps.Out(&x), tasks.If(false))
				main(m, &x)
				done(nil)
				return nil
			}))
		}
		// A chain that is there as a whole before its first task ends.
		count := 0
		held(func(m *tasks.Task, x *int) {
			for range n {
				tasks.Spawn(m, func() { count++ }, deps.InOut(x))
			}
		})
		require.Equal(t, n, count)
		// The same with accesses that nobody uses: the grant runs through at once.
		held(func(m *tasks.Task, x *int) {
			for range n {
				tasks.Spawn(m, static, deps.Weak(deps.InOut(x)))
			}
		})
		// Deep nesting: the innermost task completes all those around it.
		var nest func(c *tasks.Task, left int, x *int)
		nest = func(c *tasks.Task, left int, x *int) {
			if left > 0 {
				tasks.Spawn(c, func(c *tasks.Task) { nest(c, left-1, x) }, deps.Weak(deps.InOut(x)))
				return
			}
			tasks.Spawn(c, func() { *x++ }, deps.InOut(x))
		}
		after := 0
		held(func(m *tasks.Task, x *int) {
			tasks.Spawn(m, func(c *tasks.Task) { nest(c, depth, x) }, deps.Weak(deps.InOut(x)))
			tasks.Spawn(m, func() { after = *x }, deps.In(x))
		})
		require.Equal(t, 1, after)
	}
}
