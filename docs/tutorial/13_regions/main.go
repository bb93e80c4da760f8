// Regions: tiles, rows and parts of one array, ordered by the bytes that they share.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"slices"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func main() {
	rt, err := tasks.New(tasks.Config{Workers: 1}) // one worker shows the order
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()

	const n, size = 6, 3
	grid := make([]int, n*n) // row by row
	sums := make([]int, n)
	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		for i := 0; i < n; i += size {
			for j := 0; j < n; j += size {
				tasks.Spawn(t, func() { fill(grid, n, i, i+size, j, j+size) }, deps.OutTile(grid, n, i, i+size, j, j+size))
			}
		}
		for i := range n {
			row := grid[i*n : (i+1)*n]
			tasks.Spawn(t, func() { sums[i] = sum(row) }, deps.InSlice(row), deps.Out(&sums[i]))
		}
		tasks.Spawn(t, func() { fmt.Println("rows:", sums) }, deps.InSlice(sums))
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}

	v := make([]int, 8)
	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		tasks.Spawn(t, func(t *tasks.Task) {
			for lo := 0; lo < len(v); lo += 4 {
				for i := range v[lo : lo+4] {
					v[lo+i] = lo + i
				}
				fmt.Println("written up to", lo+4)
				t.Release(deps.OutSlice(v[lo : lo+4])) // not touched any more
				t.Yield()                              // whoever can run runs now
			}
			fmt.Println("the writer ends")
		}, deps.OutSlice(v))
		for part := range slices.Chunk(v, 3) {
			tasks.Spawn(t, func() { fmt.Println("read", part) }, deps.InSlice(part), deps.InOut(os.Stdout))
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
}

// fill sets rows [i0, i1) and columns [j0, j1) of a grid whose rows have n numbers.
func fill(grid []int, n, i0, i1, j0, j1 int) {
	for i := i0; i < i1; i++ {
		for j := j0; j < j1; j++ {
			grid[i*n+j] = i * j
		}
	}
}

func sum(v []int) (total int) {
	for _, x := range v {
		total += x
	}
	return total
}
