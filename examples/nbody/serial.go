package main

import (
	"context"

	"github.com/gompss/gompss/examples/nbody/gravity"
)

// runSerial is the form that all others are compared with: one goroutine, no messages. It keeps the order of the ring,
// so every target block meets its source blocks in the order in which a distributed run with as many ranks brings them.
// Other forms must therefore reach the same bits with the same number of ranks, and what -check allows
// ([allowedDifference]) with another.
func runSerial[F gravity.Float](ctx context.Context, s *simulation[F]) error {
	for _, sh := range s.shares {
		for i := range sh.blocks {
			s.openBlock(&sh.blocks[i])
		}
	}
	for step := 0; s.begin(ctx, step); step++ {
		for _, local := range s.shares {
			for shift := range s.ranks {
				s.serialForces(local, s.shares[s.source(local.rank, shift)])
			}
		}
		for _, sh := range s.shares {
			for i := range sh.blocks {
				s.updateParticlesBlock(sh, i, step)
			}
		}
	}
	return context.Cause(ctx)
}

func (s *simulation[F]) serialForces(local, remote *share[F]) {
	for i := range local.blocks {
		for j := range remote.blocks {
			s.calculateForcesBlock(&local.forces[i], &local.blocks[i].Points, &remote.blocks[j].Points)
		}
	}
}
