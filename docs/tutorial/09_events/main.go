// Events: tasks that wait for the world outside without keeping a core.
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

// fetch stands for any library with callbacks: it returns at once and answers on another goroutine.
func fetch(path string, callback func(page string, err error)) {
	time.AfterFunc(time.Millisecond, func() {
		if path == "/lost" {
			callback("", errors.New("404"))
			return
		}
		callback("page "+path, nil)
	})
}

func main() {
	rt, err := tasks.New(tasks.Config{Workers: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()

	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		var a, b, c string
		tasks.Spawn(t, func(t *tasks.Task) error { // keeps its stack and goes on when it has the page
			var page string
			var failed error
			err := t.Suspend(func(resume func()) {
				fetch("/a", func(p string, err error) { page, failed = p, err; resume() })
			})
			if err != nil {
				return err // the run was cancelled; the callback may come later
			}
			a = page
			return failed
		}, deps.Out(&a))
		tasks.Spawn(t, func(t *tasks.Task) { // is over at once; b is there when done is called
			done := t.Hold()
			fetch("/b", func(p string, err error) { b = p; done(err) })
		}, deps.Out(&b))
		tasks.Spawn(t, func(t *tasks.Task) {
			done := t.Hold()
			fetch("/lost", func(p string, err error) { c = p; done(err) })
		}, deps.Out(&c), tasks.Label("fetch"))
		tasks.Spawn(t, func() { fmt.Println(a, "and", b) }, deps.In(&a), deps.In(&b))
		tasks.Spawn(t, func() { fmt.Println("never printed:", c) }, deps.In(&c))
		fmt.Println("asked for three pages")
		return t.Wait()
	})
	fmt.Println(err)
}
