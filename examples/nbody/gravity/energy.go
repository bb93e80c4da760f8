package gravity

import "math"

// Energy of all particles, in mass·length²/time².
type Energy struct{ Kinetic, Potential float64 }

// Total is what an exact integration keeps constant.
func (e Energy) Total() float64 { return e.Kinetic + e.Potential }

// Drift is the relative change of the total from start to e. It is relative to the kinetic plus the absolute potential
// energy if the total itself is zero.
func (e Energy) Drift(start Energy) float64 {
	scale := math.Abs(start.Total())
	if scale == 0 {
		scale = start.Kinetic + math.Abs(start.Potential)
	}
	if scale == 0 {
		return 0
	}
	return (e.Total() - start.Total()) / scale
}

// EnergyOf computes the energy of all particles in blocks, O(n²) work on the calling goroutine, in float64 with
// compensated summation. Its parts are exported for those who spread them over tasks: any order of adding the values of
// [Law.PotentialBlock] for i ≤ j and of [KineticBlock] is as good.
func (l *Law[F]) EnergyOf(blocks []*Block[F]) Energy {
	var kinetic, potential sum
	for i, b := range blocks {
		kinetic.add(KineticBlock(b))
		for _, other := range blocks[i:] {
			potential.add(l.PotentialBlock(b, other))
		}
	}
	return Energy{Kinetic: kinetic.value(), Potential: potential.value()}
}

// KineticBlock is ½ Σ m v² over the particles of b.
func KineticBlock[F Float](b *Block[F]) float64 {
	var s sum
	for i := range b.count {
		vx, vy, vz := float64(b.VX[i]), float64(b.VY[i]), float64(b.VZ[i])
		s.add(float64(b.Mass[i]) * (vx*vx + vy*vy + vz*vz) / 2)
	}
	return s.value()
}

// PotentialBlock is −G Σ m_i m_j / √(r² + ε²) over the pairs of one particle of a and one of b; if a and b are the same
// block, over its pairs, each counted once. Coincident pairs, which feel no force, have no energy either.
func (l *Law[F]) PotentialBlock(a, b *Block[F]) float64 {
	softening := float64(l.Softening)
	softening2 := softening * softening
	least := float64(coincident[F]())
	var s sum
	for i := range a.count {
		x, y, z := float64(a.X[i]), float64(a.Y[i]), float64(a.Z[i])
		first := 0
		if a == b {
			first = i + 1
		}
		var row float64
		for j := first; j < b.count; j++ {
			dx, dy, dz := float64(b.X[j])-x, float64(b.Y[j])-y, float64(b.Z[j])-z
			if r2 := dx*dx + dy*dy + dz*dz + softening2; r2 > least {
				row += float64(b.Mass[j]) / math.Sqrt(r2)
			}
		}
		s.add(float64(a.Mass[i]) * row)
	}
	return -float64(l.G) * s.value()
}
