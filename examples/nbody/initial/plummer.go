package initial

import (
	"math"
	"math/rand/v2"

	"github.com/gompss/gompss/examples/nbody/gravity"
)

// plummerMass is the fraction of the infinite model's mass that is kept. The rest lies farther out than 22.8 model
// radii (about 14 N-body lengths), where a few stray particles would only stretch the scales.
const plummerMass = 0.999

// Plummer returns n equal masses drawn from Plummer's sphere in virial equilibrium, by the recipe of Aarseth, Hénon and
// Wielen (Astronomy and Astrophysics 37, 183, 1974), in standard N-body units: G = 1, mass 1, energy −1/4. Centre of
// mass and momentum are zero.
//
// Two places differ from the paper's formulas and not from its distributions. The radius is r = 1/√(m^(−2/3) − 1) for a
// uniform mass fraction m; here m^(1/3) is drawn directly, as the largest of three uniform numbers. And directions come
// from a point inside a sphere, drawn by rejection. Both do without functions that differ between machines in the last
// bit.
func Plummer(n int, seed uint64) []gravity.Particle {
	rng := newRand(seed)
	// The model's own units have scale radius 1, in which the energy is −3π/64; these factors make it −1/4.
	const length = 3 * math.Pi / 16
	speed := 1 / math.Sqrt(length)
	ps := make([]gravity.Particle, n)
	for i := range ps {
		t := rng.massCubeRoot()
		r := t / math.Sqrt(1-float64(t*t))
		escape := math.Sqrt(2 / math.Sqrt(1+float64(r*r)))
		p := &ps[i]
		p.X, p.Y, p.Z = rng.sphere(r * length)
		p.VX, p.VY, p.VZ = rng.sphere(rng.plummerSpeed() * escape * speed)
		p.Mass = 1 / float64(n)
	}
	gravity.Centre(ps)
	return ps
}

// massCubeRoot draws m^(1/3) for a mass fraction m uniform below plummerMass: the largest of three uniform numbers is
// below t with probability t³.
func (r random) massCubeRoot() float64 {
	for {
		if t := max(r.Float64(), r.Float64(), r.Float64()); t*t*t < plummerMass {
			return t
		}
	}
}

// plummerSpeed draws q = v/v_escape, 0 ≤ q ≤ 1, with density proportional to q²·(1 − q²)^(7/2), by rejection below 0.1:
// the density's maximum is 0.0922.
func (r random) plummerSpeed() float64 {
	for {
		q, height := r.Float64(), 0.1*r.Float64()
		w := 1 - float64(q*q)
		if height < q*q*w*w*w*math.Sqrt(w) {
			return q
		}
	}
}

// random draws what both models need.
type random struct{ *rand.Rand }

func newRand(seed uint64) random { return random{rand.New(rand.NewPCG(seed, 0))} }

// between draws uniformly from [−a, a).
func (r random) between(a float64) float64 { return a * (float64(2*r.Float64()) - 1) }

// sphere draws a vector of length radius in a random direction.
func (r random) sphere(radius float64) (x, y, z float64) {
	for {
		x, y, z = r.between(1), r.between(1), r.between(1)
		// Close to the origin the direction has few random bits left.
		if s := float64(x*x) + float64(y*y) + float64(z*z); s <= 1 && s > 1e-6 {
			f := radius / math.Sqrt(s)
			return x * f, y * f, z * f
		}
	}
}
