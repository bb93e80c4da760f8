package worksharing_test

import (
	"fmt"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

// A chain of cells, each of which takes the mean of its neighbours, over and over (Gauss–Seidel). Sweeps overlap: the
// second one follows the first two cells behind.
func ExampleIter() {
	a := []float64{1, 0, 0, 0, 0, 1}
	example(func(t *tasks.Task) {
		worksharing.Iter(t, 100, func(t *tasks.Task) {
			for i := 1; i < len(a)-1; i++ {
				tasks.Spawn(t, func() { a[i] = (a[i-1] + a[i+1]) / 2 }, deps.In(&a[i-1]), deps.In(&a[i+1]), deps.InOut(&a[i]))
			}
		}, deps.InOutSlice(a))
	})
	fmt.Printf("%.3f\n", a)
	// Output: [1.000 1.000 1.000 1.000 1.000 1.000]
}

// Newton's iteration for the square root of 2, until the step is small. Nothing but the condition decides about the next
// iteration, so it reads all that it needs.
func ExampleIterWhile() {
	x, step := 1.0, 1.0
	example(func(t *tasks.Task) {
		worksharing.IterWhile(t, func(*tasks.Task) bool { return step > 1e-9 }, deps.List{deps.In(&step)}, func(t *tasks.Task) {
			tasks.Spawn(t, func() { step = (x - 2/x) / 2 }, deps.In(&x), deps.Out(&step))
			tasks.Spawn(t, func() { x -= step; step = max(step, -step) }, deps.InOut(&x), deps.InOut(&step))
		}, deps.InOut(&x), deps.InOut(&step))
	})
	fmt.Printf("%.6f\n", x)
	// Output: 1.414214
}

// A task asks for its iteration: what it captured is of the one time that the body was called. The sum is combined once,
// after the loop, because nothing in it reads it.
func ExampleIndex() {
	sum := 0
	example(func(t *tasks.Task) {
		worksharing.Iter(t, 10, func(t *tasks.Task) {
			tasks.Spawn(t, func(t *tasks.Task) { *reduce.Local(t, &sum) += worksharing.Index(t) }, reduce.Sum(&sum))
		}, deps.InOut(&sum))
	})
	fmt.Println(sum)
	// Output: 45
}

// Two buffers that change places from iteration to iteration: two iterations are recorded as one graph.
func ExampleUnroll() {
	var a, b [4]int
	example(func(t *tasks.Task) {
		worksharing.Iter(t, 5, func(t *tasks.Task) {
			from, to := &a, &b
			if worksharing.Index(t)%2 == 1 {
				from, to = to, from
			}
			for i := range a {
				tasks.Spawn(t, func() { to[i] = from[i] + 1 }, deps.In(&from[i]), deps.Out(&to[i]))
			}
		}, deps.InOut(&a), deps.InOut(&b), worksharing.Unroll(2))
	})
	fmt.Println(a, b)
	// Output: [4 4 4 4] [5 5 5 5]
}
