package mpi_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/gompss/gompss/mpi"
	"github.com/stretchr/testify/assert"
)

var empty = mpi.Status{Source: mpi.AnySource, Tag: mpi.AnyTag}

func TestNilRequest(t *testing.T) {
	var r *mpi.Request
	st, err := r.Wait()
	assert.NoError(t, err)
	assert.Equal(t, empty, st)
	st, done, err := r.Test()
	assert.True(t, done)
	assert.NoError(t, err)
	assert.Equal(t, empty, st)
	assert.Equal(t, empty, r.Status())
	assert.NoError(t, r.Free())
	assert.NoError(t, r.Cancel())
	ran := false
	r.OnDone(func(r *mpi.Request) { ran = r == nil })
	assert.True(t, ran)

	none := []*mpi.Request{nil, nil}
	sts := make([]mpi.Status, 2)
	assert.NoError(t, mpi.Waitall(none, sts))
	assert.Equal(t, empty, sts[1])
	i, st, err := mpi.Waitany(none)
	assert.Equal(t, mpi.Undefined, i)
	assert.Equal(t, empty, st)
	assert.NoError(t, err)
	some, err := mpi.Waitsome(none, nil)
	assert.Empty(t, some)
	assert.NoError(t, err)
	_, _, done, _ = mpi.Testany(nil)
	assert.True(t, done)
	done, err = mpi.Testall(nil, nil)
	assert.True(t, done)
	assert.NoError(t, err)
}

// TestSeveralRequests completes the same set of receives by each of the calls for several, with senders that keep the
// receiver waiting.
func TestSeveralRequests(t *testing.T) {
	const n = 20
	inModes(t, 3, func(w *mpi.Comm) error {
		complete := []func(rs []*mpi.Request, got func(int, mpi.Status)) error{
			func(rs []*mpi.Request, got func(int, mpi.Status)) error {
				sts := make([]mpi.Status, n)
				err := mpi.Waitall(rs, sts)
				for i, st := range sts {
					got(i, st)
				}
				return err
			},
			func(rs []*mpi.Request, got func(int, mpi.Status)) error {
				for {
					i, st, err := mpi.Waitany(rs)
					if err != nil || i == mpi.Undefined {
						return err
					}
					got(i, st)
				}
			},
			func(rs []*mpi.Request, got func(int, mpi.Status)) error {
				sts := make([]mpi.Status, n)
				for {
					index, err := mpi.Waitsome(rs, sts)
					if err != nil || index == nil {
						return err
					}
					for k, i := range index {
						got(i, sts[k])
					}
				}
			},
			func(rs []*mpi.Request, got func(int, mpi.Status)) error {
				sts := make([]mpi.Status, n)
				for {
					if done, err := mpi.Testall(rs, sts); done {
						for i, st := range sts {
							got(i, st)
						}
						return err
					}
					time.Sleep(time.Microsecond)
				}
			},
			func(rs []*mpi.Request, got func(int, mpi.Status)) error {
				for {
					i, st, done, err := mpi.Testany(rs)
					if err != nil || done && i == mpi.Undefined {
						return err
					}
					if done {
						got(i, st)
					}
					time.Sleep(time.Microsecond)
				}
			},
		}
		for round, complete := range complete {
			if me := w.Rank(); me > 0 {
				for i := range n {
					if i%2+1 == me {
						if i%6 == 0 {
							time.Sleep(100 * time.Microsecond)
						}
						if err := mpi.Send(w, []int{i}, 0, i); err != nil {
							return err
						}
					}
				}
			} else {
				rs, bufs := make([]*mpi.Request, n), make([][1]int, n)
				for i := range rs {
					var err error
					if rs[i], err = mpi.Irecv(w, bufs[i][:], i%2+1, i); err != nil {
						return err
					}
				}
				seen := 0
				err := complete(rs, func(i int, st mpi.Status) {
					seen++
					assert.Equal(t, i, bufs[i][0])
					assert.Equal(t, i, st.Tag)
					assert.Nil(t, rs[i])
				})
				assert.Equal(t, n, seen, "round %d", round)
				if err != nil {
					return err
				}
			}
			if err := mpi.Barrier(w); err != nil {
				return err
			}
		}
		return nil
	})
}

func TestWaitallReportsEveryError(t *testing.T) {
	inModes(t, 1, func(w *mpi.Comm) error {
		var rs []*mpi.Request
		for range 2 {
			s, err := mpi.Isend(w, []int{1, 2}, 0, 0)
			r, err2 := mpi.Irecv(w, make([]int, 1), 0, 0)
			if err := first(err, err2); err != nil {
				return err
			}
			rs = append(rs, s, r)
		}
		sts := make([]mpi.Status, 4)
		assert.ErrorIs(t, mpi.Waitall(rs, sts[:1]), mpi.ErrCount)
		assert.ErrorIs(t, mpi.Waitall(rs, sts), mpi.ErrTruncate)
		assert.NoError(t, sts[0].Err)
		assert.ErrorIs(t, sts[1].Err, mpi.ErrTruncate)
		assert.ErrorIs(t, sts[3].Err, mpi.ErrTruncate)
		return nil
	})
}

func TestCancel(t *testing.T) {
	inModes(t, 2, func(w *mpi.Comm) error {
		x := []int{0}
		if w.Rank() == 1 {
			return first(mpi.Barrier(w), mpi.Send(w, []int{5}, 0, 1))
		}
		r, err := mpi.Irecv(w, x, mpi.AnySource, 1)
		if err != nil {
			return err
		}
		assert.NoError(t, r.Cancel())
		st, err := r.Wait()
		assert.True(t, st.Cancelled)
		assert.NoError(t, err)

		r, err2 := mpi.Irecv(w, x, 1, 1) // the message goes to this one
		err3 := mpi.Barrier(w)
		st, err4 := r.Wait()
		assert.NoError(t, r.Cancel()) // too late, and harmless
		assert.False(t, st.Cancelled)
		assert.Equal(t, 5, x[0])

		s, err5 := mpi.Isend(w, x, 0, 2)
		assert.ErrorIs(t, s.Cancel(), mpi.ErrRequest)
		_, err6 := mpi.Recv(w, []int{0}, 0, 2)
		return first(err, err2, err3, err4, err5, err6)
	})
}

func TestRequestMisuse(t *testing.T) {
	inModes(t, 1, func(w *mpi.Comm) error {
		x := []int{0}
		r, err := mpi.Irecv(w, x, 0, 0)
		if err != nil {
			return err
		}
		waiting := make(chan error)
		for range 2 {
			go func() {
				_, err := r.Wait()
				waiting <- err
			}()
		}
		assert.ErrorIs(t, <-waiting, mpi.ErrRequest) // the second of the two, whichever that is
		calls := 0
		r.OnDone(func(*mpi.Request) { calls++ })
		assert.PanicsWithValue(t, "mpi: second OnDone on a request", func() { r.OnDone(func(*mpi.Request) {}) })
		assert.NoError(t, mpi.Send(w, []int{0}, 0, 0))
		assert.NoError(t, <-waiting)
		assert.Equal(t, 1, calls)

		f, err := mpi.Irecv(w, x, 0, 7)
		assert.NoError(t, f.Free())
		assert.ErrorIs(t, f.Free(), mpi.ErrRequest)
		_, err2 := f.Wait()
		assert.ErrorIs(t, err2, mpi.ErrRequest)
		_, _, err2 = f.Test()
		assert.ErrorIs(t, err2, mpi.ErrRequest)
		assert.ErrorIs(t, f.Cancel(), mpi.ErrRequest)
		_, _, err2 = mpi.Waitany([]*mpi.Request{f})
		assert.ErrorIs(t, err2, mpi.ErrRequest)
		return err
	})
}

// TestOnDone starts a chain of messages from inside callbacks: each arrival at a rank sends the token on.
func TestOnDone(t *testing.T) {
	const laps = 1000
	inModes(t, 2, func(w *mpi.Comm) error {
		me, done := w.Rank(), make(chan struct{})
		token := []int{0}
		var hops atomic.Int32
		var pass func(*mpi.Request)
		arm := func() {
			r, err := mpi.Irecv(w, token, 1-me, 0)
			if assert.NoError(t, err) {
				r.OnDone(pass)
			}
		}
		send := func(then func()) {
			r, err := mpi.Isend(w, token, 1-me, 0)
			if assert.NoError(t, err) {
				r.OnDone(func(*mpi.Request) { then() })
			}
		}
		pass = func(r *mpi.Request) {
			st, err := r.Wait()
			assert.NoError(t, err)
			assert.Equal(t, r.Status(), st)
			if hops.Add(1) < laps {
				token[0]++
				send(arm)
				return
			}
			if me == 1 { // rank 0 has the last receive
				send(func() { close(done) })
				return
			}
			close(done)
		}
		if me == 0 {
			send(arm)
		} else {
			arm()
		}
		<-done
		return nil
	})
}
