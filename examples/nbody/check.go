package main

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gompss/gompss/examples/nbody/gravity"
)

// maxDifference is the largest distance between the same particle's places in a and b, or between its velocities,
// whichever is worse, in units of the root mean square distance from the centre of mass and speed in a. It is +Inf if a
// and b cannot be compared: different lengths or masses, or values that are not finite.
func maxDifference(a, b []gravity.Particle) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	length, speed := gravity.Scales(a)
	worst := 0.0
	for i, p := range a {
		q := b[i]
		dr := math.Hypot(math.Hypot(p.X-q.X, p.Y-q.Y), p.Z-q.Z)
		dv := math.Hypot(math.Hypot(p.VX-q.VX, p.VY-q.VY), p.VZ-q.VZ)
		if math.IsNaN(dr+dv) || p.Mass != q.Mass {
			return math.Inf(1)
		}
		worst = max(worst, relative(dr, length), relative(dv, speed))
	}
	return worst
}

func relative(v, scale float64) float64 {
	if v == 0 {
		return 0
	}
	return v / scale
}

// newReference makes the run that -check compares with, serial on one rank: it knows no ring and no messages, so no
// mistake in those can hide in it. It returns the final particles and how far from them others may end.
func newReference[F gravity.Float](
	ctx context.Context, cfg *config, ps []gravity.Particle,
) (reference []gravity.Particle, allowed float64, err error) {
	s, err := newSimulation[F](cfg, 1, ps)
	if err != nil {
		return nil, 0, err
	}
	if err := runSerial(ctx, s); err != nil {
		return nil, 0, err
	}
	reference = s.state()
	allowed, err = allowedDifference[F](ctx, cfg, ps, reference)
	return reference, allowed, err
}

// allowedDifference is how much [maxDifference] may report between reference, the state that a serial run from ps
// reached, and another run from ps that adds up forces in a different order.
//
// Two such runs part by a rounding in the first step, and every later step adds another. If differences stay as they
// are, they add up to [roundingError]. If they grow, as they do where particles pass close to each other, the first
// ones come to dominate; how much is measured, by a second serial run from ps displaced by two roundings, because no
// formula in n and the number of steps knows who passes whom. The allowance is both together, times 4 for the luck of a
// particle that has a closer encounter in one run than in the other.
//
// Where trajectories are chaotic over the time of the run the allowance says so by reaching the order of 1. Then only
// runs with the same number of ranks, which must agree in every bit, and energies can be compared.
func allowedDifference[F gravity.Float](
	ctx context.Context, cfg *config, ps, reference []gravity.Particle,
) (float64, error) {
	s, err := newSimulation[F](cfg, 1, displaced(ps, 2*cfg.roundoff()))
	if err != nil {
		return 0, err
	}
	if err := runSerial(ctx, s); err != nil {
		return 0, err
	}
	return 4 * (roundingError(cfg, ps) + maxDifference(reference, s.state())), nil
}

// roundingError estimates the difference, in units of [maxDifference], that two runs from ps gather over s steps when
// they add forces in different order in arithmetic with unit roundoff u, leaving out that differences grow.
//
// Each update rounds positions and velocities to u of themselves, independently from step to step: √s·u. The sum of
// forces on a target, over the particles of a block and then over blocks, errs by √(block + blocks)·u (the worst case
// has no root). A kick with that error in each step adds up to
//
//	δv = √(block + blocks)·u · a·T      δr = δv·T/2        a = GM/R², T = s·dt
//
// With the dynamical time t = √(R³/GM), τ = T/t and V = R/t, that is √(block + blocks)·u·τ·(1 + τ/2) in units of R and
// V. The result is
//
//	u · (√s + √(block + blocks)·τ·(1 + τ/2))
func roundingError(cfg *config, ps []gravity.Particle) float64 {
	tau := 0.0
	if length, _ := gravity.Scales(ps); length > 0 {
		tau = cfg.dt * float64(cfg.steps) * math.Sqrt(cfg.g*gravity.CentreOfMass(ps).Mass/(length*length*length))
	}
	p := newPartition(len(ps), cfg.block, 1)
	order := math.Sqrt(float64(p.block + p.blocks()))
	return cfg.roundoff() * (math.Sqrt(float64(cfg.steps)) + order*tau*(1+tau/2))
}

// roundoff is the largest relative error of one operation.
func (c *config) roundoff() float64 {
	if c.precision == 32 {
		return 0x1p-24
	}
	return 0x1p-53
}

// displaced returns ps with every coordinate moved up or down by size, in units of the scales of ps; the same way in
// every call.
func displaced(ps []gravity.Particle, size float64) []gravity.Particle {
	length, speed := gravity.Scales(ps)
	rng := rand.New(rand.NewPCG(1, 1))
	move := func(v *float64, by float64) {
		if rng.IntN(2) == 0 {
			by = -by
		}
		*v += by
	}
	moved := slices.Clone(ps)
	for i := range moved {
		p := &moved[i]
		for _, x := range []*float64{&p.X, &p.Y, &p.Z} {
			move(x, size*length)
		}
		for _, v := range []*float64{&p.VX, &p.VY, &p.VZ} {
			move(v, size*speed)
		}
	}
	return moved
}
