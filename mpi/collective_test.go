package mpi_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gompss/gompss/mpi"
	"github.com/stretchr/testify/assert"
)

// inSizes runs body in worlds of 1 to 9 ranks, in every mode.
func inSizes(t *testing.T, body func(w *mpi.Comm) error) {
	for n := 1; n <= 9; n++ {
		t.Run(fmt.Sprintf("ranks=%d", n), func(t *testing.T) { inModes(t, n, body) })
	}
}

// kind is an element type in the tests: how to make value i, and an associative operation with its serial form.
type kind[T comparable] struct {
	make func(i int) T
	op   *mpi.Op
	fold func(a, b T) T
}

// matrix makes 2 by 2 matrices, whose product tells in which order it was formed.
type matrix [4]int64

func times(a, b matrix) matrix {
	const p = 1_000_003
	return matrix{(a[0]*b[0] + a[1]*b[2]) % p, (a[0]*b[1] + a[1]*b[3]) % p, (a[2]*b[0] + a[3]*b[2]) % p, (a[2]*b[1] + a[3]*b[3]) % p}
}

func TestCollectivesAgainstOracle(t *testing.T) {
	inSizes(t, func(w *mpi.Comm) error {
		product := mpi.NewOp(func(in, inout []matrix) {
			for i := range inout {
				inout[i] = times(in[i], inout[i])
			}
		}, false)
		for _, count := range []int{0, 1, 7, 3000} {
			for root := range w.Size() {
				if root > 0 && count != 7 { // all roots with one count, all counts with one root
					continue
				}
				if err := first(
					all(t, w, root, count, kind[int]{func(i int) int { return i*7919 - 5 }, mpi.Sum, func(a, b int) int { return a + b }}),
					all(t, w, root, count, kind[uint16]{func(i int) uint16 { return uint16(i * 7919) }, mpi.Bxor, func(a, b uint16) uint16 { return a ^ b }}),
					all(t, w, root, count, kind[float64]{func(i int) float64 { return math.Sin(float64(i)) }, mpi.Max, math.Max}),
					all(t, w, root, count, kind[matrix]{func(i int) matrix { return matrix{int64(i), 1, 2, int64(i) + 3} }, product, times}),
				); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// all calls every collective, in its blocking and its started form, with separate buffers and in place. Element i of rank r
// is k.make(r*count+i), and of block j of what rank r sends to rank j, k.make((r*n+j)*count+i).
func all[T comparable](t *testing.T, w *mpi.Comm, root, count int, k kind[T]) error {
	me, n := w.Rank(), w.Size()
	values := func(from, count int) []T {
		x := make([]T, count)
		for i := range x {
			x[i] = k.make(from + i)
		}
		return x
	}
	mine, world := values(me*count, count), values(0, n*count)
	prefix := func(ranks int) []T { // of the first ranks
		x := values(0, count)
		for r := 1; r < ranks; r++ {
			for i := range x {
				x[i] = k.fold(x[i], world[r*count+i])
			}
		}
		return x
	}
	total := prefix(n)
	zero := make([]T, count)
	sent, received := values(me*n*count, n*count), make([]T, 0, n*count)
	for r := range n {
		received = append(received, values((r*n+me)*count, count)...)
	}
	if me == root { // only the root has it
		defer func(x []T) { assert.Equal(t, x, world) }(values(0, n*count))
	}

	var failed []error
	check := func(what string, err error, want, got []T) {
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", what, err))
		} else if !slices.Equal(want, got) {
			t.Errorf("%s, rank %d of %d, root %d, count %d: %v instead of %v", what, me, n, root, count, got, want)
		}
	}
	for _, started := range []bool{false, true} {
		do := func(call func() error, start func() (*mpi.Request, error)) error {
			if !started {
				return call()
			}
			r, err := start()
			if err != nil {
				return err
			}
			_, err = r.Wait()
			return err
		}
		for _, inPlace := range []bool{false, true} {
			// in returns the send and the receive buffer of a call whose own part of the receive buffer is at offset.
			in := func(send []T, size, offset int) ([]T, []T) {
				recv := make([]T, size)
				if inPlace {
					copy(recv[offset:], send)
					send = mpi.InPlace[T]()
				}
				return send, recv
			}
			x := append([]T(nil), zero...)
			if me == root {
				copy(x, mine)
			}
			err := do(func() error { return mpi.Bcast(w, x, root) }, func() (*mpi.Request, error) { return mpi.Ibcast(w, x, root) })
			check("Bcast", err, world[root*count:(root+1)*count], x)

			a, b := in(mine, count, 0)
			if me != root {
				a, b = mine, nil
			}
			err = do(func() error { return mpi.Reduce(w, a, b, k.op, root) }, func() (*mpi.Request, error) { return mpi.Ireduce(w, a, b, k.op, root) })
			if me == root {
				check("Reduce", err, total, b)
			} else {
				check("Reduce", err, nil, b)
			}

			a, b = in(mine, count, 0)
			err = do(func() error { return mpi.Allreduce(w, a, b, k.op) }, func() (*mpi.Request, error) { return mpi.Iallreduce(w, a, b, k.op) })
			check("Allreduce", err, total, b)

			a, b = in(mine, count, 0)
			err = do(func() error { return mpi.Scan(w, a, b, k.op) }, func() (*mpi.Request, error) { return mpi.Iscan(w, a, b, k.op) })
			check("Scan", err, prefix(me+1), b)

			a, b = in(mine, count, 0)
			err = do(func() error { return mpi.Exscan(w, a, b, k.op) }, func() (*mpi.Request, error) { return mpi.Iexscan(w, a, b, k.op) })
			if me > 0 {
				check("Exscan", err, prefix(me), b)
			} else if !inPlace {
				check("Exscan", err, zero, b)
			}

			a, b = in(mine, n*count, me*count)
			if me != root {
				a, b = mine, nil
			}
			err = do(func() error { return mpi.Gather(w, a, b, root) }, func() (*mpi.Request, error) { return mpi.Igather(w, a, b, root) })
			if me == root {
				check("Gather", err, world, b)
			} else {
				check("Gather", err, nil, b)
			}

			a, b = in(mine, n*count, me*count)
			err = do(func() error { return mpi.Allgather(w, a, b) }, func() (*mpi.Request, error) { return mpi.Iallgather(w, a, b) })
			check("Allgather", err, world, b)

			b = append([]T(nil), zero...)
			switch {
			case me != root:
				a = nil
			case inPlace:
				a, b = world, mpi.InPlace[T]()
			default:
				a = world
			}
			err = do(func() error { return mpi.Scatter(w, a, b, root) }, func() (*mpi.Request, error) { return mpi.Iscatter(w, a, b, root) })
			if me != root || !inPlace {
				check("Scatter", err, mine, b)
			}

			a, b = in(sent, n*count, 0)
			err = do(func() error { return mpi.Alltoall(w, a, b) }, func() (*mpi.Request, error) { return mpi.Ialltoall(w, a, b) })
			check("Alltoall", err, received, b)
		}
	}
	return errors.Join(failed...)
}

// TestPredefinedOps folds the numbers of three ranks with every operation.
func TestPredefinedOps(t *testing.T) {
	inModes(t, 3, func(w *mpi.Comm) error {
		me := w.Rank()
		return first(
			reduced(t, w, mpi.Sum, []int8{1, 100}[me%2], int8(102)),
			reduced(t, w, mpi.Prod, float32(me+2), 24),
			reduced(t, w, mpi.Prod, complex(0, 1), complex(0, -1)),
			reduced(t, w, mpi.Min, 10-me, 8),
			reduced(t, w, mpi.Min, []float64{1, math.Inf(-1), 3}[me], math.Inf(-1)),
			reduced(t, w, mpi.Max, uint8(200+me), 202),
			reduced(t, w, mpi.Land, []int{1, 2, 3}[me], 1),
			reduced(t, w, mpi.Land, me != 1, false),
			reduced(t, w, mpi.Lor, []int{0, 0, 9}[me], 1),
			reduced(t, w, mpi.Lor, false, false),
			reduced(t, w, mpi.Lxor, []uint{4, 2, 0}[me], 0),
			reduced(t, w, mpi.Lxor, true, true),
			reduced(t, w, mpi.Band, []int{7, 14, 6}[me], 6),
			reduced(t, w, mpi.Bor, uint32(1<<me), 7),
			reduced(t, w, mpi.Bxor, int64(5+me), 5^6^7),
			reduced(t, w, mpi.Sum, time.Duration(me), 3),
			reduced(t, w, mpi.Sum, [2][2]int16{{1, int16(me)}, {0, 2}}, [2][2]int16{{3, 3}, {0, 6}}),
		)
	})
}

func reduced[T any](t *testing.T, w *mpi.Comm, op *mpi.Op, x, want T) error {
	got := []T{x}
	err := mpi.Allreduce(w, got, got, op) // the same slice twice is in place
	assert.Equal(t, want, got[0], "%v", op)
	return err
}

// TestReductionIsReproducible sums numbers whose sum depends on the order of additions: all ranks, all roots and all calls
// must get the same bits.
func TestReductionIsReproducible(t *testing.T) {
	inSizes(t, func(w *mpi.Comm) error {
		r := rand.New(rand.NewPCG(uint64(w.Rank()), 3))
		x, want, got := make([]float64, 100), make([]float64, 100), make([]float64, 100)
		for i := range x {
			x[i] = math.Exp(40*r.Float64()) * (r.Float64() - 0.5)
		}
		if err := first(mpi.Reduce(w, x, want, mpi.Sum, 0), mpi.Bcast(w, want, 0)); err != nil {
			return err
		}
		for root := range w.Size() {
			if err := mpi.Reduce(w, x, got, mpi.Sum, root); err != nil {
				return err
			}
			if w.Rank() == root {
				assert.Equal(t, want, got)
			}
			if err := mpi.Allreduce(w, x, got, mpi.Sum); err != nil {
				return err
			}
			assert.Equal(t, want, got)
		}
		return nil
	})
}

// TestOverlappingCollectives keeps many in flight at once, completed in another order on every rank, among point-to-point
// messages with the same tags.
func TestOverlappingCollectives(t *testing.T) {
	inSizes(t, func(w *mpi.Comm) error {
		me, n := w.Rank(), w.Size()
		const rounds = 20
		var reqs []*mpi.Request
		var checks []func()
		add := func(r *mpi.Request, err error, check func()) {
			assert.NoError(t, err)
			reqs, checks = append(reqs, r), append(checks, check)
		}
		for i := range rounds {
			root := i % n
			b := []int{-1}
			if me == root {
				b[0] = i
			}
			r, err := mpi.Ibcast(w, b, root)
			add(r, err, func() { assert.Equal(t, i, b[0]) })

			sum := []int{me + i}
			r, err = mpi.Iallreduce(w, sum, sum, mpi.Sum)
			add(r, err, func() { assert.Equal(t, n*(n-1)/2+n*i, sum[0]) })

			in := []int{-1}
			r, err = mpi.Irecv(w, in, (me+1)%n, i)
			add(r, err, func() { assert.Equal(t, (me+1)%n, in[0]) })
			r, err = mpi.Isend(w, []int{me}, (me+n-1)%n, i)
			add(r, err, func() {})

			scan := []int{0}
			r, err = mpi.Iscan(w, []int{1}, scan, mpi.Sum)
			add(r, err, func() { assert.Equal(t, me+1, scan[0]) })

			r, err = mpi.Ibarrier(w)
			add(r, err, func() {})
		}
		order := rand.New(rand.NewPCG(uint64(me), 4)).Perm(len(reqs))
		for _, i := range order {
			if _, err := reqs[i].Wait(); err != nil {
				return err
			}
			checks[i]()
		}
		return nil
	})
}

// TestBcastDoesNotWait crosses a broadcast with a message: the root sends only after its broadcast, and the other rank
// receives that before it joins the broadcast. Whatever the size, the root must not wait.
func TestBcastDoesNotWait(t *testing.T) {
	inModes(t, 4, func(w *mpi.Comm) error {
		for _, count := range []int{1, 1000, 10_000_000 / 8} {
			x, y := make([]int, count), []int{0}
			if w.Rank() == 0 {
				x[count-1] = 42
				if err := first(mpi.Bcast(w, x, 0), mpi.Ssend(w, []int{7}, 1, 3)); err != nil {
					return err
				}
				x[count-1] = 0 // the buffer is the root's again
			} else {
				if w.Rank() == 1 {
					if _, err := mpi.Recv(w, y, 0, 3); err != nil {
						return err
					}
					assert.Equal(t, 7, y[0])
				}
				if err := mpi.Bcast(w, x, 0); err != nil {
					return err
				}
				assert.Equal(t, 42, x[count-1])
			}
			if err := mpi.Barrier(w); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestBcastBurst lets a root run ahead by more than it may keep.
func TestBcastBurst(t *testing.T) {
	inModes(t, 3, func(w *mpi.Comm) error {
		if w.Rank() == 2 {
			time.Sleep(10 * time.Millisecond)
		}
		for i := range 100 {
			x := make([]int, 20_000)
			if w.Rank() == 0 {
				x[0] = i
			}
			if err := mpi.Bcast(w, x, 0); err != nil {
				return err
			}
			assert.Equal(t, i, x[0])
		}
		return nil
	})
}

func TestBarrierWaits(t *testing.T) {
	inSizes(t, func(w *mpi.Comm) error {
		x := make([]int, 1)
		for late := range w.Size() {
			sum, err := mpi.Iallreduce(w, []int{1}, x, mpi.Sum) // cannot be complete before the late one has come
			if err != nil {
				return err
			}
			if w.Rank() == late {
				time.Sleep(time.Millisecond)
			}
			if err := mpi.Barrier(w); err != nil {
				return err
			}
			if _, err := sum.Wait(); err != nil {
				return err
			}
			assert.Equal(t, w.Size(), x[0])
		}
		return nil
	})
}

// TestMismatch lets one rank of four disagree with the others: all must get ErrMismatch, those that wait already as well.
func TestMismatch(t *testing.T) {
	x := func(n int) []int { return make([]int, n) }
	product := mpi.NewOp(func(in, inout []int) {}, true)
	for name, call := range map[string]func(w *mpi.Comm, odd bool) error{
		"root":      func(w *mpi.Comm, odd bool) error { return mpi.Bcast(w, x(3), pick(odd, 1, 0)) },
		"length":    func(w *mpi.Comm, odd bool) error { n := pick(odd, 2, 3); return mpi.Allreduce(w, x(n), x(n), mpi.Sum) },
		"operation": func(w *mpi.Comm, odd bool) error { return mpi.Allreduce(w, x(1), x(1), pick(odd, product, mpi.Max)) },
		"verb": func(w *mpi.Comm, odd bool) error {
			if odd {
				return mpi.Barrier(w)
			}
			return mpi.Allreduce(w, x(1), x(1), mpi.Sum)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for odd := range 4 {
				var told atomic.Int32
				inModes(t, 4, func(w *mpi.Comm) error {
					if w.Rank() == odd {
						time.Sleep(5 * time.Millisecond)
					}
					err := call(w, w.Rank() == odd)
					if err != nil {
						told.Add(1)
						assert.ErrorIs(t, err, mpi.ErrMismatch)
					}
					return mpi.Barrier(w) // the communicator is as good as before
				})
				if name == "root" { // ranks that had the broadcast before the odd one came are content
					assert.GreaterOrEqual(t, told.Load(), int32(len(modes)))
				} else {
					assert.Equal(t, int32(4*len(modes)), told.Load())
				}
			}
		})
	}
}

func pick[T any](yes bool, a, b T) T {
	if yes {
		return a
	}
	return b
}
