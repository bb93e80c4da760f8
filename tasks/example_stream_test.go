package tasks_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/gompss/gompss/tasks"
)

func ExampleRuntime_Stream() {
	rt, _ := tasks.New(tasks.Config{})
	defer rt.Close()
	log := rt.Stream(1)
	for i := range 3 {
		log.Go(func(*tasks.Task) error { fmt.Println("line", i); return nil }, nil)
	}
	fmt.Println(log.Synchronize(nil))
	// Output:
	// line 0
	// line 1
	// line 2
	// <nil>
}

func ExampleStream_Go() {
	rt, _ := tasks.New(tasks.Config{})
	defer rt.Close()
	rt.Stream(1).Go(
		func(*tasks.Task) error { return errors.New("disk full") },
		func(err error) { fmt.Println(err) },
		tasks.Label("write"))
	_ = rt.Stream(1).Synchronize(nil)
	// Output: write: disk full
}

func ExampleStream_Synchronize() {
	rt, _ := tasks.New(tasks.Config{Workers: 1})
	defer rt.Close()
	_ = rt.Run(context.Background(), func(t *tasks.Task) error {
		rt.Stream(1).Go(func(*tasks.Task) error { fmt.Println("in the stream"); return nil }, nil)
		err := rt.Stream(1).Synchronize(t) // gives the only slot away
		fmt.Println("after it")
		return err
	})
	// Output:
	// in the stream
	// after it
}

func ExampleRuntime_SynchronizeStreams() {
	rt, _ := tasks.New(tasks.Config{})
	defer rt.Close()
	var done [3]bool
	for id := range done {
		rt.Stream(id).Go(func(*tasks.Task) error { done[id] = true; return nil }, nil)
	}
	fmt.Println(rt.SynchronizeStreams(nil), done)
	// Output: <nil> [true true true]
}

func ExampleStream_Cancel() {
	rt, _ := tasks.New(tasks.Config{})
	defer rt.Close()
	s := rt.Stream(1)
	started := make(chan bool)
	s.Go(func(t *tasks.Task) error { return t.Suspend(func(func()) { close(started) }) }, nil, tasks.Label("waits"))
	s.Go(func(t *tasks.Task) error { fmt.Println("never"); return nil }, nil)
	<-started
	s.Cancel(errors.New("enough"))
	fmt.Println(s.Synchronize(nil) != nil)
	// Output: true
}
