//go:build !race

package taskstest_test

import (
	"fmt"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
)

func ExampleCheck() {
	t := new(standIn) // for the test's own
	taskstest.Check(t, 20, func() (func(*tasks.Task) error, func() any) {
		var x, y int
		main := func(m *tasks.Task) error {
			tasks.Spawn(m, func() { x = 3 }, deps.Out(&x))
			tasks.Spawn(m, func() { x++; y = x }, deps.In(&x), deps.Out(&y))
			return nil
		}
		return main, func() any { return y }
	})
	// Output: taskstest: undeclared: task "task" (main/1, example_check_test.go:19) changes what it declares as in of 8 bytes (access 1). It needs out or inout
}

func ExampleFinding_Advice() {
	t := new(standIn) // for the test's own
	found := taskstest.Check(t, 20, func() (func(*tasks.Task) error, func() any) {
		var x, y int
		main := func(m *tasks.Task) error {
			tasks.Spawn(m, func() { x = 3 }, deps.Out(&x))
			tasks.Spawn(m, func() { y = x }, deps.InOut(&x), deps.Out(&y))
			return nil
		}
		return main, func() any { return y }
	})
	for _, f := range found {
		fmt.Println(f.Kind, f.Advice())
	}
	// Output:
	// taskstest: too strong: task "task" (main/1, example_check_test.go:33) reads its inout of 8 bytes (access 1) and never changes it: in would do
	// too strong true
}
