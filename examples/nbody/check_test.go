package main

import (
	"context"
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/examples/nbody/gravity"
	"github.com/gompss/gompss/examples/nbody/initial"
)

func TestMaxDifference(t *testing.T) {
	a := []gravity.Particle{{X: 3, VY: 2, Mass: 1}, {X: -3, VY: -2, Mass: 1}} // both scales known: 3 and 2
	b := []gravity.Particle{a[0], a[1]}
	assert.Zero(t, maxDifference(a, b))
	b[1].Z = 0.3
	assert.InDelta(t, 0.1, maxDifference(a, b), 1e-15)
	b[0].VX = 0.4
	assert.InDelta(t, 0.2, maxDifference(a, b), 1e-15)
	b[0].Mass = 2
	assert.Equal(t, math.Inf(1), maxDifference(a, b))
	b = []gravity.Particle{a[0], a[1]}
	b[0].X = math.NaN()
	assert.Equal(t, math.Inf(1), maxDifference(a, b))
	assert.Equal(t, math.Inf(1), maxDifference(a, a[:1]))
	rest := []gravity.Particle{{}}
	assert.Zero(t, maxDifference(rest, rest), "no scale, but no difference either")
}

// serialRun returns the final particles of a serial run.
func serialRun[F gravity.Float](t testing.TB, cfg *config, ranks int, ps []gravity.Particle) []gravity.Particle {
	s, err := newSimulation[F](cfg, ranks, ps)
	require.NoError(t, err)
	require.NoError(t, runSerial(context.Background(), s))
	return s.state()
}

// disturbedRun is a serial run in which the last block does not pull on the first one in the middle step: the mistake
// that a missing dependency or a lost message would make.
func disturbedRun[F gravity.Float](t testing.TB, cfg *config, ps []gravity.Particle) []gravity.Particle {
	s, err := newSimulation[F](cfg, 1, ps)
	require.NoError(t, err)
	sh := s.shares[0]
	for i := range sh.blocks {
		s.openBlock(&sh.blocks[i])
	}
	for step := range cfg.steps {
		for i := range sh.blocks {
			for j := range sh.blocks {
				if step != cfg.steps/2 || i != 0 || j != len(sh.blocks)-1 {
					s.calculateForcesBlock(&sh.forces[i], &sh.blocks[i].Points, &sh.blocks[j].Points)
				}
			}
		}
		for i := range sh.blocks {
			s.updateParticlesBlock(sh, i, step)
		}
	}
	return s.state()
}

func TestAllowedDifference(t *testing.T) {
	kernel, err := gravity.ParseKernel("auto")
	require.NoError(t, err)
	for _, c := range []struct {
		start           string
		n, block, steps int
		dt              float64
		detects         bool // the run is short enough for one missing force to stand out
	}{
		{"plummer", 300, 16, 20, 0.01, true},
		{"plummer", 300, 64, 200, 0.01, false},
		{"plummer", 600, 50, 100, 0.002, true},
		{"random", 300, 16, 20, 0.01, true},
		{"random", 300, 64, 200, 0.01, false}, // collapses and is chaotic
		{"random", 700, 100, 30, 0.002, true},
	} {
		for seed := range uint64(2) {
			cfg := &config{
				start: c.start, particles: c.n, block: c.block, steps: c.steps, dt: c.dt, seed: seed,
				g: 1, softening: 0.01, kernel: kernel,
			}
			t.Run(fmt.Sprintf("%s/n=%d/steps=%d/seed=%d", c.start, c.n, c.steps, seed), func(t *testing.T) {
				t.Parallel()
				testAllowedDifference[float32](t, *cfg, c.detects)
				testAllowedDifference[float64](t, *cfg, c.detects)
			})
		}
	}
}

func testAllowedDifference[F gravity.Float](t *testing.T, cfg config, detects bool) {
	cfg.precision = int(8 * unsafe.Sizeof(F(0)))
	ps, err := load(&cfg)
	require.NoError(t, err)
	reference, allowed, err := newReference[F](t.Context(), &cfg, ps)
	require.NoError(t, err)
	for _, ranks := range []int{2, 5} {
		difference := maxDifference(reference, serialRun[F](t, &cfg, ranks, ps))
		assert.NotZero(t, difference, "another order must round differently, or this tests nothing")
		assert.LessOrEqual(t, difference, allowed, "%d ranks, float%d", ranks, cfg.precision)
	}
	if detects {
		assert.Greater(t, maxDifference(reference, disturbedRun[F](t, &cfg, ps)), allowed, "float%d", cfg.precision)
	}
}

func TestRoundingErrorGrowsWithStepsAndTime(t *testing.T) {
	ps := initial.Plummer(100, 1)
	cfg := config{precision: 64, block: 10, steps: 100, dt: 0, g: 1}
	assert.InEpsilon(t, 10*0x1p-53, roundingError(&cfg, ps), 1e-12, "without time only the updates round")
	cfg.precision = 32
	assert.InEpsilon(t, 10*0x1p-24, roundingError(&cfg, ps), 1e-12)
	still := roundingError(&cfg, ps)
	cfg.dt = 0.1
	assert.Greater(t, roundingError(&cfg, ps), 2*still)
	assert.Positive(t, roundingError(&cfg, []gravity.Particle{{Mass: 1}}), "one particle has no scale")
}
