package mpi_test

import (
	"errors"
	"fmt"

	"github.com/gompss/gompss/mpi"
)

// three returns the receives of three messages that are on their way from the calling rank to itself.
func three(w *mpi.Comm) ([][1]int, []*mpi.Request, error) {
	x, rs := make([][1]int, 3), make([]*mpi.Request, 3)
	var errs []error
	for i := range x {
		var err error
		rs[i], err = mpi.Irecv(w, x[i][:], 0, i)
		errs = append(errs, err, mpi.Send(w, []int{10 * i}, 0, i))
	}
	return x, rs, errors.Join(errs...)
}

func ExampleRequest_Wait() {
	ranks(1, func(w *mpi.Comm) error {
		x, rs, err := three(w)
		if err != nil {
			return err
		}
		st, err := rs[1].Wait()
		fmt.Println(x[1], "tag", st.Tag)
		return err
	})
	// Output: [10] tag 1
}

func ExampleRequest_Test() {
	ranks(1, func(w *mpi.Comm) error {
		x := make([]int, 1)
		r, err := mpi.Irecv(w, x, 0, 0)
		if err != nil {
			return err
		}
		_, done, _ := r.Test()
		fmt.Println(done)
		if err := mpi.Send(w, []int{1}, 0, 0); err != nil {
			return err
		}
		_, done, err = r.Test()
		fmt.Println(done)
		return err
	})
	// Output:
	// false
	// true
}

func ExampleRequest_OnDone() {
	ranks(1, func(w *mpi.Comm) error {
		x := make([]int, 1)
		r, err := mpi.Irecv(w, x, 0, 0)
		if err != nil {
			return err
		}
		r.OnDone(func(r *mpi.Request) { fmt.Println("here is", x[0], "with tag", r.Status().Tag) })
		return mpi.Send(w, []int{7}, 0, 0)
	})
	// Output: here is 7 with tag 0
}

func ExampleRequest_Status() {
	ranks(1, func(w *mpi.Comm) error {
		_, rs, err := three(w)
		fmt.Println(rs[2].Status().Count)
		return err
	})
	// Output: 1
}

func ExampleRequest_Cancel() {
	ranks(1, func(w *mpi.Comm) error {
		r, err := mpi.Irecv(w, make([]int, 1), 0, 0)
		if err != nil {
			return err
		}
		if err := r.Cancel(); err != nil {
			return err
		}
		st, err := r.Wait()
		fmt.Println(st.Cancelled)
		return err
	})
	// Output: true
}

func ExampleRequest_Free() {
	ranks(1, func(w *mpi.Comm) error {
		r, err := mpi.Isend(w, []int{1}, 0, 0)
		if err != nil {
			return err
		}
		if err := r.Free(); err != nil { // its answer will tell that it has come
			return err
		}
		_, err = mpi.Recv(w, make([]int, 1), 0, 0)
		fmt.Println("received")
		return err
	})
	// Output: received
}

func ExampleWaitall() {
	ranks(1, func(w *mpi.Comm) error {
		x, rs, err := three(w)
		if err != nil {
			return err
		}
		err = mpi.Waitall(rs, nil)
		fmt.Println(x)
		return err
	})
	// Output: [[0] [10] [20]]
}

func ExampleTestall() {
	ranks(1, func(w *mpi.Comm) error {
		_, rs, err := three(w)
		if err != nil {
			return err
		}
		sts := make([]mpi.Status, len(rs))
		done, err := mpi.Testall(rs, sts)
		fmt.Println(done, sts[2].Tag)
		return err
	})
	// Output: true 2
}

func ExampleWaitany() {
	ranks(1, func(w *mpi.Comm) error {
		x, rs, err := three(w)
		if err != nil {
			return err
		}
		sum := 0
		for {
			i, _, err := mpi.Waitany(rs)
			if err != nil {
				return err
			}
			if i == mpi.Undefined { // none is left
				fmt.Println(sum)
				return nil
			}
			sum += x[i][0]
		}
	})
	// Output: 30
}

func ExampleTestany() {
	ranks(1, func(w *mpi.Comm) error {
		r, err := mpi.Irecv(w, make([]int, 1), 0, 0)
		if err != nil {
			return err
		}
		rs := []*mpi.Request{nil, r}
		_, _, done, err := mpi.Testany(rs)
		fmt.Println(done)
		if err := errors.Join(err, mpi.Send(w, []int{1}, 0, 0)); err != nil {
			return err
		}
		i, _, done, err := mpi.Testany(rs)
		fmt.Println(i, done, rs[1] == nil)
		return err
	})
	// Output:
	// false
	// 1 true true
}

func ExampleWaitsome() {
	ranks(1, func(w *mpi.Comm) error {
		_, rs, err := three(w)
		if err != nil {
			return err
		}
		index, err := mpi.Waitsome(rs, nil)
		fmt.Println(index)
		return err
	})
	// Output: [0 1 2]
}

func ExampleTestsome() {
	ranks(1, func(w *mpi.Comm) error {
		r, err := mpi.Irecv(w, make([]int, 1), 0, 99)
		_, rs, err2 := three(w)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		rs[1], r = r, rs[1] // 1 waits
		index, err := mpi.Testsome(rs, nil)
		fmt.Println(index)
		return err
	})
	// Output: [0 2]
}
