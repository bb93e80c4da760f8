// Nesting: tasks that create tasks, and why they are weak.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func main() {
	strong := func(a deps.Access) deps.Access { return a }
	run("strong", strong)
	run("weak", deps.Weak)
}

// run has a row filled, and doubled by children of one parent. Is the parent running before the row is filled?
func run(name string, kind func(deps.Access) deps.Access) {
	rt, err := tasks.New(tasks.Config{Workers: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()

	row := make([]int, 4)
	var parent deps.List // every item that a child will use
	for i := range row {
		parent = append(parent, kind(deps.InOut(&row[i])))
	}
	begun, early := false, false
	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		for i := range row {
			tasks.Spawn(t, func(t *tasks.Task) {
				t.Yield() // whoever can run runs now
				t.Critical("begun", func() { early = early || begun })
				row[i] = i
			}, deps.Out(&row[i]))
		}
		tasks.Spawn(t, func(t *tasks.Task) {
			t.Critical("begun", func() { begun = true })
			for i := range row {
				tasks.Spawn(t, func() { row[i] *= 2 }, deps.InOut(&row[i]))
			}
		}, parent)
		return nil
	})
	fmt.Println(name, "parent begins early:", early, row, err)
}
