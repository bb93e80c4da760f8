package tasks_test

import (
	"context"
	"fmt"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// creations counts tasks. With one slot nobody else counts at the same time.
type creations struct{ tasks, accesses int }

//go:norace
func (c *creations) Observe(e tasks.Event) {
	if e.Kind == tasks.EventCreated {
		c.tasks++
		c.accesses += len(e.Accesses)
	}
}

func ExampleObserver() {
	seen := new(creations)
	rt, err := tasks.New(tasks.Config{Workers: 1, Observer: seen})
	if err != nil {
		panic(err)
	}
	var x, y int
	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		tasks.Spawn(t, func() { x = 3 }, deps.Out(&x))
		tasks.Spawn(t, func() { y = 2 * x }, deps.In(&x), deps.Out(&y))
		return nil
	})
	fmt.Println(y, err, rt.Observed(), rt.Close())
	fmt.Println(seen.tasks, "tasks with", seen.accesses, "accesses")
	// Output:
	// 6 <nil> true <nil>
	// 3 tasks with 3 accesses
}
