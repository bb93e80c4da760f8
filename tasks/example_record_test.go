package tasks_test

import (
	"context"
	"fmt"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// What worksharing.Iter does, by hand: two tasks are recorded, the second waits for the first, which in the next round
// waits for the second.
func ExampleTask_Record() {
	rt, _ := tasks.New(tasks.Config{})
	x, y := 0, 0
	_ = rt.Run(context.Background(), func(t *tasks.Task) error {
		noted := t.Record(0, func(t *tasks.Task) {
			tasks.Spawn(t, func() { x++ }, deps.InOut(&x))
			tasks.Spawn(t, func() { y += x }, deps.In(&x), deps.InOut(&y))
		})
		fmt.Println(len(noted), len(noted[1].Accesses))
		t.Replay(&tasks.Graph{Copies: 1, Tasks: []tasks.GraphTask{
			{Recorded: noted[0], Same: []int{1}},
			{Recorded: noted[1], Next: []int{0}},
		}}, 0, 4)
		return nil
	})
	fmt.Println(x, y)
	// Output:
	// 2 2
	// 4 10
}

// A graph of one task with no edges: its rounds follow each other.
func ExampleTask_Replay() {
	rt, _ := tasks.New(tasks.Config{})
	_ = rt.Run(context.Background(), func(t *tasks.Task) error {
		noted := t.Record(0, func(t *tasks.Task) {
			tasks.Spawn(t, func(t *tasks.Task) {
				i, _ := t.Iteration()
				fmt.Print(i, " ")
			})
		})
		g := &tasks.Graph{Copies: 1, Tasks: []tasks.GraphTask{{Recorded: noted[0]}}}
		t.Replay(g, 0, 3)
		_ = t.Wait()
		t.Replay(g, 10, 12)
		return nil
	})
	// Output: 0 1 2 10 11
}

func ExampleTask_InOrder() {
	rt, _ := tasks.New(tasks.Config{})
	_ = rt.Run(context.Background(), func(t *tasks.Task) error {
		t.InOrder(7, func(t *tasks.Task) {
			tasks.Spawn(t, func(t *tasks.Task) { fmt.Println(t.Iteration()) })
		})
		return nil
	})
	// Output: 7 true
}

// Descendants of a task around a loop know the iteration; other tasks are for none.
func ExampleTask_Iteration() {
	rt, _ := tasks.New(tasks.Config{})
	_ = rt.Run(context.Background(), func(t *tasks.Task) error {
		fmt.Println(t.Iteration())
		return nil
	})
	// Output: 0 false
}

func ExampleRuntime_Serial() {
	rt, _ := tasks.New(tasks.Config{Serial: true})
	fmt.Println(rt.Serial())
	// Output: true
}
