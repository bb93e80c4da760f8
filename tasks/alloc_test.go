package tasks_test

import (
	"os"
	"os/exec"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func staticTask(*tasks.Task) {}

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
