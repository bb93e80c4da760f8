package tampi_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

// verb is a non-blocking operation of rank 1 that cannot complete before rank 0 has done its part.
type verb struct {
	start func(t *tasks.Task, w *mpi.Comm, x *[2]int, st *mpi.Status) error
	other func(w *mpi.Comm, x []int) error
	want  [2]int // in x; {1, 1} at first
}

var nonblocking = map[string]verb{
	"Irecv": {func(t *tasks.Task, w *mpi.Comm, x *[2]int, st *mpi.Status) error {
		return tampi.Irecv(t, w, x[:], 0, 7, st)
	}, plainSend, [2]int{5, 6}},
	"Isend": {func(t *tasks.Task, w *mpi.Comm, x *[2]int, st *mpi.Status) error {
		return tampi.Isend(t, w, x[:], 0, 7)
	}, plainRecv, [2]int{1, 1}},
	"Issend": {func(t *tasks.Task, w *mpi.Comm, x *[2]int, st *mpi.Status) error {
		return tampi.Issend(t, w, x[:], 0, 7)
	}, plainRecv, [2]int{1, 1}},
	"Iwait": {func(t *tasks.Task, w *mpi.Comm, x *[2]int, st *mpi.Status) error {
		r, err := mpi.Irecv(w, x[:], mpi.AnySource, mpi.AnyTag)
		return errors.Join(err, tampi.Iwait(t, r, st))
	}, plainSend, [2]int{5, 6}},
	"Iwaitall": {func(t *tasks.Task, w *mpi.Comm, x *[2]int, st *mpi.Status) error {
		r, err1 := mpi.Irecv(w, x[:1], 0, 7)
		s, err2 := mpi.Irecv(w, x[1:], 0, 8)
		sts := make([]mpi.Status, 3)
		err3 := tampi.Iwaitall(t, []*mpi.Request{nil, r, nil}, sts)
		err4 := tampi.Iwaitall(t, []*mpi.Request{s, nil}, nil)
		return errors.Join(err1, err2, err3, err4)
	}, func(w *mpi.Comm, x []int) error {
		return errors.Join(mpi.Send(w, x[:1], 1, 7), mpi.Send(w, x[1:], 1, 8))
	}, [2]int{5, 6}},
	"Ibarrier": {func(t *tasks.Task, w *mpi.Comm, x *[2]int, st *mpi.Status) error {
		return tampi.Ibarrier(t, w)
	}, func(w *mpi.Comm, x []int) error { return tampi.Ibarrier(nil, w) }, [2]int{1, 1}},
	"Ibcast": {func(t *tasks.Task, w *mpi.Comm, x *[2]int, st *mpi.Status) error {
		return tampi.Ibcast(t, w, x[:], 0)
	}, func(w *mpi.Comm, x []int) error { return tampi.Ibcast(nil, w, x, 0) }, [2]int{5, 6}},
	"Ireduce": {func(t *tasks.Task, w *mpi.Comm, x *[2]int, st *mpi.Status) error {
		return tampi.Ireduce(t, w, []int{1, 1}, x[:], mpi.Sum, 1)
	}, func(w *mpi.Comm, x []int) error { return tampi.Ireduce(nil, w, x, nil, mpi.Sum, 1) }, [2]int{6, 7}},
	"Iallreduce": {func(t *tasks.Task, w *mpi.Comm, x *[2]int, st *mpi.Status) error {
		return tampi.Iallreduce(t, w, []int{1, 1}, x[:], mpi.Sum)
	}, func(w *mpi.Comm, x []int) error { return tampi.Iallreduce(nil, w, x, make([]int, 2), mpi.Sum) }, [2]int{6, 7}},
	"Igather": {func(t *tasks.Task, w *mpi.Comm, x *[2]int, st *mpi.Status) error {
		return tampi.Igather(t, w, []int{1}, x[:], 1)
	}, func(w *mpi.Comm, x []int) error { return tampi.Igather(nil, w, x[:1], nil, 1) }, [2]int{5, 1}},
	"Iscatter": {func(t *tasks.Task, w *mpi.Comm, x *[2]int, st *mpi.Status) error {
		return tampi.Iscatter(t, w, nil, x[:1], 0)
	}, func(w *mpi.Comm, x []int) error { return tampi.Iscatter(nil, w, x, make([]int, 1), 0) }, [2]int{6, 1}},
	"Iallgather": {func(t *tasks.Task, w *mpi.Comm, x *[2]int, st *mpi.Status) error {
		return tampi.Iallgather(t, w, []int{1}, x[:])
	}, func(w *mpi.Comm, x []int) error { return tampi.Iallgather(nil, w, x[:1], make([]int, 2)) }, [2]int{5, 1}},
	"Ialltoall": {func(t *tasks.Task, w *mpi.Comm, x *[2]int, st *mpi.Status) error {
		return tampi.Ialltoall(t, w, []int{1, 1}, x[:])
	}, func(w *mpi.Comm, x []int) error { return tampi.Ialltoall(nil, w, x, make([]int, 2)) }, [2]int{6, 1}},
	"Iscan": {func(t *tasks.Task, w *mpi.Comm, x *[2]int, st *mpi.Status) error {
		return tampi.Iscan(t, w, []int{1, 1}, x[:], mpi.Sum)
	}, func(w *mpi.Comm, x []int) error { return tampi.Iscan(nil, w, x, make([]int, 2), mpi.Sum) }, [2]int{6, 7}},
	"Iexscan": {func(t *tasks.Task, w *mpi.Comm, x *[2]int, st *mpi.Status) error {
		return tampi.Iexscan(t, w, []int{1, 1}, x[:], mpi.Sum)
	}, func(w *mpi.Comm, x []int) error { return tampi.Iexscan(nil, w, x, make([]int, 2), mpi.Sum) }, [2]int{5, 6}},
}

func plainSend(w *mpi.Comm, x []int) error { return mpi.Send(w, x, 1, 7) }
func plainRecv(w *mpi.Comm, x []int) error {
	_, err := mpi.Recv(w, x, 1, 7)
	return err
}

// The other rank is held back until the body is over and a hundred tasks have run through since: neither the task's
// successor nor a body behind OnReady may have run by then.
func TestBoundTasksComplete(t *testing.T) {
	for name, v := range nonblocking {
		for _, where := range []string{"body", "OnReady"} {
			t.Run(name+"/"+where, func(t *testing.T) {
				letGo := make(chan bool)
				require.NoError(t, setup{ranks: 2, eager: -1}.run(t, func(m *tasks.Task, w *mpi.Comm) error {
					if w.Rank() == 0 {
						<-letGo
						return v.other(w, []int{5, 6})
					}
					x := [2]int{1, 1}
					var st mpi.Status
					var begun, ran atomic.Bool
					if where == "body" {
						tasks.Spawn(m, func(t *tasks.Task) error {
							begun.Store(true)
							return v.start(t, w, &x, &st)
						}, deps.InOut(&x), deps.Out(&st))
						tasks.Spawn(m, func() { ran.Store(true) }, deps.InOut(&x), deps.In(&st))
					} else {
						tasks.Spawn(m, func() { ran.Store(true) }, deps.InOut(&x), deps.Out(&st), tasks.OnReady(func(t *tasks.Task) {
							begun.Store(true)
							if err := v.start(t, w, &x, &st); err != nil {
								t.Hold()(err)
							}
						}))
					}
					for n := 0; n < 100; {
						tasks.Spawn(m, func() {
							if begun.Load() {
								n++
							}
						}, tasks.If(false))
						m.Yield()
					}
					assert.False(t, ran.Load(), "before the message")
					close(letGo)
					err := m.Wait()
					assert.True(t, ran.Load())
					assert.Equal(t, v.want, x)
					if name == "Irecv" || name == "Iwait" {
						assert.Equal(t, mpi.Status{Source: 0, Tag: 7, Count: 2, Bytes: 16}, st)
					}
					return err
				}))
			})
		}
	}
}

// A body may be bound to many requests and block besides; all must be complete.
func TestBoundToMany(t *testing.T) {
	const n = 50
	require.NoError(t, setup{ranks: 2}.run(t, func(m *tasks.Task, w *mpi.Comm) error {
		if w.Rank() == 0 {
			for i := range n {
				if err := tampi.Ssend(m, w, []int{i}, 1, n-1-i); err != nil {
					return err
				}
			}
			return nil
		}
		var x [n]int
		var sts [n]mpi.Status
		tasks.Spawn(m, func(t *tasks.Task) error {
			for i := range n / 2 {
				if err := tampi.Irecv(t, w, x[i:i+1], 0, i, &sts[i]); err != nil {
					return err
				}
			}
			rs := make([]*mpi.Request, n)
			for i := n / 2; i < n; i++ {
				var err error
				if rs[i], err = mpi.Irecv(w, x[i:i+1], 0, i); err != nil {
					return err
				}
			}
			if err := tampi.Iwaitall(t, rs[:n-1], nil); err != nil {
				return err
			}
			_, err := tampi.Wait(t, rs[n-1])
			return err
		}, deps.Out(&x), deps.Out(&sts))
		tasks.Spawn(m, func() {
			for i := range x {
				assert.Equal(t, n-1-i, x[i])
			}
			assert.Equal(t, n/2-1, sts[n/2-1].Tag)
		}, deps.In(&x), deps.In(&sts))
		return m.Wait()
	}))
}

// Requests may come from outside, or from another task.
func TestRequestsFromElsewhere(t *testing.T) {
	require.NoError(t, setup{ranks: 2}.world(t, func(ctx ctxt, w *mpi.Comm, rt *tasks.Runtime) error {
		var x, y, z [1]int
		outside, err := mpi.Irecv(w, x[:], 1-w.Rank(), 0)
		if err != nil {
			return err
		}
		return rt.Run(ctx, func(m *tasks.Task) error {
			var r, s *mpi.Request
			tasks.Spawn(m, func() (err error) {
				r, err = mpi.Irecv(w, y[:], 1-w.Rank(), 1)
				return err
			}, deps.Out(&r))
			tasks.Spawn(m, func() (err error) {
				s, err = mpi.Irecv(w, z[:], 1-w.Rank(), 2)
				return err
			}, deps.Out(&s))
			tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Iwait(t, outside, nil) }, deps.Out(&x))
			tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Iwait(t, r, nil) }, deps.Out(&y), deps.In(&r))
			tasks.Spawn(m, func(t *tasks.Task) error {
				_, err := tampi.Wait(t, s)
				return err
			}, deps.Out(&z), deps.In(&s))
			tasks.Spawn(m, func() {
				assert.Equal(t, [][1]int{{100}, {101}, {102}}, [][1]int{x, y, z})
			}, deps.In(&x), deps.In(&y), deps.In(&z))
			for i := range 3 {
				tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Ssend(t, w, []int{100 + i}, 1-w.Rank(), i) })
			}
			return m.Wait()
		})
	}))
}

// A message that fails under way fails the task, and skips what depends on it.
func TestFailureInFlight(t *testing.T) {
	for _, where := range []string{"body", "OnReady", "blocking"} {
		t.Run(where, func(t *testing.T) {
			letGo := make(chan bool)
			require.NoError(t, setup{ranks: 2}.run(t, func(m *tasks.Task, w *mpi.Comm) error {
				if w.Rank() == 0 {
					<-letGo
					return mpi.Send(w, []int{1, 2, 3}, 1, 7)
				}
				var x [2]int
				var st mpi.Status
				ran, reader := false, false
				irecv := func(task *tasks.Task) error {
					err := tampi.Irecv(task, w, x[:], 0, 7, &st)
					close(letGo)
					return err
				}
				switch where {
				case "body":
					tasks.Spawn(m, irecv, tasks.Label("short"), deps.Out(&x), deps.Out(&st))
				case "OnReady":
					tasks.Spawn(m, func() { ran = true }, tasks.Label("short"), deps.Out(&x), deps.Out(&st),
						tasks.OnReady(func(t *tasks.Task) { _ = irecv(t) }))
				case "blocking":
					tasks.Spawn(m, func(task *tasks.Task) error {
						close(letGo)
						var err error
						st, err = tampi.Recv(task, w, x[:], 0, 7)
						return err
					}, tasks.Label("short"), deps.Out(&x), deps.Out(&st))
				}
				tasks.Spawn(m, func() { reader = true }, deps.In(&x))
				err := m.Wait()
				assert.ErrorIs(t, err, mpi.ErrTruncate)
				var failed *tasks.TaskError
				if assert.ErrorAs(t, err, &failed) {
					assert.Equal(t, "short", failed.Label)
				}
				assert.False(t, ran)
				assert.False(t, reader)
				assert.Equal(t, [2]int{1, 2}, x)
				assert.ErrorIs(t, st.Err, mpi.ErrTruncate)
				assert.Equal(t, 2, st.Count)
				return nil
			}))
		})
	}
}

func TestTwoRuntimesInOneRank(t *testing.T) {
	require.NoError(t, setup{ranks: 2}.world(t, func(ctx ctxt, w *mpi.Comm, rt *tasks.Runtime) error {
		second, err := tasks.New(tasks.Config{Workers: 1})
		if err != nil {
			return err
		}
		defer second.Close()
		over := make(chan error)
		exchange := func(tag int) func(m *tasks.Task) error {
			return func(m *tasks.Task) error {
				for i := range 100 {
					var x [1]int
					tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Ssend(t, w, []int{i}, 1-w.Rank(), tag+i) })
					tasks.Spawn(m, func(t *tasks.Task) error { return recv(t, w, x[:], 1-w.Rank(), tag+i) })
				}
				return m.Wait()
			}
		}
		go func() { over <- second.Run(ctx, exchange(1000)) }()
		err = rt.Run(ctx, exchange(0))
		return errors.Join(err, <-over)
	}))
}

func TestRuntimeSharedByRanks(t *testing.T) {
	rt, err := tasks.New(tasks.Config{Workers: 1})
	require.NoError(t, err)
	defer rt.Close()
	for range 3 {
		require.NoError(t, mpi.Run(ctx, mpi.Config{Ranks: 3}, func(ctx ctxt, w *mpi.Comm) error {
			return rt.Run(ctx, func(m *tasks.Task) error {
				var x [1]int
				for i := range 20 {
					tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Ssend(t, w, []int{i}, (w.Rank()+1)%3, i) })
					tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Irecv(t, w, x[:], (w.Rank()+2)%3, i, nil) }, deps.Out(&x))
				}
				return m.Wait()
			})
		}))
	}
	require.ErrorIs(t, mpi.Run(ctx, mpi.Config{Ranks: 2}, func(ctx ctxt, w *mpi.Comm) error {
		return rt.Run(ctx, func(m *tasks.Task) error { return recv(m, w, []int{0}, 1-w.Rank(), 0) })
	}), mpi.ErrDeadlock)
}
