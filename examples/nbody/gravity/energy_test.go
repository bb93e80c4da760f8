package gravity

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEnergyOfABinary(t *testing.T) {
	law := Law[float64]{G: 3, Kernel: Portable}
	b := binaryStar()
	e := law.EnergyOf([]*Block[float64]{&b})
	assert.Equal(t, Energy{Kinetic: 0.125, Potential: -0.75}, e)

	law.Softening = math.Sqrt(3)
	assert.InEpsilon(t, -0.375, law.EnergyOf([]*Block[float64]{&b}).Potential, 1e-15)
}

func TestEnergyDoesNotDependOnTheBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	law := Law[float64]{G: 1, Softening: 0.05}
	whole := randomBlock[float64](rng, 50, 50)
	ps := whole.Append(nil)
	var parts []*Block[float64]
	for lo := 0; lo < len(ps); lo += 12 {
		b := NewBlock[float64](12)
		b.Fill(ps[lo:min(lo+12, len(ps))])
		parts = append(parts, &b)
	}
	one, many := law.EnergyOf([]*Block[float64]{&whole}), law.EnergyOf(parts)
	assert.InEpsilon(t, one.Kinetic, many.Kinetic, 1e-15)
	assert.InEpsilon(t, one.Potential, many.Potential, 1e-14)
}

func TestEnergyDrift(t *testing.T) {
	start := Energy{Kinetic: 1, Potential: -3}
	assert.Equal(t, 0.5, Energy{Kinetic: 2, Potential: -3}.Drift(start))
	assert.Equal(t, 0.25, Energy{Kinetic: 1.5, Potential: -1}.Drift(Energy{Kinetic: 1, Potential: -1}))
	assert.Zero(t, Energy{}.Drift(Energy{}))
}

func TestSumKeepsWhatPlainAdditionLoses(t *testing.T) {
	var s sum
	plain := 0.0
	for _, v := range []float64{1, 1e100, 1, -1e100} {
		s.add(v)
		plain += v
	}
	assert.Zero(t, plain)
	assert.Equal(t, 2.0, s.value())
}

func TestCentreRemovesMomentum(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	b := randomBlock[float64](rng, 100, 100)
	ps := b.Append(nil)
	mass := CentreOfMass(ps).Mass
	Centre(ps)
	c := CentreOfMass(ps)
	assert.Equal(t, mass, c.Mass)
	for _, v := range []float64{c.X, c.Y, c.Z, c.VX, c.VY, c.VZ} {
		assert.InDelta(t, 0, v, 1e-15)
	}
	assert.Zero(t, CentreOfMass([]Particle{{X: 1}}), "no mass, no centre")
}

func TestScales(t *testing.T) {
	length, speed := Scales([]Particle{{X: 2, VY: 3, Mass: 1}, {X: 6, VY: 11, Mass: 1}})
	assert.Equal(t, 2.0, length)
	assert.Equal(t, 4.0, speed)
}

func TestChecksumSeesEveryBitAndTheOrder(t *testing.T) {
	b := randomBlock[float64](rand.New(rand.NewPCG(3, 9)), 3, 3)
	ps := b.Append(nil)
	was := Checksum(ps)
	assert.Equal(t, was, Checksum(b.Append(nil)))
	for _, change := range []func(*Particle) *float64{
		func(p *Particle) *float64 { return &p.X }, func(p *Particle) *float64 { return &p.VZ },
		func(p *Particle) *float64 { return &p.Mass },
	} {
		v := change(&ps[1])
		old := *v
		*v = math.Nextafter(old, 2*old)
		assert.NotEqual(t, was, Checksum(ps))
		*v = old
	}
	ps[0], ps[1] = ps[1], ps[0]
	assert.NotEqual(t, was, Checksum(ps))
	assert.Equal(t, uint64(0xcbf29ce484222325), Checksum(nil), "the offset basis of FNV-1a")
}
