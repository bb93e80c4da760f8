package tampi_test

import (
	"context"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

var ctx = context.Background()

type ctxt = context.Context

// setup is a world in which every rank has a runtime.
type setup struct {
	ranks   int
	workers int // 0 = 1
	eager   int // as in mpi.Config
}

// run runs body as a task on each rank. It must end soon.
func (s setup) run(t testing.TB, body func(t *tasks.Task, world *mpi.Comm) error) error {
	return s.world(t, func(ctx context.Context, world *mpi.Comm, rt *tasks.Runtime) error {
		return rt.Run(ctx, func(m *tasks.Task) error { return body(m, world) })
	})
}

// world is run for ranks whose main does more than start tasks.
func (s setup) world(t testing.TB, main func(ctx context.Context, world *mpi.Comm, rt *tasks.Runtime) error) error {
	defer time.AfterFunc(time.Minute, func() { panic(t.Name() + " hangs") }).Stop()
	return mpi.Run(ctx, mpi.Config{Ranks: s.ranks, EagerLimit: s.eager}, func(ctx context.Context, world *mpi.Comm) error {
		rt, err := tasks.New(tasks.Config{Workers: max(s.workers, 1)})
		if err != nil {
			return err
		}
		defer rt.Close()
		return main(ctx, world, rt)
	})
}

// ranks runs body as a task on each of n ranks with a runtime of the given number of workers.
func ranks(t testing.TB, n, workers int, body func(t *tasks.Task, world *mpi.Comm) error) error {
	return setup{ranks: n, workers: workers}.run(t, body)
}

// Every rank sends to the next and receives from the one before, in tasks that nothing orders, each blocking call
// synchronous. One worker a rank: plain blocking calls would deadlock.
func TestBlockingRing(t *testing.T) {
	const n, blocks = 8, 20
	require.NoError(t, ranks(t, n, 1, func(m *tasks.Task, world *mpi.Comm) error {
		me := world.Rank()
		var out, in [blocks]int64
		for i := range blocks {
			out[i] = int64(me*1000 + i)
			tasks.Spawn(m, func(t *tasks.Task) error {
				return tampi.Ssend(t, world, out[i:i+1], (me+1)%n, i)
			}, deps.In(&out[i]))
			tasks.Spawn(m, func(t *tasks.Task) error {
				_, err := tampi.Recv(t, world, in[i:i+1], (me+n-1)%n, i)
				return err
			}, deps.Out(&in[i]))
		}
		if err := m.Wait(); err != nil {
			return err
		}
		for i := range blocks {
			assert.Equal(t, int64((me+n-1)%n*1000+i), in[i])
		}
		return nil
	}))
}

func TestIwaitRing(t *testing.T) {
	const n, steps = 4, 50
	require.NoError(t, ranks(t, n, 2, func(m *tasks.Task, world *mpi.Comm) error {
		me := world.Rank()
		a, b := make([]int64, 1000), make([]int64, 1000)
		for i := range a {
			a[i] = int64(me)
		}
		var sts [2]mpi.Status
		for s := range steps {
			tasks.Spawn(m, func(t *tasks.Task) error {
				r1, err := mpi.Isend(world, a, (me+1)%n, s)
				if err != nil {
					return err
				}
				r2, err := mpi.Irecv(world, b, (me+n-1)%n, s)
				if err != nil {
					return err
				}
				return tampi.Iwaitall(t, []*mpi.Request{r1, r2}, sts[:])
			}, deps.InSlice(a), deps.OutSlice(b), deps.Out(&sts))
			tasks.Spawn(m, func() {
				assert.Equal(t, 1000, sts[1].Count)
				for i := range a {
					a[i] = b[i] + 1
				}
			}, deps.InSlice(b), deps.OutSlice(a), deps.In(&sts))
		}
		if err := m.Wait(); err != nil {
			return err
		}
		assert.Equal(t, int64((me+n*steps-steps)%n+steps), a[7])
		return nil
	}))
}

// A hundred thousand tasks blocked in receives at once, on two workers.
func TestManyBlockedReceives(t *testing.T) {
	n := 100_000
	if race.Enabled || testing.Short() {
		n = 2_000
	}
	var perTask float64
	require.NoError(t, ranks(t, 2, 2, func(m *tasks.Task, world *mpi.Comm) error {
		if world.Rank() == 1 {
			// Not before the other rank says that all its tasks are blocked.
			if _, err := tampi.Recv(m, world, make([]byte, 0), 0, n); err != nil {
				return err
			}
			for i := range n {
				if err := tampi.Send(m, world, []int64{int64(i)}, 0, i); err != nil {
					return err
				}
			}
			return nil
		}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		got := make([]int64, n)
		for i := range n {
			tasks.Spawn(m, func(t *tasks.Task) error {
				_, err := tampi.Recv(t, world, got[i:i+1], 1, i)
				return err
			}, tasks.Label("receiver"))
		}
		for m.Runtime().Stats().Blocked < uint64(n) {
			m.Yield()
			runtime.Gosched()
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		perTask = float64(after.Sys-before.Sys) / float64(n)
		inUse := float64(after.HeapAlloc+after.StackInuse-before.HeapAlloc-before.StackInuse) / float64(n)
		t.Logf("%d tasks blocked in Recv: %.0f bytes each in use (heap and stack), %.0f from the system", n, inUse, perTask)
		if err := tampi.Send(m, world, []byte{}, 1, n); err != nil {
			return err
		}
		if err := m.Wait(); err != nil {
			return err
		}
		for i := range n {
			if got[i] != int64(i) {
				t.Errorf("message %d: %d", i, got[i])
				break
			}
		}
		return nil
	}))
}

func TestDeadlockOfRanks(t *testing.T) {
	err := ranks(t, 3, 2, func(m *tasks.Task, world *mpi.Comm) error {
		tasks.Spawn(m, func(t *tasks.Task) error {
			_, err := tampi.Recv(t, world, make([]int64, 1), (world.Rank()+1)%3, 5)
			return err
		}, tasks.Label("stuck"))
		return m.Wait()
	})
	require.ErrorIs(t, err, mpi.ErrDeadlock)
	require.ErrorContains(t, err, "tag 5")
}

func TestErrorsTravel(t *testing.T) {
	err := ranks(t, 2, 2, func(m *tasks.Task, world *mpi.Comm) error {
		if world.Rank() == 1 {
			return mpi.Send(world, []int64{1, 2, 3}, 0, 1)
		}
		buf := make([]int64, 1)
		ran := false
		tasks.Spawn(m, func(t *tasks.Task) error { return tampi.Irecv(t, world, buf, 1, 1, nil) }, tasks.Label("short"), deps.OutSlice(buf))
		tasks.Spawn(m, func() { ran = true }, deps.InSlice(buf))
		err := m.Wait()
		assert.ErrorIs(t, err, mpi.ErrTruncate)
		assert.ErrorContains(t, err, "short")
		assert.False(t, ran)
		return nil
	})
	require.NoError(t, err)
}

func TestCollectives(t *testing.T) {
	const n = 5
	require.NoError(t, ranks(t, n, 2, func(m *tasks.Task, world *mpi.Comm) error {
		other, err := world.Dup()
		if err != nil {
			return err
		}
		me := int64(world.Rank())
		var sum, all int64
		tasks.Spawn(m, func(t *tasks.Task) error {
			return tampi.Allreduce(t, world, []int64{me}, one(&sum), mpi.Sum)
		}, deps.Out(&sum))
		tasks.Spawn(m, func(t *tasks.Task) error {
			return tampi.Iallreduce(t, other, []int64{me}, one(&all), mpi.Max)
		}, deps.Out(&all))
		tasks.Spawn(m, func() {
			assert.Equal(t, int64(10), sum)
			assert.Equal(t, int64(4), all)
		}, deps.In(&sum), deps.In(&all))
		if err := m.Wait(); err != nil {
			return err
		}
		return tampi.Barrier(m, world)
	}))
}

func one(p *int64) []int64 { return unsafe.Slice(p, 1) }
