package main

import (
	"context"
	"fmt"
	"math"

	"github.com/gompss/gompss/examples/nbody/gravity"
	"github.com/gompss/gompss/trace"
)

// A simulation is one run: the particles, distributed over ranks, and what is to happen to them. Its two methods
// calculateForcesBlock and updateParticlesBlock are all the physics there is; the forms of the program differ in how
// they order calls of them and carry points from rank to rank.
type simulation[F gravity.Float] struct {
	partition
	law      gravity.Law[F]
	leapfrog gravity.Leapfrog[F]
	workers  int             // per rank, for the forms that run tasks
	recorder *trace.Recorder // of the tasks and messages, or nil

	shares   []*share[F] // by rank
	orbits   *orbits     // watches block 0, or nil
	progress *progress   // nil when nobody looks
	stopping stopping
	pick     func(rank int) func(n int) int // nil; tests choose the schedules with it, see tasks.Config
}

// A share is what one rank owns. Only that rank touches it during a run.
type share[F gravity.Float] struct {
	rank   int
	first  int // number of blocks[0] among the blocks of all ranks
	blocks []gravity.Block[F]
	forces []gravity.Forces[F] // on blocks, by the same index; zero between steps
}

// A form runs all steps of a simulation.
type form[F gravity.Float] func(context.Context, *simulation[F]) error

// newSimulation distributes ps over ranks ranks. It fails if a value does not fit the precision.
func newSimulation[F gravity.Float](cfg *config, ranks int, ps []gravity.Particle) (*simulation[F], error) {
	s := &simulation[F]{
		partition: newPartition(len(ps), cfg.block, ranks),
		law:       gravity.Law[F]{G: F(cfg.g), Softening: F(cfg.softening), Kernel: cfg.kernel},
		leapfrog:  gravity.Leapfrog[F]{Dt: F(cfg.dt), Steps: cfg.steps},
		workers:   cfg.workersPerRank(ranks),
	}
	for i, p := range ps {
		for _, v := range [...]float64{p.X, p.Y, p.Z, p.VX, p.VY, p.VZ, p.Mass} {
			if math.IsInf(float64(F(v)), 0) {
				return nil, fmt.Errorf("particle %d: %v does not fit float%d: use -precision 64", i, v, cfg.precision)
			}
		}
	}
	for rank := range ranks {
		s.shares = append(s.shares, s.newShare(rank, ps))
	}
	return s, nil
}

func (s *simulation[F]) newShare(rank int, ps []gravity.Particle) *share[F] {
	lo, hi := s.blocksOf(rank)
	sh := &share[F]{rank: rank, first: lo}
	for b := lo; b < hi; b++ {
		first, end := s.particlesOf(b)
		block := gravity.NewBlock[F](s.block)
		block.Fill(ps[first:end])
		sh.blocks = append(sh.blocks, block)
		sh.forces = append(sh.forces, gravity.NewForces[F](s.block))
	}
	return sh
}

// newRemote returns buffers for the points that arrive in the ring, enough for the largest share.
func (s *simulation[F]) newRemote() []gravity.Points[F] {
	remote := make([]gravity.Points[F], s.largest())
	for i := range remote {
		remote[i] = gravity.NewPoints[F](s.block)
	}
	return remote
}

// openBlock is the half drift that precedes the first step.
func (s *simulation[F]) openBlock(b *gravity.Block[F]) { gravity.DriftBlock(b, s.leapfrog.Open()) }

// calculateForcesBlock adds to forces the pull of sources on targets. It reads the messages of both and reads and
// writes forces.
func (s *simulation[F]) calculateForcesBlock(forces *gravity.Forces[F], targets, sources *gravity.Points[F]) {
	s.law.AddForcesBlock(forces, targets, sources)
}

// updateParticlesBlock ends step for block i of sh: the forces kick it, it moves on, and the forces are zero again. It
// reads and writes the block and its forces.
func (s *simulation[F]) updateParticlesBlock(sh *share[F], i, step int) {
	b := &sh.blocks[i]
	s.law.UpdateBlock(b, &sh.forces[i], s.leapfrog.Dt, s.leapfrog.Drift(step))
	if s.orbits != nil && sh.first+i == 0 {
		observe(s.orbits, s.leapfrog.Time(step), b)
	}
	if s.progress != nil {
		s.progress.add(1)
	}
}

// allBlocks returns the blocks of all ranks in order.
func (s *simulation[F]) allBlocks() []*gravity.Block[F] {
	var all []*gravity.Block[F]
	for _, sh := range s.shares {
		for i := range sh.blocks {
			all = append(all, &sh.blocks[i])
		}
	}
	return all
}

// state returns all particles in their original order. Nothing may be running.
func (s *simulation[F]) state() []gravity.Particle {
	ps := make([]gravity.Particle, 0, s.particles)
	for _, b := range s.allBlocks() {
		ps = b.Append(ps)
	}
	return ps
}

func (s *simulation[F]) energy() gravity.Energy { return s.law.EnergyOf(s.allBlocks()) }

// interactions is the number of pairs that a run of so many steps computes.
func (s *simulation[F]) interactions(steps int) float64 {
	n := float64(s.particles)
	return n * n * float64(steps)
}
