// Errors: what a failed task takes along, and what goes on.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func main() {
	rt, err := tasks.New(tasks.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()

	var a, b int
	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		tasks.Spawn(t, func() error { return errors.New("no such file") }, deps.Out(&a), tasks.Label("load a"))
		tasks.Spawn(t, func() { b = 2 }, deps.Out(&b), tasks.Label("load b"))
		tasks.Spawn(t, func() { fmt.Println("never printed:", a) }, deps.In(&a))
		tasks.Spawn(t, func() { fmt.Println("b is", b) }, deps.In(&b))
		fmt.Println("Wait:", t.Wait())

		tasks.Spawn(t, func() { fmt.Println(10 / a) }, deps.In(&a), tasks.Label("divide")) // Wait has forgiven a
		return nil
	})
	if failed, ok := errors.AsType[*tasks.TaskError](err); ok {
		fmt.Println("Run:", failed.Label, "failed")
	}
	if p, ok := errors.AsType[*tasks.PanicError](err); ok {
		fmt.Println("it panicked:", p.Value) // p.Stack says where
	}

	ctx, cancel := context.WithCancelCause(context.Background())
	err = rt.Run(ctx, func(t *tasks.Task) error {
		tasks.Spawn(t, func(t *tasks.Task) {
			cancel(errors.New("found it"))
			t.Sleep(time.Hour) // ends early
		}, deps.InOut(&a))
		tasks.Spawn(t, func() { fmt.Println("never printed") }, deps.InOut(&a))
		return nil
	})
	fmt.Println("cancelled:", err)
}
