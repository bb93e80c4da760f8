package gravity

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestBlockIsOnePieceOfMemoryPointsFirst(t *testing.T) {
	b := NewBlock[float32](5)
	for i := range b.All() {
		b.All()[i] = float32(i)
	}
	s := Stride(5)
	assert.Equal(t, 8, s)
	for i, part := range [][]float32{b.X, b.Y, b.Z, b.Mass, b.VX, b.VY, b.VZ} {
		assert.Equal(t, b.All()[i*s:(i+1)*s], part)
		assert.Equal(t, s, cap(part), "a slice must not grow into its neighbour")
	}
	assert.Equal(t, b.All()[:4*s], b.Message())
	assert.Equal(t, b.All()[4*s:], b.Velocity())
	assert.Same(t, &b.All()[0], &b.Message()[0])
	assert.Same(t, &b.All()[4*s], &b.Velocity()[0])
}

func TestStride(t *testing.T) {
	for size, want := range map[int]int{0: 0, 1: 8, 8: 8, 9: 16, 1024: 1024} {
		assert.Equal(t, want, Stride(size), "size %d", size)
	}
}

func TestBlockKeepsParticlesInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	full := randomBlock[float64](rng, 12, 12)
	ps := full.Append(nil)
	b := NewBlock[float64](12)
	b.Fill(ps)
	b.Fill(ps[:10]) // what was there before must become padding again
	assert.Equal(t, 10, b.Len())
	assert.Equal(t, ps[:10], b.Append(nil))
	assert.Zero(t, b.Mass[10])
	assert.Zero(t, b.VX[11])
	assert.Panics(t, func() { b.Fill(make([]Particle, 17)) })
}
