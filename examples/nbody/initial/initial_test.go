package initial

import (
	"math"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/examples/nbody/gravity"
)

func energy(ps []gravity.Particle) gravity.Energy {
	b := gravity.NewBlock[float64](len(ps))
	b.Fill(ps)
	law := gravity.Law[float64]{G: 1}
	return law.EnergyOf([]*gravity.Block[float64]{&b})
}

func assertCentred(t *testing.T, ps []gravity.Particle) {
	t.Helper()
	c := gravity.CentreOfMass(ps)
	assert.InDelta(t, 1, c.Mass, 1e-12)
	for _, v := range []float64{c.X, c.Y, c.Z, c.VX, c.VY, c.VZ} {
		assert.InDelta(t, 0, v, 1e-15)
	}
}

func TestPlummerIsInVirialEquilibrium(t *testing.T) {
	const n = 4000
	ps := Plummer(n, 1)
	require.Len(t, ps, n)
	assertCentred(t, ps)
	// Kinetic energy is a mean of n speeds squared with a spread near their mean, so it is known to about 1/√n; the
	// cut at 99.9 % of the mass is worth a little more than its own size.
	e := energy(ps)
	assert.InEpsilon(t, 0.25, e.Kinetic, 4/math.Sqrt(n))
	assert.InEpsilon(t, -0.5, e.Potential, 4/math.Sqrt(n))
}

func TestPlummerMassProfile(t *testing.T) {
	const n = 4000
	radii := make([]float64, n)
	for i, p := range Plummer(n, 2) {
		radii[i] = math.Sqrt(p.X*p.X+p.Y*p.Y+p.Z*p.Z) / (3 * math.Pi / 16)
	}
	sort.Float64s(radii)
	// Largest distance between the drawn and the model's distribution: Kolmogorov and Smirnov allow 1.95/√n in all but
	// one of a thousand seeds.
	worst := 0.0
	for i, r := range radii {
		model := math.Pow(1+1/(r*r), -1.5) / plummerMass
		worst = math.Max(worst, math.Abs(model-(float64(i)+0.5)/n))
	}
	assert.Less(t, worst, 1.95/math.Sqrt(n))
}

func TestRandomFillsItsCubeSlowly(t *testing.T) {
	ps := Random(3000, 7)
	assertCentred(t, ps)
	length, speed := gravity.Scales(ps)
	assert.InEpsilon(t, 1, length, 0.03, "√3 · 1/√3")
	assert.InEpsilon(t, 0.1, speed, 0.03)
}

// The checksums pin the bits: a seed must mean the same particles on every machine and in every release.
func TestSeedFixesTheParticles(t *testing.T) {
	assert.Equal(t, uint64(0x5b8bf384ee4f7cb6), gravity.Checksum(Plummer(1000, 42)))
	assert.Equal(t, uint64(0xc204373750699caf), gravity.Checksum(Random(1000, 42)))
	assert.NotEqual(t, gravity.Checksum(Plummer(10, 1)), gravity.Checksum(Plummer(10, 2)))
	assert.Empty(t, Plummer(0, 1))
	assert.Empty(t, Random(0, 1))
}

// Positions at J2000.0 from integrated ephemerides, heliocentric ecliptic, AU. They share nothing with the table of
// elements but the sky, so a wrong digit in it shows. The tolerance is the error that JPL states for the elements, arc
// seconds in right ascension and thousands of km in distance; only Neptune is allowed more, because a smooth ellipse
// cannot follow the Sun's own swing about the centre of mass, up to 0.009 AU or 1.3 million km.
func TestPlanetsStandWhereTheyStoodAtJ2000(t *testing.T) {
	ps := SolarSystem()
	require.Len(t, ps, len(Bodies))
	for i, want := range []struct{ x, y, z, arcsec, distance float64 }{
		1: {-0.13009, -0.44729, -0.02460, 15, 1},
		2: {-0.71830, -0.03265, 0.04101, 20, 4},
		3: {-0.17713, 0.96724, 0.00000, 20, 6},
		4: {1.39072, -0.01342, -0.03447, 40, 25},
		5: {4.00118, 2.93858, -0.10178, 400, 600},
		6: {6.40641, 6.56999, -0.36913, 600, 1500},
		7: {14.43186, -13.73432, -0.23813, 50, 1000},
		8: {16.811, -24.992, 0.127, 10, 1300},
	} {
		if i == 0 {
			continue
		}
		x, y, z := ps[i].X-ps[0].X, ps[i].Y-ps[0].Y, ps[i].Z-ps[0].Z
		miss := math.Sqrt(sq(x-want.x) + sq(y-want.y) + sq(z-want.z))
		r := math.Sqrt(sq(x) + sq(y) + sq(z))
		tolerance := 1e-5 + math.Hypot(r*want.arcsec*math.Pi/648000, want.distance*1e3/149597870.7)
		assert.Less(t, miss, tolerance, "%s at (%.5f, %.5f, %.5f)", Bodies[i], x, y, z)
	}
}

// The state vectors must give back the elements they came from.
func TestStateVectorsHaveTheElementsOfTheTable(t *testing.T) {
	ps := SolarSystem()
	for i, el := range planets {
		sun, p := ps[0], ps[i+1]
		x, y, z := p.X-sun.X, p.Y-sun.Y, p.Z-sun.Z
		vx, vy, vz := p.VX-sun.VX, p.VY-sun.VY, p.VZ-sun.VZ
		mu := GaussianG * (1 + p.Mass)
		r, v2 := math.Sqrt(sq(x)+sq(y)+sq(z)), sq(vx)+sq(vy)+sq(vz)
		a := 1 / (2/r - v2/mu)
		hx, hy, hz := y*vz-z*vy, z*vx-x*vz, x*vy-y*vx
		e := math.Sqrt(1 - (sq(hx)+sq(hy)+sq(hz))/(mu*a))
		inclination := math.Atan2(math.Hypot(hx, hy), hz) * 180 / math.Pi
		assert.InEpsilon(t, el.a, a, 1e-12, Bodies[i+1])
		assert.InDelta(t, el.e, e, 1e-10, Bodies[i+1])
		assert.InDelta(t, math.Abs(el.inclination), inclination, 1e-9, Bodies[i+1])
	}
}

func TestKeplersEquation(t *testing.T) {
	for _, e := range []float64{0, 0.01, 0.2056} {
		for m := -7.0; m < 7; m += 0.1 {
			anomaly := eccentricAnomaly(m, e)
			assert.InDelta(t, m, anomaly-e*math.Sin(anomaly), 1e-14)
		}
	}
}

func sq(v float64) float64 { return v * v }
