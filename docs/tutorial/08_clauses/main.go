// Clauses: types with priorities, If, Final and WaitChildren.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// One value for all tasks of a kind.
var (
	urgent = tasks.NewType("urgent", 1)
	later  = tasks.NewType("later", -1)
)

func main() {
	rt, err := tasks.New(tasks.Config{Workers: 1}) // one worker shows the order
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()

	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		hello := func(t *tasks.Task) { fmt.Println(t.Label()) }
		tasks.Spawn(t, hello, later)
		tasks.Spawn(t, hello)
		tasks.Spawn(t, hello, urgent)
		if err := t.Wait(); err != nil {
			return err
		}

		var x int
		tasks.Spawn(t, func() { x = 41 }, deps.Out(&x))
		tasks.Spawn(t, func() { x++ }, deps.InOut(&x), tasks.If(false))
		fmt.Println("at once:", x)

		v := make([]int, 5000)
		for i := range v {
			v[i] = i
		}
		var total int
		if err := sum(t, v, &total); err != nil {
			return err
		}
		fmt.Println("sum:", total)

		parts, done := make([]int, 3), false
		tasks.Spawn(t, func(t *tasks.Task) {
			for i := range parts {
				tasks.Spawn(t, func() { parts[i] = i })
			}
			done = true
		}, deps.Out(&done), tasks.WaitChildren)
		tasks.Spawn(t, func() { fmt.Println("parts:", parts) }, deps.In(&done))
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
}

// sum divides v among tasks until the pieces are too small to be worth one.
func sum(t *tasks.Task, v []int, s *int) error {
	if t.InFinal() {
		for _, x := range v {
			*s += x
		}
		return nil
	}
	var left, right int
	half := len(v) / 2
	small := tasks.Final(half < 1000)
	tasks.Spawn(t, func(t *tasks.Task) error { return sum(t, v[:half], &left) }, small)
	tasks.Spawn(t, func(t *tasks.Task) error { return sum(t, v[half:], &right) }, small)
	err := t.Wait()
	*s = left + right
	return err
}
