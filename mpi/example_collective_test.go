package mpi_test

import (
	"errors"
	"fmt"

	"github.com/gompss/gompss/mpi"
)

// tell prints x on one rank, so that examples print in one order.
func tell(w *mpi.Comm, rank int, x ...any) {
	if w.Rank() == rank {
		fmt.Println(x...)
	}
}

// finish waits for a collective that has been started.
func finish(r *mpi.Request, err error) error {
	if err != nil {
		return err
	}
	_, err = r.Wait()
	return err
}

func ExampleBarrier() {
	ranks(2, func(w *mpi.Comm) error {
		tell(w, 0, "before")
		err := mpi.Barrier(w)
		tell(w, 1, "after")
		return err
	})
	// Output:
	// before
	// after
}

func ExampleIbarrier() {
	ranks(3, func(w *mpi.Comm) error {
		r, err := mpi.Ibarrier(w)
		// … work for which the others need not wait …
		err = finish(r, err)
		tell(w, 0, "all have come")
		return err
	})
	// Output: all have come
}

func ExampleBcast() {
	ranks(3, func(w *mpi.Comm) error {
		x := make([]int, 2)
		if w.Rank() == 1 {
			x = []int{4, 2}
		}
		err := mpi.Bcast(w, x, 1)
		tell(w, 2, x)
		return err
	})
	// Output: [4 2]
}

func ExampleIbcast() {
	ranks(3, func(w *mpi.Comm) error {
		x, y := []int{w.Rank()}, []int{w.Rank()}
		a, err := mpi.Ibcast(w, x, 0) // several may be under way, in the same order on all ranks
		b, err2 := mpi.Ibcast(w, y, 1)
		err = errors.Join(err, err2, mpi.Waitall([]*mpi.Request{a, b}, nil))
		tell(w, 2, x, y)
		return err
	})
	// Output: [0] [1]
}

func ExampleReduce() {
	ranks(4, func(w *mpi.Comm) error {
		best := make([]int, 1)
		err := mpi.Reduce(w, []int{10 - w.Rank()}, best, mpi.Min, 3)
		tell(w, 3, best)
		return err
	})
	// Output: [7]
}

func ExampleIreduce() {
	ranks(4, func(w *mpi.Comm) error {
		sum := make([]float64, 1)
		err := finish(mpi.Ireduce(w, []float64{0.5}, sum, mpi.Sum, 0))
		tell(w, 0, sum)
		return err
	})
	// Output: [2]
}

func ExampleAllreduce() {
	ranks(4, func(w *mpi.Comm) error {
		sum := make([]int, 2)
		err := mpi.Allreduce(w, []int{1, w.Rank()}, sum, mpi.Sum)
		tell(w, 2, sum)
		return err
	})
	// Output: [4 6]
}

func ExampleIallreduce() {
	ranks(4, func(w *mpi.Comm) error {
		any := []bool{w.Rank() == 2}
		err := finish(mpi.Iallreduce(w, any, any, mpi.Lor)) // one slice for both: in place
		tell(w, 0, any)
		return err
	})
	// Output: [true]
}

func ExampleInPlace() {
	ranks(3, func(w *mpi.Comm) error {
		x := []int{w.Rank(), 1}
		err := mpi.Allreduce(w, mpi.InPlace[int](), x, mpi.Max)
		tell(w, 0, x)
		return err
	})
	// Output: [2 1]
}

func ExampleNewOp() {
	type span struct{ Lo, Hi int }
	join := mpi.NewOp(func(in, inout []span) {
		for i := range inout {
			inout[i] = span{min(in[i].Lo, inout[i].Lo), max(in[i].Hi, inout[i].Hi)}
		}
	}, true)
	ranks(4, func(w *mpi.Comm) error {
		x := []span{{w.Rank(), 2 * w.Rank()}}
		err := mpi.Allreduce(w, x, x, join)
		tell(w, 0, x)
		return err
	})
	// Output: [{0 6}]
}

func ExampleScan() {
	ranks(4, func(w *mpi.Comm) error {
		sum := make([]int, 1)
		err := mpi.Scan(w, []int{w.Rank() + 1}, sum, mpi.Sum)
		tell(w, 3, sum)
		return err
	})
	// Output: [10]
}

func ExampleIscan() {
	ranks(4, func(w *mpi.Comm) error {
		product := make([]int, 1)
		err := finish(mpi.Iscan(w, []int{w.Rank() + 1}, product, mpi.Prod))
		tell(w, 2, product)
		return err
	})
	// Output: [6]
}

func ExampleExscan() {
	ranks(4, func(w *mpi.Comm) error {
		first := make([]int, 1) // where each rank's part begins in a common file
		err := mpi.Exscan(w, []int{100 * (w.Rank() + 1)}, first, mpi.Sum)
		tell(w, 2, first)
		return err
	})
	// Output: [300]
}

func ExampleIexscan() {
	ranks(3, func(w *mpi.Comm) error {
		x := make([]int, 1)
		err := finish(mpi.Iexscan(w, []int{1}, x, mpi.Sum))
		tell(w, 2, x)
		return err
	})
	// Output: [2]
}

func ExampleGather() {
	ranks(3, func(w *mpi.Comm) error {
		var all []int
		if w.Rank() == 0 {
			all = make([]int, 2*w.Size())
		}
		err := mpi.Gather(w, []int{w.Rank(), -w.Rank()}, all, 0)
		tell(w, 0, all)
		return err
	})
	// Output: [0 0 1 -1 2 -2]
}

func ExampleIgather() {
	ranks(3, func(w *mpi.Comm) error {
		all := make([]int, 3)
		err := finish(mpi.Igather(w, []int{w.Rank()}, all, 2))
		tell(w, 2, all)
		return err
	})
	// Output: [0 1 2]
}

func ExampleScatter() {
	ranks(3, func(w *mpi.Comm) error {
		var all []int
		if w.Rank() == 0 {
			all = []int{1, 2, 3, 4, 5, 6}
		}
		part := make([]int, 2)
		err := mpi.Scatter(w, all, part, 0)
		tell(w, 1, part)
		return err
	})
	// Output: [3 4]
}

func ExampleIscatter() {
	ranks(3, func(w *mpi.Comm) error {
		part := make([]string1, 1)
		err := finish(mpi.Iscatter(w, []string1{{'a'}, {'b'}, {'c'}}, part, 0))
		tell(w, 2, string(part[0][:]))
		return err
	})
	// Output: c
}

// string1 is a text of one byte. Strings hold pointers, so they cannot be sent; arrays of bytes can.
type string1 [1]byte

func ExampleAllgather() {
	ranks(3, func(w *mpi.Comm) error {
		all := make([]int, 3)
		err := mpi.Allgather(w, []int{w.Rank() * w.Rank()}, all)
		tell(w, 1, all)
		return err
	})
	// Output: [0 1 4]
}

func ExampleIallgather() {
	ranks(3, func(w *mpi.Comm) error {
		all := make([]int, 3)
		err := finish(mpi.Iallgather(w, []int{w.Rank()}, all))
		tell(w, 2, all)
		return err
	})
	// Output: [0 1 2]
}

func ExampleAlltoall() {
	ranks(3, func(w *mpi.Comm) error {
		me := 10 * w.Rank()
		column := make([]int, 3)
		err := mpi.Alltoall(w, []int{me, me + 1, me + 2}, column)
		tell(w, 1, column)
		return err
	})
	// Output: [1 11 21]
}

func ExampleIalltoall() {
	ranks(2, func(w *mpi.Comm) error {
		x := []int{10 * w.Rank(), 10*w.Rank() + 1}
		err := finish(mpi.Ialltoall(w, mpi.InPlace[int](), x))
		tell(w, 0, x)
		return err
	})
	// Output: [0 10]
}
