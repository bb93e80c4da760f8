package tampi_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

// These tests must not run beside others: any goroutine of the process that can go on puts the answer off.

// aWhile is longer than the detector needs to find a deadlock where there is one.
const aWhile = 200 * time.Millisecond

func TestDeadlocks(t *testing.T) {
	for name, c := range map[string]struct {
		main func(m *tasks.Task, w *mpi.Comm) error
		want string // in the error, parted by |
	}{
		"blocking": {func(m *tasks.Task, w *mpi.Comm) error {
			tasks.Spawn(m, func(t *tasks.Task) error { return recv(t, w, []int{0}, 1-w.Rank(), 5) }, tasks.Label("stuck"))
			return nil
		}, `"main › stuck"|Irecv from 1, tag 5`},
		"bound": {func(m *tasks.Task, w *mpi.Comm) error {
			tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Issend(t, w, []int{0}, 1-w.Rank(), 5) }, tasks.Label("stuck"))
			return nil
		}, `"main › stuck"|Issend to 1, tag 5`},
		"before the body": {func(m *tasks.Task, w *mpi.Comm) error {
			tasks.Spawn(m, func() {}, tasks.Label("stuck"), tasks.OnReady(func(t *tasks.Task) {
				_ = tampi.Irecv(t, w, []int{0}, 1-w.Rank(), 5, nil)
			}))
			return nil
		}, `"main › stuck"|Irecv from 1, tag 5`},
		"collective": {func(m *tasks.Task, w *mpi.Comm) error {
			if w.Rank() == 1 {
				return recv(m, w, []int{0}, 0, 5)
			}
			return tampi.Barrier(m, w)
		}, `task "main"|Barrier`},
		"the other rank is gone": {func(m *tasks.Task, w *mpi.Comm) error {
			if w.Rank() == 1 {
				return nil
			}
			return recv(m, w, []int{0}, 1, 5)
		}, "rank 1: finished"},
		"the other rank is in a plain call": {func(m *tasks.Task, w *mpi.Comm) error {
			if w.Rank() == 1 {
				_, err := mpi.Recv(w, []int{0}, 0, 5)
				return err
			}
			return recv(m, w, []int{0}, 1, 5)
		}, "Recv from 0, tag 5"},
		"some messages came": {func(m *tasks.Task, w *mpi.Comm) error {
			for i := range 5 {
				tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Send(t, w, []int{0}, 1-w.Rank(), i) })
			}
			for i := range 6 {
				tasks.Spawn(m, func(t *tasks.Task) error { return recv(t, w, []int{0}, 1-w.Rank(), i) })
			}
			return nil
		}, `Irecv from 1, tag 5`},
	} {
		t.Run(name, func(t *testing.T) {
			err := setup{ranks: 2}.run(t, c.main)
			require.ErrorIs(t, err, mpi.ErrDeadlock)
			for want := range strings.SplitSeq(c.want, "|") {
				assert.ErrorContains(t, err, want)
			}
		})
	}
}

// One rank waits for a message; the other will send it in a while.
func TestNoFalseAlarm(t *testing.T) {
	send := func(w *mpi.Comm) error { return mpi.Send(w, []int{42}, 0, 0) }
	for name, late := range map[string]func(ctx ctxt, w *mpi.Comm, rt *tasks.Runtime) error{
		"a body computes": func(ctx ctxt, w *mpi.Comm, rt *tasks.Runtime) error {
			return rt.Run(ctx, func(m *tasks.Task) error {
				for end := time.Now().Add(aWhile); time.Now().Before(end); {
				}
				return tampi.Send(m, w, []int{42}, 0, 0)
			})
		},
		"a task sleeps": func(ctx ctxt, w *mpi.Comm, rt *tasks.Runtime) error {
			return rt.Run(ctx, func(m *tasks.Task) error {
				tasks.Spawn(m, func(t *tasks.Task) error { return recv(t, w, []int{0}, 1, 1) })
				m.Sleep(aWhile)
				if err := tampi.Send(m, w, []int{0}, 1, 1); err != nil {
					return err
				}
				return send(w)
			})
		},
		"a task is held from outside": func(ctx ctxt, w *mpi.Comm, rt *tasks.Runtime) error {
			return rt.Run(ctx, func(m *tasks.Task) error {
				var x int
				tasks.Spawn(m, func(t *tasks.Task) {
					done := t.Hold()
					time.AfterFunc(aWhile, func() { done(nil) })
				}, deps.Out(&x))
				tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Send(t, w, []int{42}, 0, 0) }, deps.In(&x))
				return recv(m, w, []int{0}, 0, 1)
			})
		},
		"a goroutine sleeps": func(ctx ctxt, w *mpi.Comm, rt *tasks.Runtime) error {
			return rt.Run(ctx, func(m *tasks.Task) error {
				go func() {
					time.Sleep(aWhile)
					_ = send(w)
				}()
				return recv(m, w, []int{0}, 0, 1)
			})
		},
		// The runtime has had messages, but no run is under way any more: the rank is what its main is.
		"main goes on after its run": func(ctx ctxt, w *mpi.Comm, rt *tasks.Runtime) error {
			err := rt.Run(ctx, func(m *tasks.Task) error {
				tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Ssend(t, w, []int{0}, 1, 1) })
				return recv(m, w, []int{0}, 1, 1)
			})
			<-time.After(aWhile)
			assert.NotContains(t, dump(w), "tasks: ") // of rank 1; rank 0 does not use its runtime
			if err == nil {
				err = send(w)
			}
			return err
		},
		"a second run": func(ctx ctxt, w *mpi.Comm, rt *tasks.Runtime) error {
			for range 3 {
				if err := rt.Run(ctx, func(m *tasks.Task) error {
					tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Ssend(t, w, []int{0}, 1, 1) })
					return recv(m, w, []int{0}, 1, 1)
				}); err != nil {
					return err
				}
				<-time.After(aWhile / 3)
			}
			return rt.Run(ctx, func(m *tasks.Task) error {
				m.Sleep(aWhile)
				return tampi.Send(m, w, []int{42}, 0, 0)
			})
		},
	} {
		for _, inTask := range []bool{true, false} {
			if inTask && strings.HasPrefix(name, "main goes on") {
				continue // the other rank's runtime would show
			}
			mode := "plain"
			if inTask {
				mode = "task"
			}
			t.Run(name+"/"+mode, func(t *testing.T) {
				require.NoError(t, setup{ranks: 2}.world(t, func(ctx ctxt, w *mpi.Comm, rt *tasks.Runtime) error {
					if w.Rank() == 1 {
						return late(ctx, w, rt)
					}
					x := []int{0}
					defer func() { assert.Equal(t, 42, x[0]) }()
					if !inTask {
						if err := recv(nil, w, x, 1, 0); err != nil {
							return err
						}
						return mpi.Send(w, []int{0}, 1, 1)
					}
					return rt.Run(ctx, func(m *tasks.Task) error {
						tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Irecv(t, w, x, 1, 0, nil) })
						err := m.Wait()
						if err == nil {
							err = tampi.Send(m, w, []int{0}, 1, 1)
						}
						return err
					})
				}))
			})
		}
	}
}

func dump(w *mpi.Comm) string {
	var b strings.Builder
	w.Dump(&b)
	return b.String()
}

// TestSleepingTaskWillSend: a runtime that has not used messages yet is unknown to the rank, but its sleeping task shows.
func TestSleepingTaskWillSend(t *testing.T) {
	require.NoError(t, mpi.Run(ctx, mpi.Config{Ranks: 1}, func(ctx context.Context, world *mpi.Comm) error {
		rt, err := tasks.New(tasks.Config{Workers: 1})
		if err != nil {
			return err
		}
		rt.Go(func(t *tasks.Task) error { t.Sleep(300 * time.Millisecond); return mpi.Send(world, []byte{1}, 0, 0) }, nil)
		_, err = mpi.Recv(world, make([]byte, 1), 0, 0)
		return errors.Join(err, rt.Close())
	}))
}
