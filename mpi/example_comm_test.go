package mpi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gompss/gompss/mpi"
)

func ExampleComm_Rank() {
	ranks(3, func(w *mpi.Comm) error {
		tell(w, 2, w.Rank(), "of", w.Size(), "in", w.Name())
		return nil
	})
	// Output: 2 of 3 in world
}

func ExampleComm_Dup() {
	ranks(1, func(w *mpi.Comm) error {
		d, err := w.Dup()
		if err != nil {
			return err
		}
		err = mpi.Send(d, []int{1}, 0, 0)
		_, inWorld, _ := mpi.Iprobe(w, 0, 0)
		_, inDup, _ := mpi.Iprobe(d, 0, 0)
		fmt.Println(inWorld, inDup)
		return err
	})
	// Output: false true
}

func ExampleComm_Split() {
	ranks(6, func(w *mpi.Comm) error {
		row, err := w.Split(w.Rank()/3, 0) // two rows of three
		if err != nil {
			return err
		}
		sum := []int{w.Rank()}
		err = mpi.Allreduce(row, sum, sum, mpi.Sum)
		tell(w, 4, row.Rank(), "of", row.Size(), "sum", sum)
		return err
	})
	// Output: 1 of 3 sum [12]
}

func ExampleComm_Free() {
	ranks(2, func(w *mpi.Comm) error {
		d, err := w.Dup()
		if err != nil {
			return err
		}
		err = d.Free()
		tell(w, 0, errors.Is(mpi.Barrier(d), mpi.ErrComm))
		return err
	})
	// Output: true
}

func ExampleCompare() {
	ranks(2, func(w *mpi.Comm) error {
		d, err := w.Dup()
		tell(w, 0, mpi.Compare(w, w) == mpi.Ident, mpi.Compare(w, d) == mpi.Congruent)
		return err
	})
	// Output: true true
}

func ExampleComm_Process() {
	ranks(2, func(w *mpi.Comm) error {
		d, err := w.Dup()
		if err != nil {
			return err
		}
		tell(w, 1, d.Process() == w.Process()) // one process, whatever the communicator
		return nil
	})
	// Output: true
}

func ExampleRequest_Process() {
	ranks(1, func(w *mpi.Comm) error {
		r, err := mpi.Isend(w, []int{1}, mpi.ProcNull, 0)
		fmt.Println(r.Process() == w.Process())
		return err
	})
	// Output: true
}

func ExampleComm_Dump() {
	ranks(1, func(w *mpi.Comm) error {
		r, err := mpi.Irecv(w, make([]int, 1), mpi.AnySource, 4)
		if err != nil {
			return err
		}
		w.Dump(os.Stdout)
		return r.Cancel()
	})
	// Output:
	// rank 0: running
	//   Irecv from any rank, tag 4, 8 bytes
}

func ExampleComm_Attach() {
	ranks(1, func(w *mpi.Comm) error {
		a := w.Attach("my runtime", func(out io.Writer) { fmt.Fprintln(out, "    nothing") })
		a.Idle() // from now on only messages can make it go on
		var text bytes.Buffer
		w.Dump(&text)
		fmt.Print(text.String())
		a.Busy() // one has
		a.Close()
		return nil
	})
	// Output:
	// rank 0: idle
	//   my runtime: idle
	//     nothing
}

func ExampleDeadlockError() {
	ranks(2, func(w *mpi.Comm) error {
		_, err := mpi.Recv(w, make([]int, 1), 1-w.Rank(), w.Rank())
		var deadlock *mpi.DeadlockError
		if errors.As(err, &deadlock) {
			tell(w, 0, deadlock.Pending[0])
			tell(w, 0, deadlock.Pending[1])
		}
		return nil
	})
	// Prints, but not under go test, whose reading of the output counts as something that may still send:
	//
	// rank 0: Recv from 1, tag 0, 8 bytes
	// rank 1: Recv from 0, tag 1, 8 bytes
	// mpi: deadlock: all ranks are idle and nothing can go on
	// rank 0: idle
	//   Recv from 1, tag 0, 8 bytes
	// rank 1: idle
	//   Recv from 0, tag 1, 8 bytes
}

func ExampleComm_AsBlocking() {
	err := mpi.Run(context.Background(), mpi.Config{Ranks: 2}, func(_ context.Context, w *mpi.Comm) error {
		if w.Rank() == 0 {
			return mpi.Barrier(w)
		}
		r, err := mpi.Ibarrier(w.AsBlocking()) // with w alone this would be ErrMismatch
		if err != nil {
			return err
		}
		_, err = r.Wait()
		return err
	})
	fmt.Println(err)
	// Output: <nil>
}
