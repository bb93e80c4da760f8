package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/examples/nbody/gravity"
	"github.com/gompss/gompss/examples/nbody/initial"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

// smallRun is a simulation of 11 blocks, which no number of ranks above 1 in the tests shares out evenly; 13 ranks
// leave two without any.
func smallRun(t testing.TB, ranks, workers int) *simulation[float32] {
	cfg := testConfig(t, "-particles", "170", "-block", "16", "-steps", "6", "-dt", "0.01", "-workers", strconv.Itoa(workers))
	s, err := newSimulation[float32](cfg, ranks, initial.Plummer(170, 5))
	require.NoError(t, err)
	return s
}

func checksumOf(t testing.TB, s *simulation[float32], program form[float32]) string {
	require.NoError(t, program(t.Context(), s))
	assert.Equal(t, s.leapfrog.Steps, s.finish())
	return fmt.Sprintf("%016x", gravity.Checksum(s.state()))
}

func TestFormsAgreeWithTheSerialRunInEveryBit(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 4, 8, 13} {
		want := checksumOf(t, smallRun(t, ranks, 1), runSerial[float32])
		for name, program := range forms[float32]() {
			for _, workers := range []int{1, 2, 3} {
				t.Run(fmt.Sprintf("%s/ranks=%d/workers=%d", name, ranks, workers), func(t *testing.T) {
					t.Parallel()
					for range 3 {
						assert.Equal(t, want, checksumOf(t, smallRun(t, ranks, workers), program))
					}
				})
			}
		}
	}
}

// A scheduler that always takes any of the ready tasks finds orders that a busy machine would show once in a year: sends
// of one step after those of the next, for example (see hop).
func TestFormsAgreeUnderAnySchedule(t *testing.T) {
	for _, ranks := range []int{2, 3, 4} {
		want := checksumOf(t, smallRun(t, ranks, 1), runSerial[float32])
		for name, program := range forms[float32]() {
			t.Run(fmt.Sprintf("%s/ranks=%d", name, ranks), func(t *testing.T) {
				t.Parallel()
				for seed := range uint64(15) {
					s := smallRun(t, ranks, 1)
					s.pick = func(rank int) func(int) int {
						return (&dice{seed<<8 + uint64(rank)}).below
					}
					assert.Equal(t, want, checksumOf(t, s, program), "seed %d", seed)
				}
			})
		}
	}
}

// dice chooses tasks. The runtime throws them out of the race detector's sight, so they are out of sight as well.
type dice struct{ state uint64 }

//go:norace
func (d *dice) below(n int) int {
	d.state = d.state*6364136223846793005 + 1442695040888963407
	return int((d.state >> 33) % uint64(n))
}

// exchangePlain is exchangeBlocking with the calls of package mpi: all that differs is that a call which waits keeps the
// core.
func (n *nbody[F]) exchangePlain(t *tasks.Task, send, recv []gravity.Points[F], shift int) {
	for _, h := range n.hops(send, recv, shift) {
		tasks.Spawn(t, func() error {
			return mpi.Ssend(n.world, h.send, h.dst, h.sendTag)
		}, exchangeParticlesBlock, deps.InSlice(h.send))
		tasks.Spawn(t, func() error {
			_, err := mpi.Recv(n.world, h.recv, h.src, h.recvTag)
			return err
		}, exchangeParticlesBlock, deps.OutSlice(h.recv))
	}
}

func runPlain(ctx context.Context, s *simulation[float32]) error {
	return s.onRanks(ctx, func(n *nbody[float32], t *tasks.Task) { n.solve(t, n.exchangePlain) })
}

// One worker on each of eight ranks, each in a synchronous send to the next: there is nobody left to receive, and the
// program stops. The same program, with the same tasks in the same order, finishes if the sends are those of tampi.
func TestPlainBlockingCallsInTasksDeadlockWhereTampiFinishes(t *testing.T) {
	const ranks = 8
	err := runPlain(t.Context(), smallRun(t, ranks, 1))
	var deadlock *mpi.DeadlockError
	require.ErrorAs(t, err, &deadlock)
	require.Len(t, deadlock.Pending, ranks, "every slot of every rank is inside a call")
	for rank, op := range deadlock.Pending {
		assert.Equal(t, rank, op.Rank)
		assert.Equal(t, "Ssend", op.Op, "nobody receives")
		assert.Equal(t, (rank+1)%ranks, op.Peer)
	}

	want := checksumOf(t, smallRun(t, ranks, 1), runSerial[float32])
	assert.Equal(t, want, checksumOf(t, smallRun(t, ranks, 1), runTampiBlocking[float32]))
}

// exchangeForgetful is exchangeIwait without in(send): nothing keeps an update from overwriting a block that is being
// sent.
func (n *nbody[F]) exchangeForgetful(t *tasks.Task, send, recv []gravity.Points[F], shift int) {
	for _, h := range n.hops(send, recv, shift) {
		tasks.Spawn(t, func(t *tasks.Task) error {
			sent, err := mpi.Isend(n.world, h.send, h.dst, h.sendTag)
			if err != nil {
				return err
			}
			received, err := mpi.Irecv(n.world, h.recv, h.src, h.recvTag)
			if err != nil {
				return err
			}
			return tampi.Iwaitall(t, []*mpi.Request{sent, received}, nil)
		}, exchangeParticlesBlock, deps.OutSlice(h.recv))
	}
}

func TestFormsStopWithTheCause(t *testing.T) {
	why := errors.New("enough")
	for name, program := range forms[float32]() {
		s := smallRun(t, 3, 2)
		s.leapfrog.Steps = 1 << 30
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(50*time.Millisecond, func() { cancel(why) })
		assert.ErrorIs(t, program(ctx, s), why, name)
	}
}

// An interrupted run is the run with fewer steps, but for the rounding of its last half drift.
func TestInterruptedFormsEndAfterAWholeStep(t *testing.T) {
	for name, program := range forms[float64]() {
		cfg := testConfig(t, "-particles", "170", "-block", "16", "-dt", "1e-6", "-precision", "64", "-steps", "1000000000")
		ps := initial.Plummer(170, 5)
		s, err := newSimulation[float64](cfg, 3, ps)
		require.NoError(t, err)
		interrupt := make(chan struct{})
		s.stopping.interrupted = interrupt
		time.AfterFunc(20*time.Millisecond, func() { close(interrupt) })
		require.NoError(t, program(t.Context(), s))
		cfg.steps = s.finish()
		require.Less(t, cfg.steps, 1000000000)
		require.Positive(t, cfg.steps)
		assert.Less(t, maxDifference(serialRun[float64](t, cfg, 3, ps), s.state()), 1e-14, name)
	}
}

// A rank that fails takes those along that wait for its messages.
func TestAFailureOnOneRankEndsAll(t *testing.T) {
	lost := errors.New("lost")
	for name, exchange := range map[string]func(*nbody[float32]) exchange[float32]{
		"plain":    func(n *nbody[float32]) exchange[float32] { return n.exchangeParticles },
		"blocking": func(n *nbody[float32]) exchange[float32] { return n.exchangeBlocking },
		"iwait":    func(n *nbody[float32]) exchange[float32] { return n.exchangeIwait },
	} {
		err := smallRun(t, 3, 2).onRanks(t.Context(), func(n *nbody[float32], main *tasks.Task) {
			n.solve(main, func(t *tasks.Task, send, recv []gravity.Points[float32], shift int) {
				if n.share.rank == 1 && shift == 1 {
					tasks.Spawn(t, func() error { return lost }, exchangeParticlesBlock, deps.OutSlice(recv[0].Message()))
					return
				}
				exchange(n)(t, send, recv, shift)
			})
		})
		// Where the others wait for its messages for good, that may be what is reported.
		assert.True(t, errors.Is(err, lost) || errors.Is(err, mpi.ErrDeadlock), "%s: %v", name, err)
	}
}

func TestDumpShowsRanksAndTasks(t *testing.T) {
	var out bytes.Buffer
	underway.dump(&out)
	assert.Equal(t, "no ranks under way\n", out.String())

	s := smallRun(t, 2, 1)
	err := s.onRanks(t.Context(), func(n *nbody[float32], t *tasks.Task) {
		for turn := range 2 { // rank 0 looks when both ranks are under way, and before they leave
			if turn == 1 && n.share.rank == 0 {
				underway.dump(&out)
			}
			if err := mpi.Barrier(n.world); err != nil {
				panic(err)
			}
		}
	})
	require.NoError(t, err)
	for _, want := range []string{"rank 0: ", "rank 1: ", "tasks of rank 0: 1 slots", "tasks of rank 1: 1 slots", `run of "main"`} {
		assert.Contains(t, out.String(), want)
	}
}
