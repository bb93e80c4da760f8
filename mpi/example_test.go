package mpi_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/gompss/gompss/mpi"
)

// ranks runs main on n ranks and prints what goes wrong.
func ranks(n int, main func(w *mpi.Comm) error) {
	err := mpi.Run(context.Background(), mpi.Config{Ranks: n}, func(_ context.Context, w *mpi.Comm) error { return main(w) })
	if err != nil {
		fmt.Println(err)
	}
}

func ExampleRun() {
	err := mpi.Run(context.Background(), mpi.Config{Ranks: 3}, func(ctx context.Context, world *mpi.Comm) error {
		if world.Rank() == 2 {
			return errors.New("out of paper")
		}
		_, err := mpi.Recv(world, make([]int, 1), 2, 0) // ends when rank 2 fails
		return err
	})
	fmt.Println(err)
	// Output: mpi: rank 2: out of paper
}

func ExampleSend() {
	ranks(2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			return mpi.Send(w, []float64{1, 2, 3}, 1, 7)
		}
		x := make([]float64, 10)
		st, err := mpi.Recv(w, x, 0, 7)
		fmt.Println(x[:st.Count], "from", st.Source, "tag", st.Tag)
		return err
	})
	// Output: [1 2 3] from 0 tag 7
}

func ExampleSsend() {
	ranks(2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			err := mpi.Ssend(w, []int{42}, 1, 0) // the other has it when this returns
			return errors.Join(err, mpi.Barrier(w))
		}
		x := make([]int, 1)
		_, err := mpi.Recv(w, x, 0, 0)
		fmt.Println(x[0])
		return errors.Join(err, mpi.Barrier(w))
	})
	// Output: 42
}

func ExampleRsend() {
	ranks(2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			err := mpi.Rsend(w, []int{1}, 1, 0) // nobody has asked for it
			fmt.Println(errors.Is(err, mpi.ErrNotPosted))
			return mpi.Barrier(w)
		}
		return mpi.Barrier(w)
	})
	// Output: true
}

func ExampleBsend() {
	ranks(2, func(w *mpi.Comm) error {
		x := make([]int, 1)
		if w.Rank() == 1 {
			_, err := mpi.Recv(w, x, 0, 0)
			fmt.Println("got", x[0])
			return err
		}
		if err := mpi.BufferAttach(w, 1000); err != nil {
			return err
		}
		x[0] = 5
		err := mpi.Bsend(w, x, 1, 0)
		x[0] = 0 // ours again at once
		_, err2 := mpi.BufferDetach(w)
		return errors.Join(err, err2)
	})
	// Output: got 5
}

func ExampleBufferAttach() {
	ranks(1, func(w *mpi.Comm) error {
		fmt.Println(mpi.Bsend(w, []int{1}, 0, 0))
		if err := mpi.BufferAttach(w, 8+mpi.BsendOverhead); err != nil {
			return err
		}
		fmt.Println(mpi.Bsend(w, []int{1}, 0, 0))
		_, err := mpi.Recv(w, make([]int, 1), 0, 0)
		return err
	})
	// Output:
	// mpi: Bsend: no room in the attached buffer: 8 bytes
	// <nil>
}

func ExampleBufferDetach() {
	ranks(1, func(w *mpi.Comm) error {
		if err := mpi.BufferAttach(w, 4096); err != nil {
			return err
		}
		size, err := mpi.BufferDetach(w)
		fmt.Println(size)
		return err
	})
	// Output: 4096
}

func ExampleIsend() {
	ranks(2, func(w *mpi.Comm) error {
		x := []int{w.Rank()}
		s, err := mpi.Isend(w, x, 1-w.Rank(), 0) // both send first
		if err != nil {
			return err
		}
		y := make([]int, 1)
		if _, err := mpi.Recv(w, y, 1-w.Rank(), 0); err != nil {
			return err
		}
		if w.Rank() == 0 {
			fmt.Println(y)
		}
		_, err = s.Wait()
		return err
	})
	// Output: [1]
}

func ExampleIssend() {
	ranks(1, func(w *mpi.Comm) error {
		r, err := mpi.Issend(w, []int{1}, 0, 0)
		if err != nil {
			return err
		}
		_, before, _ := r.Test()
		_, err = mpi.Recv(w, make([]int, 1), 0, 0)
		_, after, _ := r.Test()
		fmt.Println(before, after)
		return err
	})
	// Output: false true
}

func ExampleIrsend() {
	ranks(1, func(w *mpi.Comm) error {
		x := make([]int, 1)
		r, err := mpi.Irecv(w, x, 0, 0)
		if err != nil {
			return err
		}
		s, err := mpi.Irsend(w, []int{3}, 0, 0)
		if err != nil {
			return err
		}
		err = mpi.Waitall([]*mpi.Request{r, s}, nil)
		fmt.Println(x)
		return err
	})
	// Output: [3]
}

func ExampleIbsend() {
	ranks(1, func(w *mpi.Comm) error {
		if err := mpi.BufferAttach(w, 1000); err != nil {
			return err
		}
		r, err := mpi.Ibsend(w, []int{3}, 0, 0)
		if err != nil {
			return err
		}
		_, done, _ := r.Test()
		fmt.Println(done)
		_, err = mpi.Recv(w, make([]int, 1), 0, 0)
		return err
	})
	// Output: true
}

func ExampleRecv() {
	ranks(3, func(w *mpi.Comm) error {
		if w.Rank() > 0 {
			return mpi.Send(w, []int{w.Rank()}, 0, 0)
		}
		sum := 0
		for range 2 {
			x := make([]int, 1)
			st, err := mpi.Recv(w, x, mpi.AnySource, mpi.AnyTag)
			if err != nil {
				return err
			}
			sum += x[0] * st.Source
		}
		fmt.Println(sum)
		return nil
	})
	// Output: 5
}

func ExampleRecv_truncated() {
	ranks(1, func(w *mpi.Comm) error {
		if err := mpi.Send(w, []byte("hello"), 0, 0); err != nil {
			return err
		}
		x := make([]byte, 4)
		st, err := mpi.Recv(w, x, 0, 0)
		fmt.Println(string(x), st.Count, errors.Is(err, mpi.ErrTruncate))
		return nil
	})
	// Output: hell 4 true
}

func ExampleIrecv() {
	ranks(2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			return mpi.Send(w, []int{42}, 1, 0)
		}
		x := make([]int, 1)
		r, err := mpi.Irecv(w, x, 0, 0)
		if err != nil {
			return err
		}
		// … something that does not touch x …
		_, err = r.Wait()
		fmt.Println(x[0])
		return err
	})
	// Output: 42
}

func ExampleSendrecv() {
	ranks(4, func(w *mpi.Comm) error {
		me, n := w.Rank(), w.Size()
		left := make([]int, 1)
		_, err := mpi.Sendrecv(w, []int{me}, (me+1)%n, 0, left, (me+n-1)%n, 0)
		if me == 0 {
			fmt.Println("to the left of 0 is", left[0])
		}
		return err
	})
	// Output: to the left of 0 is 3
}

func ExampleIsendrecv() {
	ranks(2, func(w *mpi.Comm) error {
		other := []int{0}
		r, err := mpi.Isendrecv(w, []int{10 + w.Rank()}, 1-w.Rank(), 0, other, 1-w.Rank(), 0)
		if err != nil {
			return err
		}
		_, err = r.Wait()
		if w.Rank() == 0 {
			fmt.Println(other[0])
		}
		return err
	})
	// Output: 11
}

func ExampleProbe() {
	ranks(2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			return mpi.Send(w, []int32{1, 2, 3}, 1, 0)
		}
		st, err := mpi.Probe(w, 0, mpi.AnyTag)
		if err != nil {
			return err
		}
		x := make([]int32, mpi.GetCount[int32](st))
		_, err = mpi.Recv(w, x, st.Source, st.Tag)
		fmt.Println(x)
		return err
	})
	// Output: [1 2 3]
}

func ExampleProbeRequest() {
	ranks(1, func(w *mpi.Comm) error {
		r, err := mpi.ProbeRequest(w, mpi.AnySource, 4)
		if err != nil {
			return err
		}
		r.OnDone(func(r *mpi.Request) { fmt.Println(r.Status().Bytes, "bytes have come") })
		return mpi.Send(w, []byte("hello"), 0, 4)
	})
	// Output: 5 bytes have come
}

func ExampleIprobe() {
	ranks(1, func(w *mpi.Comm) error {
		_, before, err := mpi.Iprobe(w, 0, 0)
		err2 := mpi.Send(w, []int{1}, 0, 0)
		_, after, err3 := mpi.Iprobe(w, 0, 0)
		fmt.Println(before, after)
		return errors.Join(err, err2, err3)
	})
	// Output: false true
}

func ExampleMprobe() {
	ranks(2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			return mpi.Send(w, []byte("mine alone"), 1, 0)
		}
		m, st, err := mpi.Mprobe(w, 0, mpi.AnyTag)
		if err != nil {
			return err
		}
		text := make([]byte, st.Bytes)
		_, err = mpi.Mrecv(m, text) // no other goroutine can have taken it
		fmt.Println(string(text))
		return err
	})
	// Output: mine alone
}

func ExampleImprobe() {
	ranks(1, func(w *mpi.Comm) error {
		if err := mpi.Send(w, []int{1, 2}, 0, 0); err != nil {
			return err
		}
		m, _, found, err := mpi.Improbe(w, 0, 0)
		if err != nil || !found {
			return err
		}
		_, again, err := mpi.Iprobe(w, 0, 0)
		fmt.Println("still to be seen by others:", again)
		_, err2 := mpi.Mrecv(m, make([]int, 2))
		return errors.Join(err, err2)
	})
	// Output: still to be seen by others: false
}

func ExampleMrecv() {
	ranks(1, func(w *mpi.Comm) error {
		if err := mpi.Send(w, []int{1}, 0, 0); err != nil {
			return err
		}
		m, _, err := mpi.Mprobe(w, 0, 0)
		x := make([]int, 1)
		_, err2 := mpi.Mrecv(m, x)
		_, again := mpi.Mrecv(m, x)
		fmt.Println(x, errors.Is(again, mpi.ErrMessage))
		return errors.Join(err, err2)
	})
	// Output: [1] true
}

func ExampleImrecv() {
	ranks(1, func(w *mpi.Comm) error {
		if err := mpi.Send(w, []int{1}, 0, 0); err != nil {
			return err
		}
		m, _, err := mpi.Mprobe(w, 0, 0)
		if err != nil {
			return err
		}
		x := make([]int, 1)
		r, err := mpi.Imrecv(m, x)
		if err != nil {
			return err
		}
		_, err = r.Wait()
		fmt.Println(x)
		return err
	})
	// Output: [1]
}

func ExampleGetCount() {
	st := mpi.Status{Bytes: 12}
	fmt.Println(mpi.GetCount[int32](st), mpi.GetCount[int64](st) == mpi.Undefined)
	// Output: 3 true
}
