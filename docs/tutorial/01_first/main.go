// First: one task makes a number, the next one needs it.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func main() {
	rt, err := tasks.New(tasks.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()

	var x, y int
	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		tasks.Spawn(t, func() { x = 3 }, deps.Out(&x))
		tasks.Spawn(t, func() { y = 2 * x }, deps.In(&x), deps.Out(&y))
		return nil // too early to read y: the tasks may not have run yet
	})
	fmt.Println(y, err)
}
