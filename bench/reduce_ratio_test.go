package bench

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
)

// BenchmarkReduceTask is what a task that reduces costs: next to one with inout on the same item, and to one without an
// access. sum does not touch its copy, local adds one to it; at the end of each round the copies are combined.
func BenchmarkReduceTask(b *testing.B) {
	const n = 2048
	for _, workers := range []int{1, runtime.GOMAXPROCS(0)} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			var x Cell
			add := func(t *tasks.Task) { *reduce.Local(t, &x)++ }
			each := func(name string, spawn func(*tasks.Task)) side {
				return side{name, n, func(t *tasks.Task) {
					for range n {
						spawn(t)
					}
				}}
			}
			compare(b, workers, []side{
				each("inout", func(t *tasks.Task) { tasks.Spawn(t, nothing, deps.InOut(&x)) }),
				each("none", func(t *tasks.Task) { tasks.Spawn(t, nothing) }),
				each("sum", func(t *tasks.Task) { tasks.Spawn(t, nothing, reduce.Sum(&x)) }),
				each("local", func(t *tasks.Task) { tasks.Spawn(t, add, reduce.Sum(&x)) }),
			})
		})
	}
}

// BenchmarkReduceCombine folds copies of an array of a MiB into it: all pieces by one task, or a task for each, as the
// engine does. Nanoseconds are per KiB of copies.
func BenchmarkReduceCombine(b *testing.B) {
	const n = 1 << 17
	for _, k := range []int{1, 2, 4, 8} {
		b.Run(fmt.Sprintf("copies=%d", k), func(b *testing.B) {
			a := reduce.SumSlice(make([]float64, n))
			item, bytes := a.Region()
			c := a.Reduction().Open(item, bytes)
			for range k {
				c.Take(nil)
			}
			parts := c.Parts()
			compare(b, runtime.GOMAXPROCS(0), []side{
				{"serial", k << 10, func(t *tasks.Task) {
					tasks.Spawn(t, func() {
						for i := range parts {
							c.Combine(i)
						}
					})
				}},
				{"parallel", k << 10, func(t *tasks.Task) {
					for i := range parts {
						tasks.Spawn(t, func() { c.Combine(i) })
					}
				}},
			})
		})
	}
}
