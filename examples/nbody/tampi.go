package main

import (
	"context"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/examples/nbody/gravity"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

// runTampiBlocking is the flat program with task-aware messages: a task that waits in one gives its core away.
func runTampiBlocking[F gravity.Float](ctx context.Context, s *simulation[F]) error {
	return s.onRanks(ctx, func(n *nbody[F], t *tasks.Task) { n.solve(t, n.exchangeBlocking) })
}

// exchangeBlocking passes a share on in tasks that nothing serializes. Every send is synchronous, the hardest case: it
// returns only when the other rank has run the receive. With plain MPI calls in these tasks a rank whose workers all pick
// a send first stops, and so do all the others; forms_test.go shows it.
func (n *nbody[F]) exchangeBlocking(t *tasks.Task, send, recv []gravity.Points[F], shift int) {
	for _, h := range n.hops(send, recv, shift) {
		tasks.Spawn(t, func(t *tasks.Task) error {
			return tampi.Ssend(t, n.world, h.send, h.dst, h.sendTag)
		}, exchangeParticlesBlock, deps.InSlice(h.send))
		tasks.Spawn(t, func(t *tasks.Task) error {
			_, err := tampi.Recv(t, n.world, h.recv, h.src, h.recvTag)
			return err
		}, exchangeParticlesBlock, deps.OutSlice(h.recv))
	}
}

// runTampiIwait is the flat program with messages that no task waits for.
func runTampiIwait[F gravity.Float](ctx context.Context, s *simulation[F]) error {
	return s.onRanks(ctx, func(n *nbody[F], t *tasks.Task) { n.solve(t, n.exchangeIwait) })
}

// exchangeIwait passes a share on in tasks that start the messages and return. Such a task is complete, and its accesses
// are given up, when its messages are.
func (n *nbody[F]) exchangeIwait(t *tasks.Task, send, recv []gravity.Points[F], shift int) {
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
		}, exchangeParticlesBlock, deps.InSlice(h.send), deps.OutSlice(h.recv))
	}
}
