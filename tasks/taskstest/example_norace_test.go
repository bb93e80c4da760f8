//go:build !race

package taskstest_test

import (
	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
)

// With -race the detector reports the missing access.
func ExampleSchedules() {
	taskstest.Schedules(t, 20, func() (func(*tasks.Task) error, func() any) {
		var x, y int
		main := func(m *tasks.Task) error {
			tasks.Spawn(m, func() { x = 3 }, deps.Out(&x))
			tasks.Spawn(m, func() { y = 2 * x }, deps.Out(&y)) // In(&x) is missing
			return nil
		}
		return main, func() any { return y }
	})
	// Output:
	// taskstest: the result is 0, in program order it is 6
	// taskstest: seed 0xe220a8397b1dcdaf; rerun with -taskstest.seed=0xe220a8397b1dcdaf
}
