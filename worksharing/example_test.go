package worksharing_test

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

// example runs main on two slots and prints its error.
func example(main func(t *tasks.Task)) {
	rt, err := tasks.New(tasks.Config{Workers: 2})
	if err != nil {
		panic(err)
	}
	defer rt.Close()
	if err := rt.Run(context.Background(), func(t *tasks.Task) error { main(t); return nil }); err != nil {
		fmt.Println(err)
	}
}

// Each loop is one task, which all slots run; the data order the loops, and a plain task, as they order any tasks.
func ExampleFor() {
	x, y := make([]float64, 1000), make([]float64, 1000)
	sum := 0.0
	example(func(t *tasks.Task) {
		worksharing.For(t, len(x), worksharing.Static(0), func(_ *tasks.Task, lo, hi int) {
			for i := lo; i < hi; i++ {
				x[i], y[i] = 1, 2
			}
		}, deps.OutSlice(x), deps.OutSlice(y))
		for range 10 {
			worksharing.For(t, len(x), worksharing.Guided(16), func(_ *tasks.Task, lo, hi int) {
				for i := lo; i < hi; i++ {
					y[i] += 0.5 * x[i]
				}
			}, deps.InSlice(x), deps.InOutSlice(y), tasks.Label("axpy"))
		}
		tasks.Spawn(t, func() {
			for _, v := range y {
				sum += v
			}
		}, deps.InSlice(y))
	})
	fmt.Println(sum)
	// Output: 7000
}

// A loop can be nested in a loop: the outer one's iterations cost so different amounts that they are handed out one by
// one.
func ExampleFor_nested() {
	var pairs atomic.Int64
	example(func(t *tasks.Task) {
		worksharing.For(t, 100, worksharing.Dynamic(1), func(t *tasks.Task, i, _ int) {
			worksharing.For(t, i, worksharing.Adaptive(), func(_ *tasks.Task, lo, hi int) {
				pairs.Add(int64(hi - lo))
			})
		})
	})
	fmt.Println(pairs.Load())
	// Output: 4950
}

// Chunks have the size that the schedule says; which of them is first is open.
func ExampleStatic() {
	example(func(t *tasks.Task) {
		worksharing.For(t, 10, worksharing.Static(4), func(_ *tasks.Task, lo, hi int) { fmt.Println(lo, hi) })
	})
	// Unordered output:
	// 0 4
	// 4 8
	// 8 10
}

// The words are OpenMP's.
func ExampleSchedule() {
	fmt.Println(worksharing.Static(0), worksharing.Dynamic(4), worksharing.Guided(2), worksharing.Schedule{})
	fmt.Println(worksharing.Dynamic(4).String() == "dynamic,4", worksharing.Schedule{} == worksharing.Adaptive())
	// Output:
	// static dynamic,4 guided,2 adaptive
	// true true
}

// Blocks of the second loop start as soon as their own blocks of the first are over.
func ExampleLoop() {
	const block = 25
	a := make([]int, 100)
	ownBlock := func(lo, hi int) []deps.Access { return []deps.Access{deps.InOutSlice(a[lo:hi])} }
	sum := 0
	example(func(t *tasks.Task) {
		worksharing.Loop(t, len(a), block, func(_ *tasks.Task, lo, hi int) {
			for i := lo; i < hi; i++ {
				a[i] = i
			}
		}, ownBlock)
		worksharing.Loop(t, len(a), block, func(_ *tasks.Task, lo, hi int) {
			for i := lo; i < hi; i++ {
				a[i] *= 2
			}
		}, ownBlock, tasks.Label("double"))
		if err := t.Wait(); err != nil {
			fmt.Println(err)
			return
		}
		for _, v := range a {
			sum += v
		}
	})
	fmt.Println(sum)
	// Output: 9900
}

// Tiles of a matrix. A row of tiles is an item of its own.
func ExampleLoop2() {
	const n = 8
	var a, b [n][n]int
	example(func(t *tasks.Task) {
		tile := [2]int{2, 4}
		worksharing.Loop2(t, [2]int{n, n}, tile, func(_ *tasks.Task, lo, hi [2]int) {
			for i := lo[0]; i < hi[0]; i++ {
				for j := lo[1]; j < hi[1]; j++ {
					a[i][j] = 10*i + j
				}
			}
		}, func(lo, hi [2]int) (accs []deps.Access) {
			for i := lo[0]; i < hi[0]; i++ {
				accs = append(accs, deps.OutSlice(a[i][lo[1]:hi[1]]))
			}
			return accs
		})
		worksharing.Loop2(t, [2]int{n, n}, tile, func(_ *tasks.Task, lo, hi [2]int) {
			for i := lo[0]; i < hi[0]; i++ {
				for j := lo[1]; j < hi[1]; j++ {
					b[i][j] = a[i][j] + 1
				}
			}
		}, func(lo, hi [2]int) (accs []deps.Access) {
			for i := lo[0]; i < hi[0]; i++ {
				accs = append(accs, deps.InSlice(a[i][lo[1]:hi[1]]))
			}
			return accs
		})
	})
	fmt.Println(b[3][5])
	// Output: 36
}

func ExampleLoop3() {
	var cells atomic.Int64
	example(func(t *tasks.Task) {
		worksharing.Loop3(t, [3]int{4, 6, 10}, [3]int{1, 2, 0}, func(_ *tasks.Task, lo, hi [3]int) {
			cells.Add(int64((hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2])))
		}, nil)
	})
	fmt.Println(cells.Load())
	// Output: 240
}
