package gravity

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func kernels(tb testing.TB) []Kernel {
	if !hasAVX2 {
		tb.Log("no AVX2 with FMA here: only the portable kernel is tested")
		return []Kernel{Portable}
	}
	return []Kernel{Portable, AVX2}
}

func unitRoundoff[F Float]() float64 {
	if is32[F]() {
		return 0x1p-24
	}
	return 0x1p-53
}

// randomBlock is n particles in a unit cube, rounded to F, in a block with room for size.
func randomBlock[F Float](rng *rand.Rand, n, size int) Block[F] {
	ps := make([]Particle, n)
	for i := range ps {
		p := &ps[i]
		for _, v := range []*float64{&p.X, &p.Y, &p.Z, &p.VX, &p.VY, &p.VZ} {
			*v = 2*rng.Float64() - 1
		}
		p.Mass = rng.Float64()
	}
	b := NewBlock[F](size)
	b.Fill(ps)
	return b
}

// widen is b in float64, value by value.
func widen[F Float](b *Block[F]) Block[float64] {
	w := NewBlock[float64](len(b.X))
	w.Fill(b.Append(nil))
	return w
}

// pull is the sum of the absolute contributions to each component of the force on (x, y, z): what rounding errors of
// the sum are relative to.
func pull(s *Block[float64], x, y, z, softening float64) (px, py, pz float64) {
	for j := range s.Len() {
		dx, dy, dz := s.X[j]-x, s.Y[j]-y, s.Z[j]-z
		r2 := dx*dx + dy*dy + dz*dz + softening*softening
		if r2 > 0 {
			w := s.Mass[j] / (r2 * math.Sqrt(r2))
			px, py, pz = px+w*math.Abs(dx), py+w*math.Abs(dy), pz+w*math.Abs(dz)
		}
	}
	return px, py, pz
}

func TestForcesMatchFloat64WithinTheStatedBound(t *testing.T) {
	t.Run("float32", testForceBound[float32])
	t.Run("float64", testForceBound[float64])
}

func testForceBound[F Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, kernel := range kernels(t) {
		for _, n := range []int{1, 7, 8, 9, 64, 250} {
			for _, softening := range []F{0, 0.01} {
				law := Law[F]{G: 1, Softening: softening, Kernel: kernel}
				exact := Law[float64]{G: 1, Softening: float64(softening), Kernel: Portable}
				targets, near := randomBlock[F](rng, n, n+3), randomBlock[F](rng, n/2+1, n+3)
				forces, want := NewForces[F](n+3), NewForces[float64](n+3)
				wt := widen(&targets)
				for _, sources := range []*Block[F]{&targets, &near} { // first the block itself: i meets i
					ws := widen(sources)
					law.AddForcesBlock(&forces, &targets.Points, &sources.Points)
					exact.AddForcesBlock(&want, &wt.Points, &ws.Points)
				}
				wn := widen(&near)
				bound := float64(Stride(n+3)+2+12) * unitRoundoff[F]()
				for i := range n {
					ax, ay, az := pull(&wt, wt.X[i], wt.Y[i], wt.Z[i], float64(softening))
					bx, by, bz := pull(&wn, wt.X[i], wt.Y[i], wt.Z[i], float64(softening))
					msg := fmt.Sprintf("%s n=%d softening=%v target %d", kernel, n, softening, i)
					require.InDelta(t, want.X[i], float64(forces.X[i]), bound*(ax+bx), msg)
					require.InDelta(t, want.Y[i], float64(forces.Y[i]), bound*(ay+by), msg)
					require.InDelta(t, want.Z[i], float64(forces.Z[i]), bound*(az+bz), msg)
				}
			}
		}
	}
}

// One pair has no sum to hide in: what is left is the accuracy of m/r³ itself, at all distances the kernels accept.
func TestOnePairIsAccurateAtEveryDistance(t *testing.T) {
	t.Run("float32", func(t *testing.T) { testPair[float32](t, -29, 20) })
	t.Run("float64", func(t *testing.T) { testPair[float64](t, -199, 200) })
}

func testPair[F Float](t *testing.T, least, most int) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, kernel := range kernels(t) {
		law := Law[F]{G: 1, Kernel: kernel}
		worst := 0.0
		for exponent := least; exponent <= most; exponent++ {
			for range 200 {
				d := F(math.Ldexp(1+rng.Float64(), exponent))
				b, f := NewBlock[F](2), NewForces[F](2)
				b.Fill([]Particle{{Mass: 1}, {X: float64(d), Mass: 1}})
				law.AddForcesBlock(&f, &b.Points, &b.Points)
				want := 1 / (float64(d) * float64(d))
				worst = math.Max(worst, math.Abs(float64(f.X[0])/want-1))
				require.Equal(t, f.X[0], -f.X[1], "%s: action and reaction at %v", kernel, d)
			}
		}
		t.Logf("%s: worst relative error %.1f u", kernel, worst/unitRoundoff[F]())
		assert.LessOrEqual(t, worst, 8*unitRoundoff[F](), "%s", kernel)
	}
}

func TestCoincidentParticlesAndPaddingPullNobody(t *testing.T) {
	t.Run("float32", testCoincident[float32])
	t.Run("float64", testCoincident[float64])
}

func testCoincident[F Float](t *testing.T) {
	for _, kernel := range kernels(t) {
		for _, softening := range []F{0, 1e-3} {
			law := Law[F]{G: 1, Softening: softening, Kernel: kernel}
			for _, at := range []float64{0, 1, 1e-12, 1e10} { // 0 is where the padding is, too
				b, f := NewBlock[F](5), NewForces[F](5)
				b.Fill([]Particle{{X: at, Mass: 3}, {X: at, Mass: 4}, {X: at}})
				law.AddForcesBlock(&f, &b.Points, &b.Points)
				for i, v := range f.All() {
					if slot := i % Stride(5); slot < b.Len() { // forces on padding are nobody's
						assert.Zero(t, v, "%s softening=%v at=%v value %d", kernel, softening, at, i)
					}
					assert.False(t, v != v, "%s softening=%v at=%v value %d is NaN", kernel, softening, at, i)
				}
			}
		}
	}
}

// Distances around the threshold must give a finite force or none, never NaN, although r³ leaves the range of F.
func TestNoNaNAtAnyDistance(t *testing.T) {
	t.Run("float32", func(t *testing.T) { testFinite[float32](t, -149) })
	t.Run("float64", func(t *testing.T) { testFinite[float64](t, -1074) })
}

func testFinite[F Float](t *testing.T, least int) {
	for _, kernel := range kernels(t) {
		law := Law[F]{G: 1, Kernel: kernel}
		for exponent := least; exponent <= 0; exponent++ {
			b, f := NewBlock[F](2), NewForces[F](2)
			b.Fill([]Particle{{Mass: 1e6}, {Y: math.Ldexp(1, exponent), Mass: 1e6}})
			law.AddForcesBlock(&f, &b.Points, &b.Points)
			for _, v := range f.All() {
				require.False(t, math.IsNaN(float64(v)) || math.IsInf(float64(v), 0), "%s at 2^%d: %v", kernel, exponent, v)
			}
		}
	}
}

func TestForcesAddUpAndDependOnNothingElse(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, kernel := range kernels(t) {
		law := Law[float32]{G: 1, Softening: 0.01, Kernel: kernel}
		a, b := randomBlock[float32](rng, 40, 40), randomBlock[float32](rng, 33, 40)
		once, again, first := NewForces[float32](40), NewForces[float32](40), NewForces[float32](40)
		law.AddForcesBlock(&once, &a.Points, &a.Points)
		copy(first.All(), once.All())
		law.AddForcesBlock(&once, &a.Points, &b.Points)

		received := NewPoints[float32](40) // as the other side of a message sees b
		copy(received.Message(), b.Message())
		law.AddForcesBlock(&again, &a.Points, &a.Points)
		law.AddForcesBlock(&again, &a.Points, &received)
		assert.Equal(t, once.All(), again.All())
		assert.NotEqual(t, first.All(), once.All())
	}
}

func TestForcesRefuseBlocksOfDifferentStride(t *testing.T) {
	law := Law[float64]{G: 1, Kernel: Portable}
	small, large, f := NewPoints[float64](8), NewPoints[float64](9), NewForces[float64](8)
	assert.PanicsWithValue(t, "gravity: blocks of different stride: forces 8, targets 8, sources 16",
		func() { law.AddForcesBlock(&f, &small, &large) })
}

func TestForcesDoNotAllocate(t *testing.T) {
	for _, kernel := range kernels(t) {
		law := Law[float32]{G: 1, Kernel: kernel}
		b, f := NewBlock[float32](8), NewForces[float32](8)
		assert.Zero(t, testing.AllocsPerRun(10, func() { law.AddForcesBlock(&f, &b.Points, &b.Points) }))
	}
}

func BenchmarkForces(b *testing.B) {
	b.Run("precision=32", benchmarkForces[float32])
	b.Run("precision=64", benchmarkForces[float64])
}

func benchmarkForces[F Float](b *testing.B) {
	for _, kernel := range kernels(b) {
		for _, size := range []int{64, 256, 1024} {
			b.Run(fmt.Sprintf("kernel=%s/block=%d", kernel, size), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(7, 8))
				law := Law[F]{G: 1, Softening: 0.01, Kernel: kernel}
				t, s := randomBlock[F](rng, size, size), randomBlock[F](rng, size, size)
				f := NewForces[F](size)
				for b.Loop() {
					law.AddForcesBlock(&f, &t.Points, &s.Points)
				}
				pairs := float64(size) * float64(size) * float64(b.N)
				b.ReportMetric(pairs*InteractionFlops/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
			})
		}
	}
}
