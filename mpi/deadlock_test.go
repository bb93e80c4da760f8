package mpi_test

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gompss/gompss/mpi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDeadlockRing(t *testing.T) {
	err := run(t, mpi.Config{}, 3, func(w *mpi.Comm) error {
		return mpi.Ssend(w, []int{1}, (w.Rank()+1)%3, 5)
	})
	require.ErrorIs(t, err, mpi.ErrDeadlock)
	var de *mpi.DeadlockError
	require.ErrorAs(t, err, &de)
	require.Len(t, de.Pending, 3)
	for rank, op := range de.Pending {
		assert.Equal(t, mpi.PendingOp{Rank: rank, Op: "Ssend", Comm: "world", Peer: (rank + 1) % 3, Tag: 5, Bytes: 8, Send: true}, op)
		assert.Contains(t, err.Error(), fmt.Sprintf("rank %d: idle\n  Ssend to %d, tag 5, 8 bytes", rank, (rank+1)%3))
	}
}

func TestDeadlockKinds(t *testing.T) {
	for name, c := range map[string]struct {
		cfg  mpi.Config
		body func(w *mpi.Comm) error
		want string
	}{
		"receive from a rank that has left": {mpi.Config{}, func(w *mpi.Comm) error {
			if w.Rank() == 0 {
				return nil
			}
			_, err := mpi.Recv(w, []int{0}, 0, mpi.AnyTag)
			return err
		}, "Recv from 0, tag any"},
		"rendezvous": {mpi.Config{EagerLimit: -1}, func(w *mpi.Comm) error {
			other := 1 - w.Rank()
			err := mpi.Send(w, []int{0}, other, 0)
			_, err2 := mpi.Recv(w, []int{0}, other, 0)
			return first(err, err2)
		}, "Send to 1, tag 0"},
		"collective": {mpi.Config{}, func(w *mpi.Comm) error {
			if w.Rank() == 0 {
				_, err := mpi.Probe(w, mpi.AnySource, 3)
				return err
			}
			return mpi.Barrier(w)
		}, "Probe from any rank, tag 3"},
		"buffered": {mpi.Config{}, func(w *mpi.Comm) error {
			if w.Rank() == 0 {
				return nil
			}
			_ = mpi.BufferAttach(w, 1000)
			_ = mpi.Bsend(w, []int{0}, 0, 6)
			_, err := mpi.BufferDetach(w)
			return err
		}, "Bsend to 0, tag 6"},
		"swallowed": {mpi.Config{}, func(w *mpi.Comm) error {
			_, _ = mpi.Recv(w, []int{0}, mpi.AnySource, 0)
			return nil
		}, "Recv from any rank"},
		"waitany": {mpi.Config{}, func(w *mpi.Comm) error {
			a, _ := mpi.Irecv(w, []int{0}, 0, 0)
			b, _ := mpi.Irecv(w, []int{0}, 1, 1)
			_, _, err := mpi.Waitany([]*mpi.Request{a, b})
			return err
		}, "Irecv from 1, tag 1"},
	} {
		t.Run(name, func(t *testing.T) {
			err := run(t, c.cfg, 2, c.body)
			assert.ErrorIs(t, err, mpi.ErrDeadlock)
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// TestLateSender is not a deadlock: all ranks wait, but a goroutine will send.
func TestLateSender(t *testing.T) {
	inModes(t, 2, func(w *mpi.Comm) error {
		var late sync.WaitGroup
		defer late.Wait()
		if w.Rank() == 0 {
			late.Go(func() {
				time.Sleep(400 * time.Millisecond)
				assert.NoError(t, mpi.Send(w, []int{1}, 1, 0))
			})
		}
		x := []int{0}
		if w.Rank() == 1 {
			_, err := mpi.Recv(w, x, 0, 0)
			return first(err, mpi.Send(w, x, 0, 1))
		}
		_, err := mpi.Recv(w, x, 1, 1)
		return err
	})
}

func TestNoDeadlockCheck(t *testing.T) {
	err := run(t, mpi.Config{NoDeadlockCheck: true}, 1, func(w *mpi.Comm) error {
		r, err := mpi.Irecv(w, []int{0}, 0, 0)
		if err != nil {
			return err
		}
		time.AfterFunc(300*time.Millisecond, func() { _ = r.Cancel() })
		_, err = r.Wait()
		return err
	})
	assert.NoError(t, err)
}

// TestActivities attaches a task runtime to each rank: while one is busy nothing is a deadlock, when all are idle it is,
// although no main waits in a call of mpi.
func TestActivities(t *testing.T) {
	start := time.Now()
	err := run(t, mpi.Config{}, 2, func(w *mpi.Comm) error {
		a := w.Attach("tasks", func(out io.Writer) { fmt.Fprintln(out, "    task 7 waits") })
		defer a.Close()
		r, err := mpi.Irecv(w, []int{0}, 1-w.Rank(), 0)
		if err != nil {
			return err
		}
		ended := make(chan struct{})
		r.OnDone(func(*mpi.Request) { a.Busy(); close(ended) })
		a.Idle()
		if w.Rank() == 0 {
			a.Busy()
			busy := make(chan struct{})
			time.AfterFunc(300*time.Millisecond, func() { close(busy) })
			<-busy
			a.Idle()
			a.Idle()
		}
		<-ended
		a.Close()
		_, err = r.Wait()
		return err
	})
	assert.ErrorIs(t, err, mpi.ErrDeadlock)
	assert.Equal(t, 2, strings.Count(err.Error(), "    task 7 waits"))
	assert.GreaterOrEqual(t, time.Since(start), 300*time.Millisecond)
}
