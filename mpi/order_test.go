package mpi_test

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/gompss/gompss/mpi"
	"github.com/stretchr/testify/assert"
)

// TestNonOvertaking lets all ranks send numbered messages to rank 0 in random modes, sizes and tags, while it receives with
// random wildcards, some receives posted ahead. From each sender and tag, numbers must come in the order sent, in the
// order in which the receives that could take them were posted.
func TestNonOvertaking(t *testing.T) {
	const messages, tags = 400, 3
	inModes(t, 4, func(w *mpi.Comm) error {
		r := rand.New(rand.NewPCG(uint64(w.Rank()), 2))
		me, n := w.Rank(), w.Size()
		if me > 0 {
			var open []*mpi.Request
			for i := range messages {
				x := make([]int64, 2+r.IntN(2)*r.IntN(3000))
				x[0], x[1] = int64(me), int64(i)
				tag := r.IntN(tags)
				isend := mpi.Isend[int64]
				if r.IntN(4) == 0 {
					isend = mpi.Issend[int64]
				}
				req, err := isend(w, x, 0, tag)
				if err != nil {
					return err
				}
				open = append(open, req)
				if r.IntN(8) == 0 {
					if _, err := req.Wait(); err != nil {
						return err
					}
				}
			}
			return mpi.Waitall(open, nil)
		}
		last := make([][tags]int64, n)
		for s := range last {
			for tag := range tags {
				last[s][tag] = -1
			}
		}
		for left := messages * (n - 1); left > 0; {
			batch := min(1+r.IntN(10), left)
			reqs := make([]*mpi.Request, batch)
			bufs := make([][]int64, batch)
			for i := range reqs {
				bufs[i] = make([]int64, 3002)
				var err error // receives of everything: any of a narrower kind might wait for ever
				if reqs[i], err = mpi.Irecv(w, bufs[i], mpi.AnySource, mpi.AnyTag); err != nil {
					return err
				}
			}
			sts := make([]mpi.Status, batch)
			if err := mpi.Waitall(reqs, sts); err != nil {
				return err
			}
			for i, st := range sts {
				assert.Equal(t, int64(st.Source), bufs[i][0])
				assert.Less(t, last[st.Source][st.Tag], bufs[i][1])
				last[st.Source][st.Tag] = bufs[i][1]
			}
			left -= batch
		}
		return nil
	})
}

// TestWildcardBeforeExact checks the order between a wildcard receive and exact ones, posted before and after it.
func TestWildcardBeforeExact(t *testing.T) {
	inModes(t, 2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			if err := mpi.Barrier(w); err != nil {
				return err
			}
			for i := range 3 {
				if err := mpi.Send(w, []int{i}, 1, 7); err != nil {
					return err
				}
			}
			return nil
		}
		bufs := [3][]int{{-1}, {-1}, {-1}}
		var rs [3]*mpi.Request
		for i, src := range []int{0, mpi.AnySource, 0} {
			var err error
			if rs[i], err = mpi.Irecv(w, bufs[i], src, 7); err != nil {
				return err
			}
		}
		err := first(mpi.Barrier(w), mpi.Waitall(rs[:], nil))
		for i := range bufs {
			assert.Equal(t, i, bufs[i][0])
		}
		return err
	})
}

// TestMprobeConcurrentReceivers gives messages of different lengths to receivers that find out the length first: each
// message must go whole to one of them.
func TestMprobeConcurrentReceivers(t *testing.T) {
	const messages, receivers = 300, 4
	inModes(t, 3, func(w *mpi.Comm) error {
		if w.Rank() > 0 {
			for i := range messages {
				x := make([]int, 1+i%50)
				for j := range x {
					x[j] = len(x)
				}
				if err := mpi.Send(w, x, 0, i); err != nil {
					return err
				}
			}
			return nil
		}
		var taken atomic.Int32
		errs := make(chan error, receivers)
		for g := range receivers {
			go func() {
				errs <- func() error {
					for taken.Add(1) <= 2*messages {
						m, st, err := mpi.Mprobe(w, mpi.AnySource, mpi.AnyTag)
						if err != nil {
							return err
						}
						x := make([]int, mpi.GetCount[int](st))
						if g == 0 {
							r, err := mpi.Imrecv(m, x)
							if err != nil {
								return err
							}
							st, err = r.Wait()
							if err != nil {
								return err
							}
						} else if st, err = mpi.Mrecv(m, x); err != nil {
							return err
						}
						assert.Equal(t, len(x), st.Count)
						assert.Equal(t, len(x), x[len(x)-1])
						_, err = mpi.Mrecv(m, x)
						assert.ErrorIs(t, err, mpi.ErrMessage)
					}
					return nil
				}()
			}()
		}
		var err error
		for range receivers {
			err = first(err, <-errs)
		}
		return err
	})
}

func TestProbe(t *testing.T) {
	inModes(t, 2, func(w *mpi.Comm) error {
		if w.Rank() == 1 {
			return first(mpi.Barrier(w), mpi.Send(w, make([]int32, 5), 0, 9), mpi.Send(w, []int32{1}, 0, 3))
		}
		_, ok, err := mpi.Iprobe(w, mpi.AnySource, mpi.AnyTag)
		assert.False(t, ok)
		_, _, ok, err2 := mpi.Improbe(w, 1, 3)
		assert.False(t, ok)
		early, err3 := mpi.ProbeRequest(w, 1, 9)
		if err := first(err, err2, err3, mpi.Barrier(w)); err != nil {
			return err
		}
		want := mpi.Status{Source: 1, Tag: 9, Count: 20, Bytes: 20}
		st, err := early.Wait()
		assert.Equal(t, want, st)
		st, err2 = mpi.Probe(w, mpi.AnySource, mpi.AnyTag)
		assert.Equal(t, want, st)
		assert.Equal(t, 5, mpi.GetCount[int32](st))
		st, ok, err3 = mpi.Iprobe(w, 1, 9)
		assert.True(t, ok)
		assert.Equal(t, want, st)
		m, st, ok, err4 := mpi.Improbe(w, 1, mpi.AnyTag)
		assert.True(t, ok)
		assert.Equal(t, want, st)
		x := make([]int32, 5)
		_, ok, err5 := mpi.Iprobe(w, 1, 9) // taken
		assert.False(t, ok)
		_, err6 := mpi.Mrecv(m, x)
		_, err7 := mpi.Recv(w, x, 1, 3)
		return first(err, err2, err3, err4, err5, err6, err7)
	})
}
