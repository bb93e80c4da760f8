package main

import (
	"context"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/examples/nbody/gravity"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tasks"
)

// The kinds of block tasks. Exchanges go first: another rank waits for what they send.
var (
	calculateForcesBlock   = tasks.NewType("calculateForcesBlock", 0)
	exchangeParticlesBlock = tasks.NewType("exchangeParticlesBlock", 1)
	updateParticlesBlock   = tasks.NewType("updateParticlesBlock", 0)
)

// nbody is a simulation as one rank sees it. Block i of any buffer is one item of the tasks' accesses, named by the
// memory of its message.
type nbody[F gravity.Float] struct {
	*simulation[F]
	share *share[F]
	world *mpi.Comm

	local            []gravity.Points[F] // of the rank's own blocks: the same memory
	remote1, remote2 []gravity.Points[F] // scratch: one is sent on while the other is received into
	serialize        struct{ _ byte }    // stands for the order of the rank's messages
}

// exchange is a way to pass a share on: it spawns tasks under t that send the share in send, which the rank holds after
// shift shifts of the ring, and receive the next one into recv.
type exchange[F gravity.Float] func(t *tasks.Task, send, recv []gravity.Points[F], shift int)

// onRanks runs solve on every rank, as a task of a runtime that belongs to that rank.
func (s *simulation[F]) onRanks(ctx context.Context, solve func(*nbody[F], *tasks.Task)) error {
	return mpi.Run(ctx, mpi.Config{Ranks: s.ranks, Trace: s.recorder}, func(ctx context.Context, world *mpi.Comm) error {
		cfg := tasks.Config{Workers: s.workers, Trace: s.recorder.Rank(world.Rank())}
		if s.pick != nil {
			cfg.Pick = s.pick(world.Rank())
		}
		rt, err := tasks.New(cfg)
		if err != nil {
			return err
		}
		defer rt.Close()
		defer underway.add(world, rt)()
		return rt.Run(ctx, func(t *tasks.Task) error {
			solve(s.newNbody(world), t)
			return nil
		})
	})
}

func (s *simulation[F]) newNbody(world *mpi.Comm) *nbody[F] {
	n := &nbody[F]{
		simulation: s, share: s.shares[world.Rank()], world: world, remote1: s.newRemote(), remote2: s.newRemote(),
	}
	for i := range n.share.blocks {
		s.openBlock(&n.share.blocks[i])
		n.local = append(n.local, n.share.blocks[i].Points)
	}
	return n
}

// solve is the loop of the simulation. It spawns all steps without waiting for anything: what a task needs is in its
// accesses, so the forces of one share are computed while the next is on its way.
func (n *nbody[F]) solve(t *tasks.Task, exchangeParticles exchange[F]) {
	for step := 0; n.begin(t.Context(), step); step++ {
		for shift := range n.ranks {
			send, recv := n.buffers(shift)
			n.calculateForces(t, send, shift)
			if shift < n.ranks-1 {
				exchangeParticles(t, send, recv, shift)
			}
		}
		n.updateParticles(t, step)
	}
}

// buffers returns what is sent, and what is received into, in a shift of the ring. What was received in one shift is sent
// in the next, and what was sent is received into, except for the rank's own share, which stays as it is.
func (n *nbody[F]) buffers(shift int) (send, recv []gravity.Points[F]) {
	switch {
	case shift == 0:
		return n.local, n.remote1
	case shift%2 == 1:
		return n.remote1, n.remote2
	}
	return n.remote2, n.remote1
}

// calculateForces adds the pull of the share in send to the forces on the rank's own blocks. Tasks on the same forces run
// in the order of their creation, which makes the result independent of the schedule in every bit.
func (n *nbody[F]) calculateForces(t *tasks.Task, send []gravity.Points[F], shift int) {
	for i := range n.local {
		for j := range n.held(shift) {
			forces, targets, sources := &n.share.forces[i], &n.local[i], &send[j]
			tasks.Spawn(t, func() { n.calculateForcesBlock(forces, targets, sources) }, calculateForcesBlock,
				deps.InSlice(targets.Message()), deps.InSlice(sources.Message()), deps.InOutSlice(forces.All()))
		}
	}
}

// updateParticles ends a step for the rank's own blocks.
func (n *nbody[F]) updateParticles(t *tasks.Task, step int) {
	for i := range n.share.blocks {
		block, forces := &n.share.blocks[i], &n.share.forces[i]
		tasks.Spawn(t, func() { n.updateParticlesBlock(n.share, i, step) }, updateParticlesBlock,
			deps.InOutSlice(block.Message()), deps.InOutSlice(block.Velocity()), deps.InOutSlice(forces.All()))
	}
}

// held is the number of blocks that the rank holds after shift shifts of the ring.
func (n *nbody[F]) held(shift int) int { return n.count(n.source(n.share.rank, shift)) }
