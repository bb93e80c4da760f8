package forgot

import (
	"testing"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
)

func TestForgot(t *testing.T) {
	taskstest.Schedules(t, 20, func() (func(*tasks.Task) error, func() any) {
		var x, y int
		body := func(t *tasks.Task) error {
			tasks.Spawn(t, func() { x = 3 }, deps.Out(&x))
			tasks.Spawn(t, func() { y = 2 * x }, deps.Out(&y)) // deps.In(&x) is missing
			return nil
		}
		return body, func() any { return y }
	})
}
