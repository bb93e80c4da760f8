package gravity

// Leapfrog is the second-order symplectic scheme in its drift-kick-drift form. One step of length dt is
//
//	x ← x + v·dt/2        a ← forces at x        v ← v + a·dt        x ← x + v·dt/2
//
// The half drift that closes a step and the one that opens the next have the same velocity and are taken as one. A run
// is then: [Leapfrog.Open] once, and in each step the forces, then [Law.UpdateBlock].
//
// Why this form and not kick-drift-kick: s steps need exactly s force evaluations with nothing special before or after
// the loop but a half drift, which no neighbour takes part in; and at the end positions and velocities belong to the
// same time. Both forms are time-symmetric and symplectic, with an energy error that oscillates as dt² and does not
// grow.
type Leapfrog[F Float] struct {
	Dt    F   // length of a step
	Steps int // of the whole run
}

// Open is the time of the drift before the first step.
func (l Leapfrog[F]) Open() F { return l.Dt / 2 }

// Drift is the time of the drift after the kick of step, 0 ≤ step < Steps: a whole dt between two kicks, half after the
// last.
func (l Leapfrog[F]) Drift(step int) F {
	if step == l.Steps-1 {
		return l.Dt / 2
	}
	return l.Dt
}

// Time is when the positions that follow the kick of step are valid, counted from the start of the run.
func (l Leapfrog[F]) Time(step int) float64 {
	if step == l.Steps-1 {
		return float64(l.Steps) * float64(l.Dt)
	}
	return (float64(step) + 1.5) * float64(l.Dt)
}

// DriftBlock moves the particles of b along their velocities for a time dt.
func DriftBlock[F Float](b *Block[F], dt F) {
	for i := range b.count {
		b.X[i] += F(b.VX[i] * dt)
		b.Y[i] += F(b.VY[i] * dt)
		b.Z[i] += F(b.VZ[i] * dt)
	}
}

// UpdateBlock kicks the particles of b with the accumulated forces for a time kick, moves them for a time drift, and
// leaves the forces zero for the next step. Like the portable kernel it rounds every product.
func (l *Law[F]) UpdateBlock(b *Block[F], forces *Forces[F], kick, drift F) {
	g := l.G * kick
	for i := range b.count {
		b.VX[i] += F(g * forces.X[i])
		b.VY[i] += F(g * forces.Y[i])
		b.VZ[i] += F(g * forces.Z[i])
	}
	DriftBlock(b, drift)
	clear(forces.all)
}
