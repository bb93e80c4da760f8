package tasks_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func ExampleAsync() {
	example(func(t *tasks.Task) error {
		x := tasks.Async(t, func(*tasks.Task) (int, error) { return 6, nil })
		y := tasks.Async(t, func(*tasks.Task) (int, error) { return 7, nil })
		z := tasks.Async(t, func(*tasks.Task) (int, error) { return x.Value() * y.Value(), nil }, x.In(), y.In())
		answer, err := z.Get(t)
		fmt.Println(answer)
		return err
	})
	// Output: 42
}

// A child is ordered after the future if its parent covers it with a weak access, as for any data.
func ExampleFuture_In() {
	example(func(t *tasks.Task) error {
		f := tasks.Async(t, func(*tasks.Task) (string, error) { return "passed down", nil })
		tasks.Spawn(t, func(t *tasks.Task) {
			tasks.Spawn(t, func() { fmt.Println(f.Value()) }, f.In())
		}, deps.Weak(f.In()))
		return nil
	})
	// Output: passed down
}

func ExampleFuture_Value() {
	example(func(t *tasks.Task) error {
		f := tasks.Async(t, func(*tasks.Task) ([]int, error) { return []int{1, 2, 3}, nil })
		tasks.Spawn(t, func() { fmt.Println(f.Value()) }, f.In())
		return nil
	})
	// Output: [1 2 3]
}

func ExampleFuture_Get() {
	example(func(t *tasks.Task) error {
		f := tasks.Async(t, func(*tasks.Task) (int, error) { return 0, errors.New("no such file") }, tasks.Label("load"))
		_, err := f.Get(t)
		fmt.Println(err)
		_ = t.Wait() // the failure is t's, too
		return nil
	})
	// Output: load: no such file
}

func ExampleFuture_WaitContext() {
	rt, _ := tasks.New(tasks.Config{})
	defer rt.Close()
	futures := make(chan *tasks.Future[int])
	rt.Go(func(t *tasks.Task) error {
		futures <- tasks.Async(t, func(*tasks.Task) (int, error) { return 42, nil })
		return nil
	}, nil)
	f := <-futures
	fmt.Println(f.WaitContext(context.Background()))
	// Output: 42 <nil>
}

func ExampleFuture_Done() {
	rt, _ := tasks.New(tasks.Config{})
	defer rt.Close()
	futures := make(chan *tasks.Future[int])
	rt.Go(func(t *tasks.Task) error {
		futures <- tasks.Async(t, func(*tasks.Task) (int, error) { return 42, nil })
		return nil
	}, nil)
	f := <-futures
	<-f.Done()
	fmt.Println("done")
	// Output: done
}
