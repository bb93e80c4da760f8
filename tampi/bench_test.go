package tampi_test

import (
	"testing"

	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

// alone runs body as a task of the only rank.
func alone(b *testing.B, body func(t *tasks.Task, world *mpi.Comm) error) {
	b.Helper()
	b.ReportAllocs()
	if err := ranks(b, 1, 1, body); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkIwait compares a request that a task is bound to with the raw request: what both cost beyond the message is
// the request of a receive that is pending when it is waited for.
func BenchmarkIwait(b *testing.B) {
	b.Run("request=raw", func(b *testing.B) {
		alone(b, func(t *tasks.Task, world *mpi.Comm) error {
			x, y := make([]int64, 1), make([]int64, 1)
			for b.Loop() {
				r, err := mpi.Irecv(world, x, 0, 0)
				if err != nil {
					return err
				}
				if err := mpi.Send(world, y, 0, 0); err != nil {
					return err
				}
				if _, err := r.Wait(); err != nil {
					return err
				}
			}
			return nil
		})
	})
	b.Run("request=bound", func(b *testing.B) {
		alone(b, func(t *tasks.Task, world *mpi.Comm) error {
			x, y := make([]int64, 1), make([]int64, 1)
			for b.Loop() {
				r, err := mpi.Irecv(world, x, 0, 0)
				if err != nil {
					return err
				}
				if err := tampi.Iwait(t, r, nil); err != nil {
					return err
				}
				if err := mpi.Send(world, y, 0, 0); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// BenchmarkPingPong is half a round trip of 8 bytes between two ranks.
func BenchmarkPingPong(b *testing.B) {
	b.Run("call=plain", func(b *testing.B) { pingPong(b, nil) })
	b.Run("call=task", func(b *testing.B) { pingPong(b, func(t *tasks.Task) *tasks.Task { return t }) })
}

func pingPong(b *testing.B, in func(*tasks.Task) *tasks.Task) {
	b.ReportAllocs()
	n := b.N
	err := ranks(b, 2, 1, func(m *tasks.Task, world *mpi.Comm) error {
		t := m
		if in == nil {
			t = nil
		}
		x := make([]int64, 1)
		me := world.Rank()
		if me == 0 {
			b.ResetTimer()
		}
		for i := range n {
			if i&1 == me {
				if err := tampi.Send(t, world, x, 1-me, 0); err != nil {
					return err
				}
			} else if _, err := tampi.Recv(t, world, x, 1-me, 0); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}
