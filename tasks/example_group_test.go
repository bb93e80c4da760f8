package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gompss/gompss/tasks"
)

// Two searches, of which the first to succeed ends the other one.
func ExampleTask_Group() {
	found := errors.New("found")
	example(func(t *tasks.Task) error {
		g := t.Group(nil)
		tasks.Spawn(t, func(t *tasks.Task) { t.Sleep(time.Hour) }, tasks.InGroup(g))
		tasks.Spawn(t, func() { g.Cancel(found) }, tasks.InGroup(g))
		fmt.Println(g.Wait())
		return nil
	})
	// Output: found
}

func ExampleInGroup() {
	example(func(t *tasks.Task) error {
		deadline, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		g := t.Group(deadline)
		tasks.Spawn(t, func(t *tasks.Task) { t.Sleep(time.Hour) }, tasks.InGroup(g))
		fmt.Println(g.Wait())
		tasks.Spawn(t, func() { fmt.Println("the rest goes on") })
		return nil
	})
	// Output:
	// context deadline exceeded
	// the rest goes on
}

func ExampleGroup_Wait() {
	exampleOn(1, func(t *tasks.Task) error {
		g := t.Group(nil)
		tasks.Spawn(t, func(t *tasks.Task) {
			tasks.Spawn(t, func() { fmt.Println("a member's child") })
		}, tasks.InGroup(g))
		tasks.Spawn(t, func() error { return errors.New("no") }, tasks.InGroup(g), tasks.Label("member"))
		fmt.Println("group:", g.Wait())
		return nil
	})
	// Output:
	// a member's child
	// group: member: no
}

func ExampleGroup_Cancel() {
	example(func(t *tasks.Task) error {
		g := t.Group(nil)
		tasks.Spawn(t, func(t *tasks.Task) error { return t.Suspend(func(func()) {}) }, tasks.InGroup(g), tasks.Label("member"))
		g.Cancel(errors.New("enough"))
		fmt.Println(g.Wait() != nil, g.Context().Err(), t.Context().Err())
		return nil
	})
	// Output: true context canceled <nil>
}
