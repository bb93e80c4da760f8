package mpi_test

import (
	"errors"
	"fmt"

	"github.com/gompss/gompss/mpi"
)

func ExampleRequest_Claim() {
	ranks(1, func(w *mpi.Comm) error {
		x := make([]int, 1)
		r, err := mpi.Irecv(w, x, 0, 0)
		if err != nil {
			return err
		}
		first := r.Claim(func(*mpi.Request) { fmt.Println("received", x[0]) })
		second := r.Claim(func(*mpi.Request) { fmt.Println("never") })
		fmt.Println(first, errors.Is(second, mpi.ErrRequest))
		return mpi.Send(w, []int{7}, 0, 0)
	})
	// Output:
	// <nil> true
	// received 7
}
