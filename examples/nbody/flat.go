package main

import (
	"context"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/examples/nbody/gravity"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tasks"
)

// runFlat is the traditional hybrid program: one level of tasks, and plain MPI calls in them. A call that waits keeps the
// core, so the program has to see to it that somebody is left to make the other side happen.
func runFlat[F gravity.Float](ctx context.Context, s *simulation[F]) error {
	return s.onRanks(ctx, func(n *nbody[F], t *tasks.Task) { n.solve(t, n.exchangeParticles) })
}

// exchangeParticles passes a share on in tasks that an access to serialize keeps in the order of their creation, the same
// on all ranks. Without it each rank may pick another block first, and with every worker inside such a call all wait for
// ever.
func (n *nbody[F]) exchangeParticles(t *tasks.Task, send, recv []gravity.Points[F], shift int) {
	for _, h := range n.hops(send, recv, shift) {
		tasks.Spawn(t, func() error { return n.exchangeParticlesBlock(h) }, exchangeParticlesBlock,
			deps.InSlice(h.send), deps.OutSlice(h.recv), deps.InOut(&n.serialize))
	}
}

// exchangeParticlesBlock sends first on odd ranks and receives first on even ones: if all sent first, and no message was
// buffered, nobody would receive.
func (n *nbody[F]) exchangeParticlesBlock(h hop[F]) error {
	if n.share.rank%2 == 1 {
		if err := mpi.Send(n.world, h.send, h.dst, h.sendTag); err != nil {
			return err
		}
		_, err := mpi.Recv(n.world, h.recv, h.src, h.recvTag)
		return err
	}
	if _, err := mpi.Recv(n.world, h.recv, h.src, h.recvTag); err != nil {
		return err
	}
	return mpi.Send(n.world, h.send, h.dst, h.sendTag)
}
