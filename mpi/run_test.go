package mpi_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/trace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var errBoom = errors.New("boom")

func TestRankErrorEndsAll(t *testing.T) {
	var causes atomic.Int32
	before := runtime.NumGoroutine()
	err := mpi.Run(t.Context(), mpi.Config{Ranks: 4}, func(ctx context.Context, w *mpi.Comm) error {
		switch w.Rank() {
		case 0:
			return mpi.Ssend(w, []int{1}, 1, 0)
		case 1:
			_, err := mpi.Recv(w, []int{1}, 0, 99)
			if context.Cause(ctx) == errBoom && err == errBoom {
				causes.Add(1)
			}
			err2 := mpi.Send(w, []int{1}, 0, 0) // every later call fails as well
			assert.ErrorIs(t, err2, errBoom)
			return fmt.Errorf("wrapped: %w", err)
		case 2:
			return mpi.Barrier(w)
		default:
			time.Sleep(10 * time.Millisecond)
			return errBoom
		}
	})
	noLeak(t, before)
	assert.EqualValues(t, 1, causes.Load())
	require.ErrorIs(t, err, errBoom)
	var re *mpi.RankError
	require.ErrorAs(t, err, &re)
	assert.Equal(t, 3, re.Rank)
	assert.Equal(t, "mpi: rank 3: boom", err.Error()) // and nobody else
}

func TestTwoRanksFail(t *testing.T) {
	other := errors.New("other")
	err := run(t, mpi.Config{}, 3, func(w *mpi.Comm) error {
		switch w.Rank() {
		case 0:
			return errBoom
		case 1:
			return other
		}
		return mpi.Barrier(w)
	})
	assert.ErrorIs(t, err, errBoom)
	assert.ErrorIs(t, err, other)
}

func TestRankPanics(t *testing.T) {
	err := run(t, mpi.Config{}, 2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			panic(errBoom)
		}
		_, err := mpi.Recv(w, []int{1}, 0, 0)
		return err
	})
	require.ErrorIs(t, err, errBoom)
	var pe *mpi.PanicError
	require.ErrorAs(t, err, &pe)
	assert.Contains(t, string(pe.Stack), "TestRankPanics")
}

func TestRankGoexit(t *testing.T) {
	err := run(t, mpi.Config{}, 2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			runtime.Goexit()
		}
		return mpi.Barrier(w)
	})
	assert.ErrorIs(t, err, mpi.ErrGoexit)
}

func TestContextCancel(t *testing.T) {
	for _, mode := range modes {
		ctx, cancel := context.WithCancelCause(t.Context())
		before := runtime.NumGoroutine()
		cfg := mode.cfg
		cfg.Ranks = 3
		time.AfterFunc(20*time.Millisecond, func() { cancel(errBoom) })
		err := mpi.Run(ctx, cfg, func(ctx context.Context, w *mpi.Comm) error {
			go func() { // keeps the deadlock check away
				<-ctx.Done()
			}()
			time.Sleep(time.Duration(w.Rank()) * 10 * time.Millisecond)
			x, y := make([]int, 10), make([]int, 10)
			r, err := mpi.Irecv(w, x, 1, 1)
			if err != nil {
				return err
			}
			p, err := mpi.ProbeRequest(w, 1, 1)
			if err != nil {
				return err
			}
			k, err := mpi.Iallreduce(w, y[:1], y[1:2], mpi.Sum)
			if err != nil {
				return err
			}
			_, _ = k.Wait()
			err = mpi.Ssend(w, y, (w.Rank()+1)%3, 0)
			assert.ErrorIs(t, err, errBoom)
			_, err1 := r.Wait()
			_, err2 := p.Wait()
			assert.Equal(t, errBoom, err1)
			assert.Equal(t, errBoom, err2)
			_, err = mpi.Recv(w, x, 0, 0)
			return err
		})
		assert.Equal(t, errBoom.Error(), err.Error())
		assert.ErrorIs(t, err, errBoom)
		noLeak(t, before)
	}
}

func TestUnreceivedMessagesAreDropped(t *testing.T) {
	inModes(t, 2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			for i := range 50 {
				if _, err := mpi.Isend(w, make([]int, 100*i), 1, i); err != nil {
					return err
				}
			}
			_, err := mpi.Irecv(w, []int{0}, 1, 0)
			return err
		}
		return nil
	})
}

func TestCallsAfterRun(t *testing.T) {
	var world *mpi.Comm
	require.NoError(t, run(t, mpi.Config{}, 1, func(w *mpi.Comm) error { world = w; return nil }))
	assert.ErrorIs(t, mpi.Send(world, []int{1}, 0, 0), mpi.ErrFinalized)
	assert.ErrorIs(t, mpi.Bcast(world, []int{1}, 0), nil) // alone it needs nobody
	_, _, err := mpi.Iprobe(world, 0, 0)
	assert.ErrorIs(t, err, mpi.ErrFinalized)
}

func TestConfig(t *testing.T) {
	assert.ErrorContains(t, mpi.Run(t.Context(), mpi.Config{Ranks: -1}, nil), "Ranks")
	require.NoError(t, run(t, mpi.Config{}, 0, func(w *mpi.Comm) error {
		assert.Equal(t, 1, w.Size())
		return nil
	}))
}

func TestManyRanks(t *testing.T) {
	inModes(t, 64, func(w *mpi.Comm) error {
		me, n := w.Rank(), w.Size()
		for range 10 {
			sum := []int{me}
			if err := mpi.Allreduce(w, mpi.InPlace[int](), sum, mpi.Sum); err != nil {
				return err
			}
			assert.Equal(t, n*(n-1)/2, sum[0])
			all := make([]int, n)
			if err := first(mpi.Allgather(w, []int{me}, all), mpi.Alltoall(w, all, make([]int, n)), mpi.Barrier(w)); err != nil {
				return err
			}
			assert.Equal(t, n-1, all[n-1])
			x := []int{0}
			if _, err := mpi.Sendrecv(w, []int{me}, (me+1)%n, 0, x, mpi.AnySource, mpi.AnyTag); err != nil {
				return err
			}
			assert.Equal(t, (me+n-1)%n, x[0])
		}
		return nil
	})
}

func TestTrace(t *testing.T) {
	rec := trace.New(trace.Config{})
	require.NoError(t, run(t, mpi.Config{Trace: rec}, 2, func(w *mpi.Comm) error {
		x := []int{w.Rank()}
		if w.Rank() == 0 {
			return first(mpi.Send(w, x, 1, 7), mpi.Bcast(w, x, 0))
		}
		_, err := mpi.Recv(w, x, mpi.AnySource, mpi.AnyTag)
		return first(err, mpi.Bcast(w, x, 0))
	}))
	sent, received := map[uint64]int{}, map[uint64]int{}
	for e := range rec.Events() {
		switch e.Kind {
		case trace.MsgSend:
			sent[e.ID]++
		case trace.MsgRecvDone:
			received[e.ID]++
		}
	}
	assert.Len(t, sent, 2)
	assert.Equal(t, sent, received)
}

func TestDump(t *testing.T) {
	require.NoError(t, run(t, mpi.Config{}, 2, func(w *mpi.Comm) error {
		if w.Rank() == 1 {
			_, err := mpi.Recv(w, []int{0}, 0, 42)
			return err
		}
		var text strings.Builder
		for !strings.Contains(text.String(), "Recv from 0, tag 42, 8 bytes") {
			time.Sleep(time.Millisecond)
			text.Reset()
			w.Dump(&text)
		}
		return mpi.Send(w, []int{1}, 1, 42)
	}))
}

// A rank that fails on its own while it learns of another's failure reports its own.
func TestOwnFailureBesideAnEcho(t *testing.T) {
	first, own := errors.New("first"), errors.New("own")
	err := mpi.Run(t.Context(), mpi.Config{Ranks: 2}, func(ctx context.Context, c *mpi.Comm) error {
		if c.Rank() == 0 {
			return first
		}
		_, err := mpi.Recv(c, make([]byte, 1), 0, 0)
		return errors.Join(own, err)
	})
	require.ErrorIs(t, err, first)
	require.ErrorIs(t, err, own)
}

func TestUserOperationPanics(t *testing.T) {
	bad := mpi.NewOp(func(in, inout []int) { panic("bad operation") }, true)
	err := mpi.Run(t.Context(), mpi.Config{Ranks: 4}, func(ctx context.Context, c *mpi.Comm) error {
		return mpi.Allreduce(c, []int{1}, make([]int, 1), bad)
	})
	require.ErrorContains(t, err, "bad operation")
}
