// Worksharing: loops that are one task for the order and many for the cores, and loops that are a task per range.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

func main() {
	rt, err := tasks.New(tasks.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()

	const n, block = 1000, 100
	x, y := make([]int, n), make([]int, n)
	var sum int
	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		// One task: cores share out its iterations while it runs.
		worksharing.For(t, n, worksharing.Adaptive(), func(_ *tasks.Task, lo, hi int) {
			for i := lo; i < hi; i++ {
				x[i] = i
			}
		}, deps.OutSlice(x))

		// A task per block. Those of the second loop wait for their own blocks only.
		worksharing.Loop(t, n, block, func(_ *tasks.Task, lo, hi int) {
			for i := lo; i < hi; i++ {
				y[i] = 2 * x[i]
			}
		}, func(lo, hi int) []deps.Access {
			return []deps.Access{deps.InSlice(x[lo:hi]), deps.OutSlice(y[lo:hi])}
		})
		worksharing.Loop(t, n, block, func(_ *tasks.Task, lo, hi int) {
			for i := lo; i < hi; i++ {
				y[i]++
			}
		}, func(lo, hi int) []deps.Access {
			return []deps.Access{deps.InOutSlice(y[lo:hi])}
		})

		// Whoever runs a range has a private copy of what the loop reduces.
		worksharing.For(t, n, worksharing.Static(0), func(t *tasks.Task, lo, hi int) {
			mine := reduce.Local(t, &sum)
			for _, v := range y[lo:hi] {
				*mine += v
			}
		}, deps.InSlice(y), reduce.Sum(&sum))
		tasks.Spawn(t, func() { fmt.Println(sum) }, deps.In(&sum))
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
}
