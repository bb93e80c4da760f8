package gravity

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// binaryStar is two stars of mass ½ in a circular orbit of radius ½ about their centre: angular speed 1 with G = 1.
func binaryStar() Block[float64] {
	b := NewBlock[float64](2)
	b.Fill([]Particle{{X: 0.5, VY: 0.5, Mass: 0.5}, {X: -0.5, VY: -0.5, Mass: 0.5}})
	return b
}

func integrate(law Law[float64], b *Block[float64], l Leapfrog[float64]) {
	f := NewForces[float64](len(b.X))
	DriftBlock(b, l.Open())
	for step := range l.Steps {
		law.AddForcesBlock(&f, &b.Points, &b.Points)
		law.UpdateBlock(b, &f, l.Dt, l.Drift(step))
	}
}

func TestLeapfrogIsOfSecondOrder(t *testing.T) {
	law := Law[float64]{G: 1, Kernel: Portable}
	miss := func(steps int) float64 {
		b := binaryStar()
		integrate(law, &b, Leapfrog[float64]{Dt: 2 * math.Pi / float64(steps), Steps: steps})
		return math.Hypot(b.X[0]-0.5, b.Y[0])
	}
	coarse, fine := miss(100), miss(200)
	assert.InDelta(t, 4, coarse/fine, 0.1, "half the step must give a quarter of the error")
	assert.Less(t, coarse, 1e-2)
}

func TestLeapfrogRunsBackwards(t *testing.T) {
	law := Law[float64]{G: 1, Kernel: Portable}
	b := binaryStar()
	there := Leapfrog[float64]{Dt: 0.05, Steps: 400}
	integrate(law, &b, there)
	require.Greater(t, math.Hypot(b.X[0]-0.5, b.Y[0]), 1e-2, "the stars must be elsewhere")
	back := there
	back.Dt = -back.Dt
	integrate(law, &b, back)
	start := binaryStar()
	assert.InDeltaSlice(t, start.All(), b.All(), 1e-11)
}

func TestLeapfrogKeepsEnergyOfAnEccentricOrbit(t *testing.T) {
	law := Law[float64]{G: 1, Kernel: Portable}
	b := binaryStar()
	b.VY[0], b.VY[1] = 0.35, -0.35
	start := law.EnergyOf([]*Block[float64]{&b})
	worst := 0.0
	for range 50 { // about 130 revolutions
		integrate(law, &b, Leapfrog[float64]{Dt: 0.005, Steps: 2000})
		worst = max(worst, math.Abs(law.EnergyOf([]*Block[float64]{&b}).Drift(start)))
	}
	assert.Less(t, worst, 1e-3, "the error must stay bounded, not grow")
}

func TestLeapfrogTimes(t *testing.T) {
	l := Leapfrog[float64]{Dt: 2, Steps: 3}
	now := l.Open()
	for step := range l.Steps {
		now += l.Drift(step)
		assert.Equal(t, now, l.Time(step))
	}
	assert.Equal(t, 6.0, now)
}

func TestUpdateBlockClearsForcesAndSparesPadding(t *testing.T) {
	law := Law[float32]{G: 2, Kernel: Portable}
	b, f := NewBlock[float32](3), NewForces[float32](3)
	b.Fill([]Particle{{X: 1, VX: 1, Mass: 1}})
	for i := range f.All() {
		f.All()[i] = 1
	}
	law.UpdateBlock(&b, &f, 0.5, 0.25)
	assert.Equal(t, []Particle{{X: 1.5, Y: 0.25, Z: 0.25, VX: 2, VY: 1, VZ: 1, Mass: 1}}, b.Append(nil))
	assert.Zero(t, b.X[1])
	assert.Zero(t, b.VX[2])
	assert.NotContains(t, f.All(), float32(1))
}
