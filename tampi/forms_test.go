package tampi_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

// TestPlainCallsMeetTaskAwareOnes: for the other ranks a blocking collective of a task is the blocking one.
func TestPlainCallsMeetTaskAwareOnes(t *testing.T) {
	err := mpi.Run(context.Background(), mpi.Config{Ranks: 3}, func(ctx context.Context, w *mpi.Comm) error {
		buf := []int{w.Rank() + 1}
		sum := make([]int, 1)
		all := func(barrier func() error, bcast func() error, sums func() error) error {
			for _, f := range []func() error{barrier, bcast, sums} {
				if err := f(); err != nil {
					return err
				}
			}
			return nil
		}
		var err error
		switch w.Rank() {
		case 0:
			err = all(func() error { return mpi.Barrier(w) }, func() error { return mpi.Bcast(w, buf, 0) },
				func() error { return mpi.Allreduce(w, buf, sum, mpi.Sum) })
		case 1:
			err = all(func() error { return tampi.Barrier(nil, w) }, func() error { return tampi.Bcast(nil, w, buf, 0) },
				func() error { return tampi.Allreduce(nil, w, buf, sum, mpi.Sum) })
		default:
			rt, e := tasks.New(tasks.Config{Workers: 1})
			if e != nil {
				return e
			}
			defer rt.Close()
			err = rt.Run(ctx, func(m *tasks.Task) error {
				return all(func() error { return tampi.Barrier(m, w) }, func() error { return tampi.Bcast(m, w, buf, 0) },
					func() error { return tampi.Allreduce(m, w, buf, sum, mpi.Sum) })
			})
		}
		if err == nil && sum[0] != 3 {
			t.Errorf("rank %d has %d", w.Rank(), sum[0])
		}
		return err
	})
	require.NoError(t, err)
}

// TestFormsDoNotMix: blocking and non-blocking collectives do not match in MPI.
func TestFormsDoNotMix(t *testing.T) {
	err := mpi.Run(context.Background(), mpi.Config{Ranks: 2}, func(ctx context.Context, w *mpi.Comm) error {
		if w.Rank() == 0 {
			return tampi.Barrier(nil, w)
		}
		r, err := mpi.Ibarrier(w)
		if err != nil {
			return err
		}
		_, err = r.Wait()
		return err
	})
	require.ErrorIs(t, err, mpi.ErrMismatch)
}
