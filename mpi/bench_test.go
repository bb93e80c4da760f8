package mpi_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/gompss/gompss/mpi"
)

// bench runs body on ranks ranks; it loops b.N times itself.
func bench(b *testing.B, ranks int, body func(w *mpi.Comm) error) {
	b.Helper()
	b.ReportAllocs()
	if err := mpi.Run(b.Context(), mpi.Config{Ranks: ranks}, func(_ context.Context, w *mpi.Comm) error { return body(w) }); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkPingPong reports half of a round trip.
func BenchmarkPingPong(b *testing.B) {
	for _, bytes := range []int{8, 1 << 10, 64 << 10, 1 << 20, 4 << 20} {
		b.Run(fmt.Sprintf("bytes=%d", bytes), func(b *testing.B) {
			bench(b, 2, func(w *mpi.Comm) error {
				x, me := make([]byte, bytes), w.Rank()
				for i := range 2 * b.N {
					var err error
					if i%2 == me {
						err = mpi.Send(w, x, 1-me, 0)
					} else {
						_, err = mpi.Recv(w, x, 1-me, 0)
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
			half := float64(b.Elapsed().Nanoseconds()) / float64(2*b.N)
			b.ReportMetric(half, "ns/msg")
			b.ReportMetric(float64(bytes)/half, "GB/s")
		})
	}
}

// BenchmarkChannel is the yardstick of BenchmarkPingPong: two goroutines and two unbuffered channels.
func BenchmarkChannel(b *testing.B) {
	there, back := make(chan int), make(chan int)
	go func() {
		for x := range there {
			back <- x
		}
		close(back)
	}()
	for b.Loop() {
		there <- 1
		<-back
	}
	close(there)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(2*b.N), "ns/msg")
}

// BenchmarkRate sends windows of small messages that are received in other windows, with an empty answer for each.
func BenchmarkRate(b *testing.B) {
	const window = 64
	bench(b, 2, func(w *mpi.Comm) error {
		x, me := make([]int64, window), w.Rank()
		rs := make([]*mpi.Request, window)
		for range b.N {
			for i := range rs {
				var err error
				if me == 0 {
					rs[i], err = mpi.Isend(w, x[i:i+1], 1, i)
				} else {
					rs[i], err = mpi.Irecv(w, x[i:i+1], 0, i)
				}
				if err != nil {
					return err
				}
			}
			if err := mpi.Waitall(rs, nil); err != nil {
				return err
			}
			if _, err := mpi.Sendrecv[int64, int64](w, nil, 1-me, 0, nil, 1-me, 0); err != nil {
				return err
			}
		}
		return nil
	})
	b.ReportMetric(float64(b.N*window)/b.Elapsed().Seconds()/1e6, "Mmsg/s")
}

// BenchmarkSelf is the cost of the calls alone: no other goroutine takes part.
func BenchmarkSelf(b *testing.B) {
	bench(b, 1, func(w *mpi.Comm) error {
		x := []int64{1}
		for range b.N {
			if err := mpi.Send(w, x, 0, 0); err != nil {
				return err
			}
			if _, err := mpi.Recv(w, x, 0, 0); err != nil {
				return err
			}
		}
		return nil
	})
}

func BenchmarkAllreduce(b *testing.B) {
	for _, ranks := range []int{2, 8, 64} {
		for _, count := range []int{1, 1 << 17} {
			b.Run(fmt.Sprintf("ranks=%d/bytes=%d", ranks, 8*count), func(b *testing.B) {
				bench(b, ranks, func(w *mpi.Comm) error {
					x, y := make([]float64, count), make([]float64, count)
					for range b.N {
						if err := mpi.Allreduce(w, x, y, mpi.Sum); err != nil {
							return err
						}
					}
					return nil
				})
			})
		}
	}
}

func BenchmarkBarrier(b *testing.B) {
	for _, ranks := range []int{2, 8, 64} {
		b.Run(fmt.Sprintf("ranks=%d", ranks), func(b *testing.B) {
			bench(b, ranks, func(w *mpi.Comm) error {
				for range b.N {
					if err := mpi.Barrier(w); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
}
