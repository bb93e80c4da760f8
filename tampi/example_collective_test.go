package tampi_test

import (
	"fmt"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

// Each Example calls a collective twice: the blocking form in the main task, the non-blocking form in a task of its own
// whose successor prints.

func ExampleBarrier() {
	inTasks(3, func(t *tasks.Task, w *mpi.Comm) error {
		if err := tampi.Barrier(t, w); err != nil { // all have come this far
			return err
		}
		var phase int
		tasks.Spawn(t, func(t *tasks.Task) error { return tampi.Ibarrier(t, w) }, deps.Out(&phase))
		tasks.Spawn(t, func() {
			if w.Rank() == 0 {
				fmt.Println("all are here")
			}
		}, deps.In(&phase))
		return t.Wait()
	})
	// Output: all are here
}

func ExampleBcast() {
	inTasks(3, func(t *tasks.Task, w *mpi.Comm) error {
		var x, y [2]int
		if w.Rank() == 0 {
			x, y = [2]int{1, 2}, [2]int{3, 4}
		}
		if err := tampi.Bcast(t, w, x[:], 0); err != nil {
			return err
		}
		tasks.Spawn(t, func(t *tasks.Task) error { return tampi.Ibcast(t, w, y[:], 0) }, deps.InOut(&y))
		tasks.Spawn(t, func() {
			if w.Rank() == 2 {
				fmt.Println(x, y)
			}
		}, deps.In(&y))
		return t.Wait()
	})
	// Output: [1 2] [3 4]
}

func ExampleReduce() {
	inTasks(3, func(t *tasks.Task, w *mpi.Comm) error {
		me := []int{w.Rank() + 1}
		var sum, product [1]int
		if err := tampi.Reduce(t, w, me, sum[:], mpi.Sum, 0); err != nil {
			return err
		}
		tasks.Spawn(t, func(t *tasks.Task) error {
			return tampi.Ireduce(t, w, me, product[:], mpi.Prod, 0)
		}, deps.InSlice(me), deps.Out(&product))
		tasks.Spawn(t, func() {
			if w.Rank() == 0 {
				fmt.Println(sum, product)
			}
		}, deps.In(&product))
		return t.Wait()
	})
	// Output: [6] [6]
}

func ExampleAllreduce() {
	inTasks(3, func(t *tasks.Task, w *mpi.Comm) error {
		me := []int{w.Rank()}
		var sum, largest [1]int
		if err := tampi.Allreduce(t, w, me, sum[:], mpi.Sum); err != nil {
			return err
		}
		tasks.Spawn(t, func(t *tasks.Task) error {
			return tampi.Iallreduce(t, w, me, largest[:], mpi.Max)
		}, deps.InSlice(me), deps.Out(&largest))
		tasks.Spawn(t, func() {
			if w.Rank() == 1 {
				fmt.Println(sum, largest)
			}
		}, deps.In(&largest))
		return t.Wait()
	})
	// Output: [3] [2]
}

func ExampleGather() {
	inTasks(3, func(t *tasks.Task, w *mpi.Comm) error {
		a, b := []int{w.Rank()}, []int{10 * w.Rank()}
		var x, y [3]int
		if err := tampi.Gather(t, w, a, x[:], 0); err != nil {
			return err
		}
		tasks.Spawn(t, func(t *tasks.Task) error {
			return tampi.Igather(t, w, b, y[:], 0)
		}, deps.InSlice(b), deps.Out(&y))
		tasks.Spawn(t, func() {
			if w.Rank() == 0 {
				fmt.Println(x, y)
			}
		}, deps.In(&y))
		return t.Wait()
	})
	// Output: [0 1 2] [0 10 20]
}

func ExampleScatter() {
	inTasks(3, func(t *tasks.Task, w *mpi.Comm) error {
		all := []int{1, 2, 3} // rank 0's counts
		var x, y [1]int
		if err := tampi.Scatter(t, w, all, x[:], 0); err != nil {
			return err
		}
		tasks.Spawn(t, func(t *tasks.Task) error {
			return tampi.Iscatter(t, w, all, y[:], 0)
		}, deps.InSlice(all), deps.Out(&y))
		tasks.Spawn(t, func() {
			if w.Rank() == 2 {
				fmt.Println(x, y)
			}
		}, deps.In(&y))
		return t.Wait()
	})
	// Output: [3] [3]
}

func ExampleAllgather() {
	inTasks(3, func(t *tasks.Task, w *mpi.Comm) error {
		a, b := []int{w.Rank()}, []int{10 * w.Rank()}
		var x, y [3]int
		if err := tampi.Allgather(t, w, a, x[:]); err != nil {
			return err
		}
		tasks.Spawn(t, func(t *tasks.Task) error {
			return tampi.Iallgather(t, w, b, y[:])
		}, deps.InSlice(b), deps.Out(&y))
		tasks.Spawn(t, func() {
			if w.Rank() == 1 {
				fmt.Println(x, y)
			}
		}, deps.In(&y))
		return t.Wait()
	})
	// Output: [0 1 2] [0 10 20]
}

func ExampleAlltoall() {
	inTasks(2, func(t *tasks.Task, w *mpi.Comm) error {
		out := []int{10 * w.Rank(), 10*w.Rank() + 1} // one element for each rank
		var x, y [2]int
		if err := tampi.Alltoall(t, w, out, x[:]); err != nil {
			return err
		}
		tasks.Spawn(t, func(t *tasks.Task) error {
			return tampi.Ialltoall(t, w, out, y[:])
		}, deps.InSlice(out), deps.Out(&y))
		tasks.Spawn(t, func() {
			if w.Rank() == 1 {
				fmt.Println(x, y)
			}
		}, deps.In(&y))
		return t.Wait()
	})
	// Output: [1 11] [1 11]
}

func ExampleScan() {
	inTasks(3, func(t *tasks.Task, w *mpi.Comm) error {
		me := []int{w.Rank() + 1}
		var x, y [1]int
		if err := tampi.Scan(t, w, me, x[:], mpi.Sum); err != nil { // ranks 0 to this one
			return err
		}
		tasks.Spawn(t, func(t *tasks.Task) error {
			return tampi.Iscan(t, w, me, y[:], mpi.Prod)
		}, deps.InSlice(me), deps.Out(&y))
		tasks.Spawn(t, func() {
			if w.Rank() == 2 {
				fmt.Println(x, y)
			}
		}, deps.In(&y))
		return t.Wait()
	})
	// Output: [6] [6]
}

func ExampleExscan() {
	inTasks(3, func(t *tasks.Task, w *mpi.Comm) error {
		me := []int{w.Rank() + 1}
		var x, y [1]int
		if err := tampi.Exscan(t, w, me, x[:], mpi.Sum); err != nil { // ranks before this one
			return err
		}
		tasks.Spawn(t, func(t *tasks.Task) error {
			return tampi.Iexscan(t, w, me, y[:], mpi.Prod)
		}, deps.InSlice(me), deps.Out(&y))
		tasks.Spawn(t, func() {
			if w.Rank() == 2 {
				fmt.Println(x, y)
			}
		}, deps.In(&y))
		return t.Wait()
	})
	// Output: [3] [2]
}
