package gravity

import "fmt"

// Law is the force between two points and the machine code that computes it.
type Law[F Float] struct {
	G         F // gravitational constant in the caller's units of length³/(mass·time²)
	Softening F // Plummer softening ε, a length; 0 is Newton's law
	Kernel    Kernel
}

// InteractionFlops is what one pair counts for in GFLOP/s figures, the usual convention for gravity: 3 differences, 6 for
// r² + ε², a square root, a division, 3 products for m/r³, 6 to accumulate. Vector units issue a few more or less. n
// particles count as n² pairs, each particle's with itself included and padding left out.
const InteractionFlops = 20

// coincident is the r² + ε² up to which two points count as being in the same place and do not pull on each other. It
// takes care of a particle meeting itself without softening, and it is not zero because the cube of 1/r must stay far
// from overflow: an infinite weight times a zero component would be NaN. It stands for 2⁻³⁰ length units in float32 and
// 2⁻²⁰⁰ in float64, below the spacing of coordinates of the order of 1.
func coincident[F Float]() F {
	if is32[F]() {
		return 0x1p-60
	}
	tiny := 0x1p-400 // a variable, because as a constant it would have to fit float32
	return F(tiny)
}

func is32[F Float]() bool {
	_, ok := any(F(0)).(float32)
	return ok
}

// AddForcesBlock adds to forces the pull of sources on targets; the two may be the same points.
//
// Each target's sum over the sources runs in slot order, starts from zero and is then added to forces. So the result
// for a target depends on the sequence of source blocks and on nothing else, and the rounding error grows with the
// block size plus the number of blocks instead of with the number of particles: at most
//
//	(stride + blocks + 12) · u · Σ_j |f_j|        u = 2⁻²⁴ or 2⁻⁵³
//
// per component, in practice near the square root of the factor. All blocks must have the same stride.
func (l *Law[F]) AddForcesBlock(forces *Forces[F], targets, sources *Points[F]) {
	if len(targets.message) != len(sources.message) || 4*len(forces.all) != 3*len(targets.message) {
		panic(fmt.Sprintf("gravity: blocks of different stride: forces %d, targets %d, sources %d",
			len(forces.all)/3, len(targets.message)/4, len(sources.message)/4))
	}
	if len(sources.message) == 0 {
		return
	}
	softening2 := l.Softening * l.Softening
	if l.Kernel == AVX2 {
		// Assembly is invisible to the race detector, so its reads and writes are reported here.
		raceRead(targets.message)
		raceRead(sources.message)
		raceWrite(forces.all)
		addForcesAVX2(forces.all, targets.message, sources.message, softening2)
		return
	}
	addForcesGo(forces, targets, sources, softening2)
}
