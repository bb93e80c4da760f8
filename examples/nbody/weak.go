package main

import (
	"context"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/examples/nbody/gravity"
	"github.com/gompss/gompss/tasks"
)

// The kinds of outer tasks.
var (
	calculateForces   = tasks.NewType("calculateForces", 0)
	exchangeParticles = tasks.NewType("exchangeParticles", 1)
	updateParticles   = tasks.NewType("updateParticles", 0)
)

// runWeak is the flat program with a task around each of its three functions, so that block tasks are created in
// parallel. The outer tasks touch nothing themselves: their accesses are weak. They start at once, return when their
// children exist, and pass the place of these in the order on, block by block. So a block task waits for exactly the same
// tasks as in the flat form, whichever outer task those belong to.
func runWeak[F gravity.Float](ctx context.Context, s *simulation[F]) error {
	return s.onRanks(ctx, func(n *nbody[F], t *tasks.Task) { n.solveNested(t, n.exchangeParticles) })
}

// solveNested is solve with outer tasks. They list their blocks one by one; local[0;num_blocks] is not one region here,
// because each block has memory of its own.
func (n *nbody[F]) solveNested(t *tasks.Task, exchangeBlocks exchange[F]) {
	own := weakly(deps.InSlice, n.local)
	forces := n.weakForces()
	update := append(append(weakly(deps.InOutSlice, n.local), n.weakVelocities()...), forces...)
	for step := 0; n.begin(t.Context(), step); step++ {
		for shift := range n.ranks {
			send, recv := n.buffers(shift) // variables of this turn of the loop: the outer tasks run later
			held := weakly(deps.InSlice, send[:n.held(shift)])
			tasks.Spawn(t, func(t *tasks.Task) { n.calculateForces(t, send, shift) }, calculateForces, own, held, forces)
			if shift < n.ranks-1 {
				// Without serialize here the children of two exchanges would not be ordered among each other.
				tasks.Spawn(t, func(t *tasks.Task) { exchangeBlocks(t, send, recv, shift) }, exchangeParticles,
					held, weakly(deps.OutSlice, recv[:n.held(shift+1)]), deps.Weak(deps.InOut(&n.serialize)))
			}
		}
		tasks.Spawn(t, func(t *tasks.Task) { n.updateParticles(t, step) }, updateParticles, update)
	}
}

// weakly lists a weak access to each of points.
func weakly[F gravity.Float](access func([]F) deps.Access, points []gravity.Points[F]) deps.List {
	var list deps.List
	for i := range points {
		list = append(list, deps.Weak(access(points[i].Message())))
	}
	return list
}

func (n *nbody[F]) weakForces() deps.List {
	var list deps.List
	for i := range n.share.forces {
		list = append(list, deps.Weak(deps.InOutSlice(n.share.forces[i].All())))
	}
	return list
}

func (n *nbody[F]) weakVelocities() deps.List {
	var list deps.List
	for i := range n.share.blocks {
		list = append(list, deps.Weak(deps.InOutSlice(n.share.blocks[i].Velocity())))
	}
	return list
}
