// Package gravity is the physics of the n-body example: blocks of particles, the all-pairs force on them, the leapfrog
// step and the energy. It knows nothing of tasks, ranks or files, so every parallel form of the program uses the same
// pieces in the same order and can be compared with the serial one bit by bit.
//
// The model is n point masses under softened Newtonian gravity (Plummer softening, length ε):
//
//	a_i = G · Σ_j m_j · (r_j − r_i) / (|r_j − r_i|² + ε²)^(3/2)
//
// Units are the caller's: G fixes how length, mass and time go together ([Law]). Arithmetic is in F, float32 or
// float64; energies and other diagnostics are always float64.
//
// A step is the symplectic leapfrog in its drift-kick-drift form (see [Leapfrog]).
package gravity

// Float is the precision of positions, velocities, masses and forces.
type Float interface{ float32 | float64 }

// A Particle is one body outside the blocks: what files, initial conditions and comparisons deal in.
type Particle struct {
	X, Y, Z    float64 // position
	VX, VY, VZ float64 // velocity
	Mass       float64 // not negative; zero is a test particle, which feels gravity and causes none
}
