// Commutative and concurrent: updates whose order does not matter.
package main

import (
	"context"
	"fmt"
	"log"
	"sync/atomic"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func main() {
	rt, err := tasks.New(tasks.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()

	words := []string{"one", "three", "five", "eleven", "seven"}
	lengths := map[int]int{}
	var letters atomic.Int64
	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		for _, w := range words {
			tasks.Spawn(t, func() { lengths[len(w)]++ }, deps.Commutative(&lengths))
			tasks.Spawn(t, func() { letters.Add(int64(len(w))) }, deps.Concurrent(&letters))
		}
		tasks.Spawn(t, func() { fmt.Println(lengths, letters.Load()) }, deps.In(&lengths), deps.In(&letters))
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
}
