package tampi_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

// eagerLimits are the two sorts of world: with buffering, and without any.
var eagerLimits = map[string]int{"eager": 0, "rendezvous": -1}

// What the tests below do with tampi, done with plain calls: the one worker of each rank is stuck in the first of them.
func TestPlainCallsInTasksDeadlock(t *testing.T) {
	err := setup{ranks: 2}.run(t, func(m *tasks.Task, world *mpi.Comm) error {
		other := 1 - world.Rank()
		tasks.Spawn(m, func() error { return mpi.Ssend(world, []int{1}, other, 0) })
		tasks.Spawn(m, func() error {
			_, err := mpi.Recv(world, make([]int, 1), other, 0)
			return err
		})
		return m.Wait() // whichever comes first, it is the same on both ranks
	})
	require.ErrorIs(t, err, mpi.ErrDeadlock)
}

// Every rank exchanges with every other, in tasks that nothing orders, on one worker.
func TestBlockingPointToPoint(t *testing.T) {
	type exchange func(t *tasks.Task, c *mpi.Comm, x []int, peer, tag int) error
	verbs := map[string]struct{ send, recv exchange }{
		"Send":  {tampi.Send[int], recv},
		"Ssend": {tampi.Ssend[int], recv},
		"Bsend": {tampi.Bsend[int], recv},
		"Isend": {tampi.Isend[int], recv},
		"Rsend": {func(t *tasks.Task, c *mpi.Comm, x []int, peer, tag int) error {
			// The receiver says when its receive is posted.
			if _, err := tampi.Recv(t, c, make([]int, 0), peer, 1000+tag); err != nil {
				return err
			}
			return tampi.Rsend(t, c, x, peer, tag)
		}, func(t *tasks.Task, c *mpi.Comm, x []int, peer, tag int) error {
			r, err := mpi.Irecv(c, x, peer, tag)
			if err != nil {
				return err
			}
			if err := tampi.Send(t, c, make([]int, 0), peer, 1000+tag); err != nil {
				return err
			}
			_, err = tampi.Wait(t, r)
			return err
		}},
		"Probe": {tampi.Ssend[int], func(t *tasks.Task, c *mpi.Comm, x []int, peer, tag int) error {
			st, err := tampi.Probe(t, c, peer, tag)
			if err != nil || mpi.GetCount[int](st) != 2 {
				return errors.Join(err, fmt.Errorf("probe: %+v", st))
			}
			return recv(t, c, x, peer, tag)
		}},
		"Wait": {func(t *tasks.Task, c *mpi.Comm, x []int, peer, tag int) error {
			r, err := mpi.Issend(c, x, peer, tag)
			if err != nil {
				return err
			}
			_, err = tampi.Wait(t, r)
			return err
		}, recv},
		"Waitall": {func(t *tasks.Task, c *mpi.Comm, x []int, peer, tag int) error {
			a, err1 := mpi.Issend(c, x, peer, tag)
			b, err2 := mpi.Issend(c, x, peer, 1000+tag)
			sts, err := tampi.Waitall(t, []*mpi.Request{a, nil, b})
			if len(sts) != 3 {
				err = errors.New("Waitall: wrong number of statuses")
			}
			return errors.Join(err1, err2, err)
		}, func(t *tasks.Task, c *mpi.Comm, x []int, peer, tag int) error {
			y := make([]int, 2)
			a, err1 := mpi.Irecv(c, y, peer, 1000+tag)
			b, err2 := mpi.Irecv(c, x, peer, tag)
			_, err := tampi.Waitall(t, []*mpi.Request{a, b})
			if y[0] != x[0] {
				err = fmt.Errorf("Waitall: %v and %v", x, y)
			}
			return errors.Join(err1, err2, err)
		}},
	}
	for mode, eager := range eagerLimits {
		for name, v := range verbs {
			t.Run(mode+"/"+name, func(t *testing.T) {
				const n, tags = 3, 4
				require.NoError(t, setup{ranks: n, eager: eager}.run(t, func(m *tasks.Task, world *mpi.Comm) error {
					if err := mpi.BufferAttach(world, 1<<16); err != nil {
						return err
					}
					me := world.Rank()
					var in, out [n][tags][2]int
					for peer := range n {
						for tag := range tags {
							o, i := &out[peer][tag], &in[peer][tag]
							*o = [2]int{me, peer*100 + tag}
							tasks.Spawn(m, func(t *tasks.Task) error { return v.send(t, world, o[:], peer, tag) }, deps.In(o))
							tasks.Spawn(m, func(t *tasks.Task) error { return v.recv(t, world, i[:], peer, tag) }, deps.Out(i))
							tasks.Spawn(m, func() { assert.Equal(t, [2]int{peer, me*100 + tag}, *i) }, deps.In(i))
						}
					}
					return m.Wait()
				}))
			})
		}
	}
}

func recv(t *tasks.Task, c *mpi.Comm, x []int, peer, tag int) error {
	st, err := tampi.Recv(t, c, x, peer, tag)
	if err == nil && (st.Source != peer || st.Tag != tag || st.Count != len(x)) {
		return fmt.Errorf("status %+v", st)
	}
	return err
}

func TestBlockingSendrecv(t *testing.T) {
	for mode, eager := range eagerLimits {
		t.Run(mode, func(t *testing.T) {
			const n = 4
			require.NoError(t, setup{ranks: n, eager: eager}.run(t, func(m *tasks.Task, world *mpi.Comm) error {
				me := world.Rank()
				for d := range n {
					tasks.Spawn(m, func(task *tasks.Task) error {
						x := make([]int, 3)
						st, err := tampi.Sendrecv(task, world, []int{me}, (me+d)%n, d, x, (me+n-d)%n, d)
						assert.Equal(t, []int{(me + n - d) % n, 0, 0}, x)
						assert.Equal(t, 1, st.Count)
						return err
					})
				}
				return m.Wait()
			}))
		})
	}
}

// All collectives at once, each in a task and communicator of its own, started in another order on each rank.
func TestCollectivesInConcurrentTasks(t *testing.T) {
	const n = 3
	type collective struct {
		name string
		call func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error)
		want func(me int) []int
	}
	all := func(x ...int) func(int) []int { return func(int) []int { return x } }
	at := func(rank int, x ...int) func(int) []int {
		return func(me int) []int {
			if me == rank {
				return x
			}
			return make([]int, len(x))
		}
	}
	// bound calls an I form in a task and waits for the task.
	bound := func(t *tasks.Task, start func(t *tasks.Task) error) error {
		tasks.Spawn(t, start)
		return t.Wait()
	}
	cs := []collective{
		{"Barrier", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) { return nil, tampi.Barrier(t, c) }, all()},
		{"Bcast", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := []int{me}
			return x, tampi.Bcast(t, c, x, 2)
		}, all(2)},
		{"Reduce", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := make([]int, 1)
			return x, tampi.Reduce(t, c, []int{me}, x, mpi.Sum, 1)
		}, at(1, 3)},
		{"Allreduce", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := make([]int, 1)
			return x, tampi.Allreduce(t, c, []int{me}, x, mpi.Max)
		}, all(2)},
		{"Gather", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := make([]int, n)
			return x, tampi.Gather(t, c, []int{me}, x, 0)
		}, at(0, 0, 1, 2)},
		{"Scatter", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := make([]int, 1)
			return x, tampi.Scatter(t, c, []int{0, 10, 20}, x, 0)
		}, func(me int) []int { return []int{10 * me} }},
		{"Allgather", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := make([]int, n)
			return x, tampi.Allgather(t, c, []int{me}, x)
		}, all(0, 1, 2)},
		{"Alltoall", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := make([]int, n)
			return x, tampi.Alltoall(t, c, []int{10 * me, 10*me + 1, 10*me + 2}, x)
		}, func(me int) []int { return []int{me, 10 + me, 20 + me} }},
		{"Scan", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := make([]int, 1)
			return x, tampi.Scan(t, c, []int{me + 1}, x, mpi.Sum)
		}, func(me int) []int { return []int{(me + 1) * (me + 2) / 2} }},
		{"Exscan", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := make([]int, 1)
			return x, tampi.Exscan(t, c, []int{me + 1}, x, mpi.Sum)
		}, func(me int) []int { return []int{me * (me + 1) / 2} }},

		{"Ibarrier", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			return nil, bound(t, func(t *tasks.Task) error { return tampi.Ibarrier(t, c) })
		}, all()},
		{"Ibcast", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := []int{me}
			return x, bound(t, func(t *tasks.Task) error { return tampi.Ibcast(t, c, x, 2) })
		}, all(2)},
		{"Ireduce", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := make([]int, 1)
			return x, bound(t, func(t *tasks.Task) error { return tampi.Ireduce(t, c, []int{me}, x, mpi.Sum, 1) })
		}, at(1, 3)},
		{"Iallreduce", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := make([]int, 1)
			return x, bound(t, func(t *tasks.Task) error { return tampi.Iallreduce(t, c, []int{me}, x, mpi.Max) })
		}, all(2)},
		{"Igather", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := make([]int, n)
			return x, bound(t, func(t *tasks.Task) error { return tampi.Igather(t, c, []int{me}, x, 0) })
		}, at(0, 0, 1, 2)},
		{"Iscatter", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := make([]int, 1)
			return x, bound(t, func(t *tasks.Task) error { return tampi.Iscatter(t, c, []int{0, 10, 20}, x, 0) })
		}, func(me int) []int { return []int{10 * me} }},
		{"Iallgather", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := make([]int, n)
			return x, bound(t, func(t *tasks.Task) error { return tampi.Iallgather(t, c, []int{me}, x) })
		}, all(0, 1, 2)},
		{"Ialltoall", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := make([]int, n)
			return x, bound(t, func(t *tasks.Task) error { return tampi.Ialltoall(t, c, []int{10 * me, 10*me + 1, 10*me + 2}, x) })
		}, func(me int) []int { return []int{me, 10 + me, 20 + me} }},
		{"Iscan", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := make([]int, 1)
			return x, bound(t, func(t *tasks.Task) error { return tampi.Iscan(t, c, []int{me + 1}, x, mpi.Sum) })
		}, func(me int) []int { return []int{(me + 1) * (me + 2) / 2} }},
		{"Iexscan", func(t *tasks.Task, c *mpi.Comm, me int) ([]int, error) {
			x := make([]int, 1)
			return x, bound(t, func(t *tasks.Task) error { return tampi.Iexscan(t, c, []int{me + 1}, x, mpi.Sum) })
		}, func(me int) []int { return []int{me * (me + 1) / 2} }},
	}
	for mode, eager := range eagerLimits {
		t.Run(mode, func(t *testing.T) {
			require.NoError(t, setup{ranks: n, eager: eager}.run(t, func(m *tasks.Task, world *mpi.Comm) error {
				me := world.Rank()
				comms := make([]*mpi.Comm, len(cs))
				for i := range comms {
					var err error
					if comms[i], err = world.Dup(); err != nil {
						return err
					}
				}
				for i := range cs {
					i := (i*[n]int{1, 3, 7}[me] + me) % len(cs)
					c := cs[i]
					tasks.Spawn(m, func(task *tasks.Task) error {
						got, err := c.call(task, comms[i], me)
						if me > 0 || c.name != "Exscan" && c.name != "Iexscan" { // undefined on rank 0
							assert.Equal(t, len(c.want(me)), len(got), c.name)
							for k, want := range c.want(me) {
								assert.Equal(t, want, got[k], "%s on rank %d", c.name, me)
							}
						}
						return err
					}, tasks.Label(c.name))
				}
				return m.Wait()
			}))
		})
	}
}

// Without a task the verbs are plain calls: from a rank's main, or a goroutine.
func TestNilTask(t *testing.T) {
	require.NoError(t, mpi.Run(ctx, mpi.Config{Ranks: 2}, func(_ ctxt, w *mpi.Comm) error {
		me, other := w.Rank(), 1-w.Rank()
		x := make([]int, 2)
		var st mpi.Status
		r, err := mpi.Irecv(w, x[:1], other, 0)
		s, err2 := mpi.Irecv(w, x[1:], other, 1)
		err = errors.Join(err, err2, tampi.Send(nil, w, []int{me}, other, 0), tampi.Iwait(nil, r, &st))
		assert.Equal(t, mpi.Status{Source: other, Count: 1, Bytes: 8}, st)
		sts := make([]mpi.Status, 2)
		err = errors.Join(err, tampi.Isend(nil, w, []int{me}, other, 1), tampi.Iwaitall(nil, []*mpi.Request{nil, s}, sts))
		assert.Equal(t, []int{mpi.AnySource, other}, []int{sts[0].Source, sts[1].Source})
		if me == 0 {
			err = errors.Join(err, tampi.Ssend(nil, w, x, 1, 2), tampi.Issend(nil, w, x, 1, 3))
		} else {
			_, err1 := tampi.Probe(nil, w, 0, 2)
			_, err2 := tampi.Recv(nil, w, x, 0, 2)
			err = errors.Join(err, err1, err2, tampi.Irecv(nil, w, x, 0, 3, nil))
		}
		_, err3 := tampi.Sendrecv(nil, w, x[:1], other, 4, x[1:], other, 4)
		return errors.Join(err, err3, tampi.Barrier(nil, w), tampi.Ibarrier(nil, w))
	}))
}

func TestWrongArguments(t *testing.T) {
	require.NoError(t, setup{ranks: 1}.run(t, func(m *tasks.Task, w *mpi.Comm) error {
		x := make([]int, 1)
		assert.ErrorIs(t, tampi.Send(m, w, x, 5, 0), mpi.ErrRank)
		assert.ErrorIs(t, tampi.Isend(m, w, x, 0, -5), mpi.ErrTag)
		st, err := tampi.Recv(m, w, []string{""}, 0, 0)
		assert.ErrorIs(t, err, mpi.ErrType)
		assert.ErrorIs(t, st.Err, mpi.ErrType)
		assert.ErrorIs(t, tampi.Bcast(m, w, x, 3), mpi.ErrRoot)
		assert.ErrorIs(t, tampi.Ibcast(m, w, x, 3), mpi.ErrRoot)
		assert.Error(t, tampi.Iwaitall(m, make([]*mpi.Request, 2), make([]mpi.Status, 1)))
		st, err = tampi.Wait(m, nil)
		assert.Equal(t, mpi.Status{Source: mpi.AnySource, Tag: mpi.AnyTag}, st)
		assert.NoError(t, err)
		st, err = tampi.Recv(m, w, x, mpi.ProcNull, 0)
		assert.Equal(t, mpi.ProcNull, st.Source)
		assert.NoError(t, err)
		r, err := mpi.Irecv(w, x, 0, 0)
		assert.NoError(t, err)
		assert.NoError(t, r.Free())
		_, err = tampi.Wait(m, r)
		assert.ErrorIs(t, err, mpi.ErrRequest)
		assert.ErrorIs(t, tampi.Iwait(m, r, nil), mpi.ErrRequest)
		return nil
	}))
}

// A request completes one task. A second gets an error, and nothing hangs.
func TestSecondCompleter(t *testing.T) {
	require.NoError(t, setup{ranks: 1}.run(t, func(m *tasks.Task, w *mpi.Comm) error {
		x := make([]int, 1)
		r, err := mpi.Irecv(w, x, 0, 0)
		tasks.Spawn(m, func(task *tasks.Task) error {
			assert.NoError(t, tampi.Iwait(task, r, nil))
			assert.ErrorIs(t, tampi.Iwait(task, r, nil), mpi.ErrRequest)
			_, err := tampi.Wait(task, r)
			assert.ErrorIs(t, err, mpi.ErrRequest)
			return tampi.Send(task, w, []int{42}, 0, 0)
		})
		err = errors.Join(err, m.Wait())
		_, err2 := tampi.Wait(m, r) // complete: anybody may ask again
		assert.Equal(t, 42, x[0])
		return errors.Join(err, err2, tampi.Iwait(m, r, nil))
	}))
}
