package main

import (
	"context"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/examples/nbody/gravity"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

// runFor is the flat program with worksharing tasks for the forces. One task computes what a source block does to all blocks of
// the rank; the workers share it out among themselves, target by target. Its forces are an array reduction, so these tasks
// are not ordered among each other: any of them runs as soon as its source is there.
func runFor[F gravity.Float](ctx context.Context, s *simulation[F]) error {
	return s.onRanks(ctx, func(n *nbody[F], t *tasks.Task) { n.solveShared(t, n.exchangeIwait, inOrder[F]) })
}

// inOrder makes forces add up as in the serial program, whoever is faster. For a target the contributions stand in the order
// in which the tasks of its sources were created, the order of the ring. Each is the sum over one source block, made by one
// worker on a copy that began at zero, and is added to what is there: the additions of calculateForcesBlock, with the same
// rounding.
//
// The price is room for all contributions of a step, where otherwise a copy per worker does. Measured by BenchmarkForces on two
// cores: with blocks of 64 particles, some microseconds of work for each pair, a third more time; with blocks of 256 nothing that
// stands out of the noise.
func inOrder[F gravity.Float](forces []F) deps.Access { return reduce.Ordered(reduce.SumSlice(forces)) }

// solveShared is solve with worksharing tasks; sum is the reduction of a block's forces.
func (n *nbody[F]) solveShared(t *tasks.Task, exchangeParticles exchange[F], sum func(forces []F) deps.Access) {
	var accesses deps.List
	for i := range n.local {
		accesses = append(accesses, deps.InSlice(n.local[i].Message()), sum(n.share.forces[i].All()))
	}
	for step := 0; n.begin(t.Context(), step); step++ {
		for shift := range n.ranks {
			send, recv := n.buffers(shift)
			for j := range n.held(shift) {
				n.shareForces(t, &send[j], accesses)
			}
			if shift < n.ranks-1 {
				exchangeParticles(t, send, recv, shift)
			}
		}
		n.updateParticles(t, step)
	}
}

// shareForces adds the pull of sources to the forces on the rank's own blocks. A worker takes a copy only of the forces on
// targets that it meets.
func (n *nbody[F]) shareForces(t *tasks.Task, sources *gravity.Points[F], accesses deps.List) {
	worksharing.For(t, len(n.local), worksharing.Dynamic(1), func(t *tasks.Task, lo, hi int) {
		for i := lo; i < hi; i++ {
			forces := gravity.ForcesIn(reduce.LocalSlice(t, n.share.forces[i].All()))
			n.calculateForcesBlock(&forces, &n.local[i], sources)
		}
	}, calculateForcesBlock, deps.InSlice(sources.Message()), accesses)
}
