package gravity

import (
	"encoding/binary"
	"hash/fnv"
	"math"
)

// CentreOfMass returns the total mass of ps and, as a [Particle] of that mass, the position and velocity of its centre.
// Its velocity times mass is the total momentum. Without any mass all is zero. Products are rounded before they are
// added (see [Law.UpdateBlock]), because initial conditions depend on the bits.
func CentreOfMass(ps []Particle) Particle {
	var m, x, y, z, vx, vy, vz sum
	for _, p := range ps {
		m.add(p.Mass)
		x.add(float64(p.Mass * p.X))
		y.add(float64(p.Mass * p.Y))
		z.add(float64(p.Mass * p.Z))
		vx.add(float64(p.Mass * p.VX))
		vy.add(float64(p.Mass * p.VY))
		vz.add(float64(p.Mass * p.VZ))
	}
	total := m.value()
	if total == 0 {
		return Particle{}
	}
	return Particle{
		X: x.value() / total, Y: y.value() / total, Z: z.value() / total,
		VX: vx.value() / total, VY: vy.value() / total, VZ: vz.value() / total,
		Mass: total,
	}
}

// Centre moves ps into the frame whose origin is their centre of mass and in which they have no net momentum.
func Centre(ps []Particle) {
	c := CentreOfMass(ps)
	for i := range ps {
		p := &ps[i]
		p.X, p.Y, p.Z = p.X-c.X, p.Y-c.Y, p.Z-c.Z
		p.VX, p.VY, p.VZ = p.VX-c.VX, p.VY-c.VY, p.VZ-c.VZ
	}
}

// Scales returns the root mean square distance and speed of ps in the frame of their centre of mass, every particle
// counting the same: the natural units of length and velocity for comparing two states.
func Scales(ps []Particle) (length, speed float64) {
	c := CentreOfMass(ps)
	var r2, v2 sum
	for _, p := range ps {
		r2.add(square(p.X-c.X, p.Y-c.Y, p.Z-c.Z))
		v2.add(square(p.VX-c.VX, p.VY-c.VY, p.VZ-c.VZ))
	}
	n := math.Max(1, float64(len(ps)))
	return math.Sqrt(r2.value() / n), math.Sqrt(v2.value() / n)
}

func square(x, y, z float64) float64 { return x*x + y*y + z*z }

// Checksum is the 64-bit FNV-1a hash of the bit patterns of ps in order: equal for equal bits, on every machine.
func Checksum(ps []Particle) uint64 {
	h := fnv.New64a()
	var buf [7 * 8]byte
	for _, p := range ps {
		for i, v := range [...]float64{p.X, p.Y, p.Z, p.VX, p.VY, p.VZ, p.Mass} {
			binary.LittleEndian.PutUint64(buf[8*i:], math.Float64bits(v))
		}
		h.Write(buf[:])
	}
	return h.Sum64()
}
