// Wait: three ways to get at results before everything is over.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func main() {
	rt, err := tasks.New(tasks.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()

	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		var a, b int
		tasks.Spawn(t, func() { a = 1 }, deps.Out(&a))
		tasks.Spawn(t, func() { b = 2 }, deps.Out(&b))
		if err := t.WaitOn(deps.In(&a)); err != nil {
			return err
		}
		fmt.Println("a is", a) // b may be on its way still
		if err := t.Wait(); err != nil {
			return err
		}
		fmt.Println("b is", b)

		var title, text string
		tasks.Spawn(t, func(t *tasks.Task) {
			title = "Release"
			t.Release(deps.Out(&title)) // not touched any more
			text = "gives up an item before the body is over"
		}, deps.Out(&title), deps.Out(&text))
		tasks.Spawn(t, func() { fmt.Println(title) }, deps.In(&title), deps.InOut(os.Stdout))
		tasks.Spawn(t, func() { fmt.Println(text) }, deps.In(&text), deps.InOut(os.Stdout))
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
}
