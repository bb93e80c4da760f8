package mpi_test

import (
	"math"
	"testing"
	"time"

	"github.com/gompss/gompss/mpi"
	"github.com/stretchr/testify/assert"
)

type vec struct {
	X, Y, Z float64
	Tags    [3]int16
}

func TestSendRecvTypes(t *testing.T) {
	inModes(t, 2, func(w *mpi.Comm) error {
		return first(
			exchange(t, w, []byte{1, 2, 3}),
			exchange(t, w, []bool{true, false}),
			exchange(t, w, []int{-1, 5, math.MaxInt}),
			exchange(t, w, []float64{math.Inf(1), 0.1}),
			exchange(t, w, []complex64{1 + 2i}),
			exchange(t, w, []vec{{1, 2, 3, [3]int16{4, 5, 6}}, {}}),
			exchange(t, w, [][4]uint32{{1, 2, 3, 4}}),
			exchange(t, w, []time.Duration{time.Second}),
			exchange(t, w, make([]struct{}, 3)),
			exchange(t, w, make([]float32, 100_000)),
		)
	})
}

// exchange sends x from rank 0 to rank 1 in every mode, and back.
func exchange[T any](t *testing.T, w *mpi.Comm, x []T) error {
	for tag, send := range []func(*mpi.Comm, []T, int, int) error{mpi.Send[T], mpi.Ssend[T]} {
		y := make([]T, len(x)+1)
		if w.Rank() == 0 {
			if err := send(w, x, 1, tag); err != nil {
				return err
			}
			if _, err := mpi.Recv(w, y, 1, tag); err != nil {
				return err
			}
			assert.Equal(t, x, y[:len(x)])
			continue
		}
		st, err := mpi.Recv(w, y, 0, tag)
		if err != nil {
			return err
		}
		assert.Equal(t, x, y[:len(x)])
		assert.Equal(t, 0, st.Source)
		assert.Equal(t, tag, st.Tag)
		assert.Equal(t, st.Count, mpi.GetCount[T](st))
		if st.Bytes > 0 {
			assert.Equal(t, len(x), st.Count)
		}
		if err := send(w, y[:len(x)], 0, tag); err != nil {
			return err
		}
	}
	return nil
}

func TestEmptyMessages(t *testing.T) {
	inModes(t, 2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			return first(mpi.Send[int](w, nil, 1, 1), mpi.Ssend(w, []int{}, 1, 2))
		}
		for tag := 1; tag <= 2; tag++ {
			st, err := mpi.Recv[int](w, nil, 0, tag)
			if err != nil {
				return err
			}
			assert.Equal(t, mpi.Status{Source: 0, Tag: tag}, st)
		}
		return nil
	})
}

func TestTruncation(t *testing.T) {
	inModes(t, 2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			return first(mpi.Send(w, []int32{1, 2, 3}, 1, 0), mpi.Send(w, []int32{4}, 1, 0))
		}
		x := []int32{0, 0, 77}
		st, err := mpi.Recv(w, x[:2], 0, 0)
		assert.ErrorIs(t, err, mpi.ErrTruncate)
		assert.ErrorIs(t, st.Err, mpi.ErrTruncate)
		assert.Equal(t, 2, st.Count)
		assert.Equal(t, []int32{1, 2, 77}, x)

		st, err = mpi.Recv(w, x, 0, 0) // the long message is gone, the next one comes
		assert.Equal(t, 1, st.Count)
		assert.Equal(t, []int32{4, 2, 77}, x)
		return err
	})
}

func TestPartialElements(t *testing.T) {
	inModes(t, 2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			return mpi.Send(w, []byte{1, 2, 3}, 1, 0)
		}
		st, err := mpi.Recv(w, make([]int16, 2), 0, 0)
		assert.Equal(t, mpi.Undefined, st.Count)
		assert.Equal(t, 3, st.Bytes)
		return err
	})
}

func TestProcNull(t *testing.T) {
	inModes(t, 1, func(w *mpi.Comm) error {
		x := []int{5}
		null := mpi.Status{Source: mpi.ProcNull, Tag: mpi.AnyTag}
		st, err := mpi.Recv(w, x, mpi.ProcNull, 3)
		assert.Equal(t, null, st)
		r, err2 := mpi.Irecv(w, x, mpi.ProcNull, mpi.AnyTag)
		st, err3 := r.Wait()
		assert.Equal(t, null, st)
		st, err4 := mpi.Sendrecv(w, x, mpi.ProcNull, 0, x, mpi.ProcNull, 0)
		assert.Equal(t, null, st)
		st, ok, err5 := mpi.Iprobe(w, mpi.ProcNull, 0)
		assert.True(t, ok)
		assert.Equal(t, null, st)
		m, st, err6 := mpi.Mprobe(w, mpi.ProcNull, 0)
		assert.Equal(t, null, st)
		st, err7 := mpi.Mrecv(m, x)
		assert.Equal(t, null, st)
		assert.Equal(t, 5, x[0])
		return first(mpi.Send(w, x, mpi.ProcNull, 0), mpi.Ssend(w, x, mpi.ProcNull, 0), err, err2, err3, err4, err5, err6, err7)
	})
}

func TestSelfMessages(t *testing.T) {
	inModes(t, 1, func(w *mpi.Comm) error {
		x, y := []int{1}, []int{0}
		s, err := mpi.Issend(w, x, 0, 0)
		if err != nil {
			return err
		}
		_, done, _ := s.Test()
		assert.False(t, done)
		_, err = mpi.Recv(w, y, 0, 0)
		_, done, err2 := s.Test()
		assert.True(t, done)
		assert.Equal(t, x, y)
		_, err3 := mpi.Sendrecv(w, []int{8}, 0, 1, y, 0, 1)
		assert.Equal(t, 8, y[0])
		return first(err, err2, err3)
	})
}

// TestStandardSendsPileUp checks that eager memory is bounded: standard sends beyond it wait.
func TestStandardSendsPileUp(t *testing.T) {
	err := run(t, mpi.Config{EagerMemory: 10_000}, 2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			var open []*mpi.Request
			pending := 0
			for range 100 {
				r, err := mpi.Isend(w, make([]byte, 1000), 1, 0)
				if err != nil {
					return err
				}
				if _, done, _ := r.Test(); !done {
					pending++
				}
				open = append(open, r)
			}
			assert.Equal(t, 100-7, pending) // 1000 bytes and 256 for each letter
			return first(mpi.Barrier(w), mpi.Waitall(open, nil))
		}
		if err := mpi.Barrier(w); err != nil {
			return err
		}
		for range 100 {
			if _, err := mpi.Recv(w, make([]byte, 1000), 0, 0); err != nil {
				return err
			}
		}
		return nil
	})
	assert.NoError(t, err)
}

func TestReadySend(t *testing.T) {
	inModes(t, 2, func(w *mpi.Comm) error {
		x := []int{7}
		if w.Rank() == 0 {
			assert.ErrorIs(t, mpi.Rsend(w, x, 1, 5), mpi.ErrNotPosted)
			r, err := mpi.Irsend(w, x, 1, 5)
			assert.NoError(t, err)
			_, err = r.Wait()
			assert.ErrorIs(t, err, mpi.ErrNotPosted)
			return first(mpi.Barrier(w), mpi.Rsend(w, x, 1, 4))
		}
		y := []int{0}
		r, err := mpi.Irecv(w, y, 0, 4)
		if err != nil {
			return err
		}
		err = mpi.Barrier(w)
		_, err2 := r.Wait()
		assert.Equal(t, x, y)
		return first(err, err2)
	})
}

func TestBufferedSend(t *testing.T) {
	inModes(t, 2, func(w *mpi.Comm) error {
		if w.Rank() == 1 {
			x := make([]byte, 1)
			for i := range 4 {
				if i == 1 { // rank 0 has sent everything, and waits in BufferDetach
					if err := mpi.Barrier(w); err != nil {
						return err
					}
				}
				if _, err := mpi.Recv(w, x, 0, 0); err != nil {
					return err
				}
				assert.Equal(t, byte(i), x[0])
			}
			return nil
		}
		x := []byte{0}
		assert.ErrorIs(t, mpi.Bsend(w, x, 1, 0), mpi.ErrBuffer)
		assert.NoError(t, mpi.BufferAttach(w, 4*(1+mpi.BsendOverhead)))
		assert.ErrorIs(t, mpi.BufferAttach(w, 100), mpi.ErrBuffer)
		for range 4 {
			assert.NoError(t, mpi.Bsend(w, x, 1, 0))
			x[0]++
		}
		assert.ErrorIs(t, mpi.Bsend(w, make([]byte, 100_000), 1, 0), mpi.ErrBuffer)
		if err := mpi.Barrier(w); err != nil {
			return err
		}
		size, err := mpi.BufferDetach(w)
		assert.Equal(t, 4*(1+mpi.BsendOverhead), size)
		_, err2 := mpi.BufferDetach(w)
		assert.ErrorIs(t, err2, mpi.ErrBuffer)
		return err
	})
}

// TestShiftRing exchanges long messages round a ring, which deadlocks if Sendrecv sends before it receives.
func TestShiftRing(t *testing.T) {
	inModes(t, 5, func(w *mpi.Comm) error {
		me, n := w.Rank(), w.Size()
		x, y := make([]int, 10_000), make([]int32, 10_000*2)
		for i := range x {
			x[i] = me
		}
		st, err := mpi.Sendrecv(w, x, (me+1)%n, me, y, (me+n-1)%n, mpi.AnyTag)
		assert.Equal(t, (me+n-1)%n, st.Tag)
		assert.Equal(t, 20_000, st.Count)
		assert.Equal(t, int32((me+n-1)%n), y[0])
		return err
	})
}

func TestArgumentErrors(t *testing.T) {
	inModes(t, 2, func(w *mpi.Comm) error {
		x, tooLarge := []int{1}, mpi.TagUB
		tooLarge++
		for _, c := range []struct {
			want error
			got  error
		}{
			{mpi.ErrRank, mpi.Send(w, x, 2, 0)},
			{mpi.ErrRank, mpi.Send(w, x, mpi.AnySource, 0)},
			{mpi.ErrTag, mpi.Send(w, x, 1, -1)},
			{mpi.ErrTag, mpi.Send(w, x, 1, mpi.AnyTag)},
			{mpi.ErrTag, mpi.Send(w, x, 1, tooLarge)},
			{mpi.ErrType, mpi.Send(w, []string{"x"}, 1, 0)},
			{mpi.ErrType, mpi.Send(w, []struct{ p [2]*int }{{}}, 1, 0)},
			{mpi.ErrType, mpi.Send(w, []any{1}, 1, 0)},
			{mpi.ErrComm, mpi.Send(nil, x, 1, 0)},
			{mpi.ErrRank, second(mpi.Recv(w, x, 2, 0))},
			{mpi.ErrRank, second(mpi.Recv(w, x, mpi.AnyTag, 0))},
			{mpi.ErrTag, second(mpi.Recv(w, x, 0, mpi.ProcNull))},
			{mpi.ErrTag, second(mpi.Probe(w, 0, -7))},
			{mpi.ErrType, second(mpi.Irecv(w, []error{nil}, 0, 0))},
			{mpi.ErrRoot, mpi.Bcast(w, x, 2)},
			{mpi.ErrRoot, mpi.Bcast(w, x, -1)},
			{mpi.ErrCount, mpi.Allreduce(w, x, nil, mpi.Sum)},
			{mpi.ErrCount, mpi.Alltoall(w, x, x)},
			{mpi.ErrCount, mpi.Allgather(w, x, x)},
			{mpi.ErrOp, mpi.Allreduce(w, []vec{{}}, []vec{{}}, mpi.Sum)},
			{mpi.ErrOp, mpi.Allreduce(w, []float64{1}, []float64{1}, mpi.Band)},
			{mpi.ErrOp, mpi.Allreduce(w, x, x, nil)},
			{mpi.ErrType, mpi.Bcast(w, []string{"x"}, 0)},
			{mpi.ErrComm, w.Free()},
		} {
			assert.ErrorIs(t, c.got, c.want)
		}
		return mpi.Barrier(w) // none of them has left anything behind
	})
}

func second[T any](_ T, err error) error { return err }
