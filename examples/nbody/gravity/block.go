package gravity

import "fmt"

// Lanes divides the stride of every block: the widest vector of any kernel, eight float32, so that no kernel has a
// remainder loop.
const Lanes = 8

// Stride is the number of slots in a block of size particles: size rounded up to a multiple of [Lanes].
func Stride(size int) int { return (size + Lanes - 1) / Lanes * Lanes }

// Points are the positions and masses of one block: all that a force needs to know of its sources, hence all that
// travels between ranks. The four slices have length stride and lie one behind the other in one message:
//
//	message: x₀ … x_s₋₁  y₀ … y_s₋₁  z₀ … z_s₋₁  m₀ … m_s₋₁        s = stride
//
// Slots beyond the block's particles are padding. Their mass is zero, so they attract nobody, and their position is
// finite, so the zero is not spoilt; nobody reads the forces on them.
type Points[F Float] struct {
	X, Y, Z, Mass []F
	message       []F
}

// NewPoints returns room for the points of a block of size particles, all padding.
func NewPoints[F Float](size int) Points[F] { return pointsOf(make([]F, 4*Stride(size))) }

func pointsOf[F Float](message []F) Points[F] {
	s := len(message) / 4
	return Points[F]{
		X: message[0:s:s], Y: message[s : 2*s : 2*s], Z: message[2*s : 3*s : 3*s], Mass: message[3*s : 4*s : 4*s],
		message: message,
	}
}

// Message is the memory of all four slices, 4·stride values: send it, or receive into it.
func (p *Points[F]) Message() []F { return p.message }

// Block is a group of particles as a structure of arrays. Its 7·stride values are one piece of memory, points first:
//
//	All:  Message (x y z mass) | Velocity (vx vy vz)
type Block[F Float] struct {
	Points[F]
	VX, VY, VZ []F
	velocity   []F
	all        []F
	count      int
}

// NewBlock returns an empty block with room for size particles.
func NewBlock[F Float](size int) Block[F] {
	s := Stride(size)
	all := make([]F, 7*s)
	v := all[4*s:]
	return Block[F]{
		Points: pointsOf(all[: 4*s : 4*s]),
		VX:     v[0:s:s], VY: v[s : 2*s : 2*s], VZ: v[2*s : 3*s : 3*s],
		velocity: v, all: all,
	}
}

// Len is the number of particles in b, padding not counted.
func (b *Block[F]) Len() int { return b.count }

// Velocity is the memory of vx, vy and vz, 3·stride values.
func (b *Block[F]) Velocity() []F { return b.velocity }

// All is the memory of the whole block, 7·stride values.
func (b *Block[F]) All() []F { return b.all }

// Fill makes ps the particles of b, rounded to F. It panics if ps does not fit.
func (b *Block[F]) Fill(ps []Particle) {
	if len(ps) > len(b.X) {
		panic(fmt.Sprintf("gravity: %d particles for a block of %d", len(ps), len(b.X)))
	}
	clear(b.all)
	for i, p := range ps {
		b.X[i], b.Y[i], b.Z[i], b.Mass[i] = F(p.X), F(p.Y), F(p.Z), F(p.Mass)
		b.VX[i], b.VY[i], b.VZ[i] = F(p.VX), F(p.VY), F(p.VZ)
	}
	b.count = len(ps)
}

// Append appends the particles of b to ps, in slot order.
func (b *Block[F]) Append(ps []Particle) []Particle {
	for i := range b.count {
		ps = append(ps, Particle{
			X: float64(b.X[i]), Y: float64(b.Y[i]), Z: float64(b.Z[i]), Mass: float64(b.Mass[i]),
			VX: float64(b.VX[i]), VY: float64(b.VY[i]), VZ: float64(b.VZ[i]),
		})
	}
	return ps
}

// Forces accumulates what pulls on one block, per unit of target mass and of G: Σ m_j (r_j − r_i) / (r² + ε²)^(3/2).
// Leaving the target's mass out keeps massless particles (and padding) free of 0/0.
type Forces[F Float] struct {
	X, Y, Z []F
	all     []F
}

// NewForces returns zero forces on a block of size particles.
func NewForces[F Float](size int) Forces[F] {
	return ForcesIn(make([]F, 3*Stride(size)))
}

// ForcesIn returns the forces whose memory is all, laid out as that of [Forces.All].
func ForcesIn[F Float](all []F) Forces[F] {
	s := len(all) / 3
	return Forces[F]{X: all[0:s:s], Y: all[s : 2*s : 2*s], Z: all[2*s : 3*s : 3*s], all: all}
}

// All is the memory of the three slices, 3·stride values.
func (f *Forces[F]) All() []F { return f.all }
