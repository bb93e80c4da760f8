package tampi_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

var errStop = errors.New("stop")

// cancelled runs body on the one rank of a world, in a run that is cancelled as soon as all that body spawned waits; then
// after, when the run is over. The world goes on.
func cancelled(t *testing.T, body func(m *tasks.Task, w *mpi.Comm), after func(w *mpi.Comm) error) {
	t.Helper()
	require.NoError(t, setup{ranks: 1, eager: -1}.world(t, func(ctx ctxt, w *mpi.Comm, rt *tasks.Runtime) error {
		ctx, cancel := context.WithCancelCause(ctx)
		err := rt.Run(ctx, func(m *tasks.Task) error {
			body(m, w)
			tasks.Spawn(m, func(t *tasks.Task) { cancel(errStop) }, tasks.Priority(-1)) // after all others
			return m.Wait()
		})
		assert.ErrorIs(t, err, errStop)
		return after(w)
	}))
}

// still tells whether a receive started before takes the next message with this tag.
func still(t *testing.T, w *mpi.Comm, tag int, want bool) error {
	x := make([]int, 1)
	s, err := mpi.Isend(w, []int{42}, 0, tag)
	if err != nil {
		return err
	}
	_, taken, err := s.Test()
	assert.Equal(t, want, taken)
	if !taken {
		_, err2 := mpi.Recv(w, x, 0, tag)
		assert.Equal(t, 42, x[0])
		err = errors.Join(err, err2)
	}
	return err
}

func TestCancelledRun(t *testing.T) {
	t.Run("Recv", func(t *testing.T) {
		var got error
		var st mpi.Status
		cancelled(t, func(m *tasks.Task, w *mpi.Comm) {
			tasks.Spawn(m, func(t *tasks.Task) error {
				st, got = tampi.Recv(t, w, make([]int, 1), 0, 7)
				return got
			})
		}, func(w *mpi.Comm) error {
			assert.Equal(t, errStop, got)
			assert.True(t, st.Cancelled)
			return still(t, w, 7, false)
		})
	})
	t.Run("Irecv", func(t *testing.T) {
		var st mpi.Status
		ran := false
		cancelled(t, func(m *tasks.Task, w *mpi.Comm) {
			x := new(int64)
			tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Irecv(t, w, one(x), 0, 7, &st) }, deps.Out(x))
			tasks.Spawn(m, func() { ran = true }, deps.In(x))
		}, func(w *mpi.Comm) error {
			assert.True(t, st.Cancelled)
			assert.False(t, ran)
			return still(t, w, 7, false)
		})
	})
	t.Run("OnReady", func(t *testing.T) {
		ran := false
		cancelled(t, func(m *tasks.Task, w *mpi.Comm) {
			tasks.Spawn(m, func() { ran = true }, tasks.OnReady(func(t *tasks.Task) { _ = tampi.Irecv(t, w, make([]int, 1), 0, 7, nil) }))
		}, func(w *mpi.Comm) error {
			assert.False(t, ran)
			return still(t, w, 7, false)
		})
	})
	t.Run("Probe", func(t *testing.T) {
		cancelled(t, func(m *tasks.Task, w *mpi.Comm) {
			tasks.Spawn(m, func(task *tasks.Task) error {
				_, err := tampi.Probe(task, w, 0, 7)
				assert.Equal(t, errStop, err)
				return err
			})
		}, func(w *mpi.Comm) error { return still(t, w, 7, false) })
	})
	t.Run("Ssend", func(t *testing.T) {
		cancelled(t, func(m *tasks.Task, w *mpi.Comm) {
			tasks.Spawn(m, func(task *tasks.Task) error {
				err := tampi.Ssend(task, w, []int{42}, 0, 7)
				assert.Equal(t, errStop, err)
				return err
			})
		}, func(w *mpi.Comm) error { // what cannot be taken back goes on
			x := make([]int, 1)
			_, err := mpi.Recv(w, x, 0, 7)
			assert.Equal(t, 42, x[0])
			return err
		})
	})
	t.Run("Issend", func(t *testing.T) {
		cancelled(t, func(m *tasks.Task, w *mpi.Comm) {
			tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Issend(t, w, []int{42}, 0, 7) })
		}, func(w *mpi.Comm) error {
			x := make([]int, 1)
			_, err := mpi.Recv(w, x, 0, 7)
			assert.Equal(t, 42, x[0])
			return err
		})
	})
	t.Run("Waitall", func(t *testing.T) {
		cancelled(t, func(m *tasks.Task, w *mpi.Comm) {
			tasks.Spawn(m, func(task *tasks.Task) error {
				a, _ := mpi.Irecv(w, make([]int, 1), 0, 7)
				b, _ := mpi.Irecv(w, make([]int, 1), 0, 8)
				_, err := tampi.Waitall(task, []*mpi.Request{a, b})
				assert.ErrorIs(t, err, errStop)
				return err
			})
		}, func(w *mpi.Comm) error { return errors.Join(still(t, w, 7, false), still(t, w, 8, false)) })
	})
	// A body that learns of the cancellation too late to be told of it again.
	t.Run("late", func(t *testing.T) {
		cancelled(t, func(m *tasks.Task, w *mpi.Comm) {
			tasks.Spawn(m, func(task *tasks.Task) error {
				task.Sleep(time.Hour)
				_, err := tampi.Recv(task, w, make([]int, 1), 0, 7)
				assert.Equal(t, errStop, err)
				return tampi.Irecv(task, w, make([]int, 1), 0, 8, nil)
			})
		}, func(w *mpi.Comm) error { return errors.Join(still(t, w, 7, false), still(t, w, 8, false)) })
	})
}

// Collectives cannot be taken back; the tasks go on all the same.
func TestCancelledCollective(t *testing.T) {
	letGo := make(chan bool)
	require.NoError(t, setup{ranks: 2}.world(t, func(ctx ctxt, w *mpi.Comm, rt *tasks.Runtime) error {
		if w.Rank() == 0 {
			<-letGo
			return errors.Join(tampi.Ibarrier(nil, w), tampi.Barrier(nil, w))
		}
		ctx, cancel := context.WithCancelCause(ctx)
		err := rt.Run(ctx, func(m *tasks.Task) error {
			tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Ibarrier(t, w) }, tasks.If(false))
			tasks.Spawn(m, func(task *tasks.Task) error {
				err := tampi.Barrier(task, w)
				assert.Equal(t, errStop, err)
				return err
			})
			tasks.Spawn(m, func() { cancel(errStop) }, tasks.Priority(-1))
			return m.Wait()
		})
		assert.ErrorIs(t, err, errStop)
		close(letGo)
		return nil
	}))
}

// A message that comes while the run is cancelled is received or left alone; it is never lost.
func TestCancellationRacesWithMessage(t *testing.T) {
	for _, blocking := range []bool{true, false} {
		received, left := 0, 0
		for i := range 300 {
			cause := make(chan context.CancelCauseFunc)
			require.NoError(t, setup{ranks: 2}.world(t, func(ctx ctxt, w *mpi.Comm, rt *tasks.Runtime) error {
				if w.Rank() == 0 {
					cancel := <-cause
					switch i % 3 {
					case 0:
						cancel(errStop) // tells the run in a goroutine
					case 1:
						go cancel(errStop)
					default:
						defer cancel(errStop)
					}
					return mpi.Send(w, []int{42}, 1, 7)
				}
				ctx, cancel := context.WithCancelCause(ctx)
				var x [1]int
				var st mpi.Status
				var got error
				err := rt.Run(ctx, func(m *tasks.Task) error {
					tasks.Spawn(m, func(t *tasks.Task) error {
						cause <- cancel
						if blocking {
							st, got = tampi.Recv(t, w, x[:], 0, 7)
							return got
						}
						return tampi.Irecv(t, w, x[:], 0, 7, &st)
					})
					return nil
				})
				if !blocking {
					got = err
				}
				if st.Cancelled || st.Count == 0 {
					left++
					assert.ErrorIs(t, got, errStop)
					assert.Equal(t, 0, x[0])
					_, err := mpi.Recv(w, x[:], 0, 7)
					return err
				}
				received++
				assert.Equal(t, 42, x[0])
				return nil
			}))
		}
		t.Logf("blocking=%v: received %d, left %d", blocking, received, left)
	}
}

// One rank fails; whatever the others wait for ends with its error.
func TestCancelledWorld(t *testing.T) {
	const n = 4
	started := make(chan bool)
	err := setup{ranks: n, eager: -1}.run(t, func(m *tasks.Task, w *mpi.Comm) error {
		other, err := w.Dup()
		if err != nil {
			return err
		}
		if w.Rank() == 0 {
			for range n - 1 {
				<-started
			}
			return errStop
		}
		for name, wait := range map[string]func(t *tasks.Task) error{
			"Recv":     func(t *tasks.Task) error { return recv(t, w, []int{0}, 0, 1) },
			"Ssend":    func(t *tasks.Task) error { return tampi.Ssend(t, w, []int{0}, 0, 2) },
			"Probe":    func(t *tasks.Task) error { _, err := tampi.Probe(t, w, 0, 3); return err },
			"Barrier":  func(t *tasks.Task) error { return tampi.Barrier(t, w) },
			"Irecv":    func(t *tasks.Task) error { return tampi.Irecv(t, w, []int{0}, 0, 4, nil) },
			"Issend":   func(t *tasks.Task) error { return tampi.Issend(t, w, []int{0}, 0, 5) },
			"Ibarrier": func(t *tasks.Task) error { return tampi.Ibarrier(t, other) },
		} {
			tasks.Spawn(m, func(task *tasks.Task) error {
				err := wait(task)
				if err != nil {
					assert.ErrorIs(t, err, errStop, name)
				}
				return err
			})
		}
		tasks.Spawn(m, func() { started <- true }, tasks.Priority(-1)) // after all others
		err = m.Wait()
		assert.ErrorIs(t, err, errStop)
		return err
	})
	require.ErrorIs(t, err, errStop)
}
