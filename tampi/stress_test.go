package tampi_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

// less is n, or a part of it where things are slow.
func less(n int) int {
	if race.Enabled || testing.Short() {
		return n / 10
	}
	return n
}

// Every message is a task, in both modes and from all processors at once.
func TestPingPong(t *testing.T) {
	for _, procs := range []int{1, 2, 8} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		n := less(10_000)
		require.NoError(t, ranks(t, 2, 2, func(m *tasks.Task, w *mpi.Comm) error {
			var ball [1]int
			me, other := w.Rank(), 1-w.Rank()
			for i := range n {
				switch {
				case i&1 == me && i%4 < 2:
					tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Send(t, w, ball[:], other, i) }, deps.In(&ball))
				case i&1 == me:
					tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Issend(t, w, ball[:], other, i) }, deps.In(&ball))
				case i%4 < 2:
					tasks.Spawn(m, func(t *tasks.Task) error {
						err := recv(t, w, ball[:], other, i)
						ball[0]++
						return err
					}, deps.InOut(&ball))
				default:
					tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Irecv(t, w, ball[:], other, i, nil) }, deps.InOut(&ball))
					tasks.Spawn(m, func() { ball[0]++ }, deps.InOut(&ball))
				}
			}
			err := m.Wait()
			assert.Contains(t, []int{n, n - 1}, ball[0])
			return err
		}))
	}
}

// Tasks in random order sleep, send and receive in every way.
func TestStress(t *testing.T) {
	const n = 4
	for _, procs := range []int{1, 2, 8} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		for _, eager := range eagerLimits {
			messages := less(2000)
			seed := rand.Uint64()
			require.NoError(t, setup{ranks: n, workers: 2, eager: eager}.run(t, func(m *tasks.Task, w *mpi.Comm) error {
				me := w.Rank()
				rng := rand.New(rand.NewPCG(seed, uint64(me)))
				nap := func() time.Duration {
					if rng.IntN(4) > 0 {
						return 0
					}
					return time.Duration(rng.IntN(200)) * time.Microsecond
				}
				in, out := make([]int, messages), make([]int, messages)
				for _, k := range rng.Perm(2 * messages) {
					d, mode, i := nap(), rng.IntN(4), k/2
					dst, src := (me+i)%n, (me+n-i%n)%n
					if k%2 == 0 {
						out[i] = me*messages + i
						tasks.Spawn(m, func(t *tasks.Task) error {
							t.Sleep(d)
							switch mode {
							case 0:
								return tampi.Send(t, w, out[i:i+1], dst, i)
							case 1:
								return tampi.Ssend(t, w, out[i:i+1], dst, i)
							case 2:
								return tampi.Isend(t, w, out[i:i+1], dst, i)
							}
							return tampi.Issend(t, w, out[i:i+1], dst, i)
						}, deps.In(&out[i]))
						continue
					}
					switch mode {
					case 0, 1:
						tasks.Spawn(m, func(t *tasks.Task) error {
							t.Sleep(d)
							return recv(t, w, in[i:i+1], src, i)
						}, deps.Out(&in[i]))
					case 2:
						tasks.Spawn(m, func(t *tasks.Task) error {
							t.Sleep(d)
							return tampi.Irecv(t, w, in[i:i+1], src, i, nil)
						}, deps.Out(&in[i]))
					case 3:
						tasks.Spawn(m, func(t *tasks.Task) { t.Sleep(d) }, deps.Out(&in[i]), tasks.OnReady(func(t *tasks.Task) {
							_ = tampi.Irecv(t, w, in[i:i+1], src, i, nil)
						}))
					}
					tasks.Spawn(m, func() {
						if want := src*messages + i; in[i] != want {
							t.Errorf("seed %d: message %d on rank %d: %d, want %d", seed, i, me, in[i], want)
						}
					}, deps.In(&in[i]))
				}
				return m.Wait()
			}), "seed %d", seed)
		}
	}
}

// What a message costs in memory is given back.
func TestMemoryIsConstant(t *testing.T) {
	const n = 20_000
	require.NoError(t, ranks(t, 1, 2, func(m *tasks.Task, w *mpi.Comm) error {
		round := func(n int) (objects int64) {
			x := make([]int, 1)
			for i := range n {
				tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Irecv(t, w, x, 0, i%100, nil) }, deps.OutSlice(x))
				tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Ssend(t, w, []int{i}, 0, i%100) })
				if i%100 == 99 {
					if err := m.Wait(); err != nil {
						t.Error(err)
					}
				}
			}
			runtime.GC()
			var s runtime.MemStats
			runtime.ReadMemStats(&s)
			return int64(s.HeapObjects)
		}
		round(2000)
		before := round(100)
		after := round(n)
		t.Logf("%d messages later: %+d objects", n, after-before)
		assert.Less(t, after-before, int64(n/5)) // what runtimes keep for later
		return m.Wait()
	}))
}

func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		err := setup{ranks: 3, workers: 2}.world(t, func(ctx ctxt, w *mpi.Comm, rt *tasks.Runtime) error {
			ctx, cancel := context.WithCancelCause(ctx)
			defer cancel(nil)
			return rt.Run(ctx, func(m *tasks.Task) error {
				for i := range 20 {
					tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Ssend(t, w, []int{0}, (w.Rank()+1)%3, i) })
					tasks.Spawn(m, func(t *tasks.Task) error { return recv(t, w, []int{0}, (w.Rank()+2)%3, i+i/19) }) // the last waits in vain
				}
				tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Irecv(t, w, []int{0}, 0, 100, nil) })
				if w.Rank() == 1 {
					m.Sleep(time.Millisecond)
					cancel(errStop)
				}
				return nil
			})
		})
		assert.True(t, errors.Is(err, errStop))
	}
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if runtime.NumGoroutine() > before {
		buf := make([]byte, 1<<20)
		t.Errorf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, strings.TrimSpace(string(buf[:runtime.Stack(buf, true)])))
	}
}
