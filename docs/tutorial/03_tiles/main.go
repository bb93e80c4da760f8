// Tiles: a vector as several items, each with its own tasks.
package main

import (
	"context"
	"fmt"
	"log"
	"slices"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func main() {
	rt, err := tasks.New(tasks.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()

	const n, size = 1000, 250
	vector := make([]int, n)
	tiles := slices.Collect(slices.Chunk(vector, size))
	var sum int
	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		for i, tile := range tiles {
			tasks.Spawn(t, func() { fill(tile, i*size) }, deps.OutSlice(tile))
		}
		for _, tile := range tiles {
			tasks.Spawn(t, func() { square(tile) }, deps.InOutSlice(tile))
		}
		var all deps.List
		for _, tile := range tiles {
			all = append(all, deps.InSlice(tile))
		}
		tasks.Spawn(t, func() {
			for _, x := range vector {
				sum += x
			}
		}, all, deps.Out(&sum))
		return nil
	})
	fmt.Println(sum, err)
}

func fill(tile []int, first int) {
	for i := range tile {
		tile[i] = first + i
	}
}

func square(tile []int) {
	for i, x := range tile {
		tile[i] = x * x
	}
}
