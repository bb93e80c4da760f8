package initial

import "github.com/gompss/gompss/examples/nbody/gravity"

// Random returns n equal masses spread evenly over the cube |x|, |y|, |z| ≤ 1 with velocity components up to 0.1, small
// against the speed of free fall: the cube collapses. Units: G = 1, mass 1. Centre of mass and momentum are zero.
func Random(n int, seed uint64) []gravity.Particle {
	rng := newRand(seed)
	ps := make([]gravity.Particle, n)
	for i := range ps {
		ps[i] = gravity.Particle{
			X: rng.between(1), Y: rng.between(1), Z: rng.between(1),
			VX: rng.between(0.1), VY: rng.between(0.1), VZ: rng.between(0.1),
			Mass: 1 / float64(n),
		}
	}
	gravity.Centre(ps)
	return ps
}
