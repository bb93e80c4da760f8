//go:build !race

package mpi_test

import (
	"testing"

	"github.com/gompss/gompss/mpi"
	"github.com/stretchr/testify/assert"
)

// TestAllocations holds the promise that blocking calls allocate nothing: for small messages that arrive before their
// receive, and for receives that wait.
func TestAllocations(t *testing.T) {
	err := run(t, mpi.Config{}, 1, func(w *mpi.Comm) error {
		x, y := make([]int, 8), make([]int, 8)
		assert.Zero(t, testing.AllocsPerRun(1000, func() {
			_ = mpi.Send(w, x, 0, 0)
			_, _ = mpi.Recv(w, y, 0, 0)
		}), "send before receive")
		assert.Equal(t, 1.0, testing.AllocsPerRun(1000, func() {
			r, _ := mpi.Irecv(w, y, 0, 0)
			_ = mpi.Send(w, x, 0, 0)
			_, _ = r.Wait()
		}), "receive before send: the request")
		return nil
	})
	assert.NoError(t, err)

	err = run(t, mpi.Config{}, 2, func(w *mpi.Comm) error {
		x := make([]int, 8)
		if w.Rank() == 1 {
			for {
				if _, err := mpi.Recv(w, x, 0, 0); err != nil {
					return err
				}
				if x[0] < 0 {
					return nil
				}
				if err := mpi.Ssend(w, x, 0, 0); err != nil {
					return err
				}
			}
		}
		n := testing.AllocsPerRun(1000, func() {
			_ = mpi.Ssend(w, x, 1, 0)
			_, _ = mpi.Recv(w, x, 1, 0)
		})
		assert.Less(t, n, 0.5, "waiting ping-pong")
		x[0] = -1
		return mpi.Send(w, x, 1, 0)
	})
	assert.NoError(t, err)
}
