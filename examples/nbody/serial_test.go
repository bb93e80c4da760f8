package main

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/examples/nbody/gravity"
	"github.com/gompss/gompss/examples/nbody/initial"
)

func testConfig(t testing.TB, args ...string) *config {
	cfg, err := parseFlags(args, t.Output())
	require.NoError(t, err)
	return cfg
}

func TestSerialIsTheSameInEveryBitEveryTime(t *testing.T) {
	cfg := testConfig(t, "-particles", "333", "-block", "20", "-steps", "10")
	ps := initial.Plummer(333, 1)
	for _, ranks := range []int{1, 3} {
		a, b := serialRun[float32](t, cfg, ranks, ps), serialRun[float32](t, cfg, ranks, ps)
		assert.Equal(t, gravity.Checksum(a), gravity.Checksum(b))
	}
}

// One block meets one block, whoever owns it: the number of ranks cannot matter.
func TestRanksWithoutBlocksChangeNothing(t *testing.T) {
	cfg := testConfig(t, "-init", "solar", "-steps", "50")
	ps := initial.SolarSystem()
	assert.Equal(t, serialRun[float64](t, cfg, 1, ps), serialRun[float64](t, cfg, 5, ps))
}

// The blocked, padded run against the plainest possible one: a slice, two loops, kick and drift written out.
func TestSerialAgreesWithTheTextbook(t *testing.T) {
	cfg := testConfig(t, "-particles", "50", "-block", "7", "-steps", "20", "-dt", "0.01", "-precision", "64", "-kernel", "go")
	ps := initial.Plummer(50, 2)
	want := append([]gravity.Particle(nil), ps...)
	drift := func(t float64) {
		for i := range want {
			p := &want[i]
			p.X, p.Y, p.Z = p.X+p.VX*t, p.Y+p.VY*t, p.Z+p.VZ*t
		}
	}
	for range cfg.steps {
		drift(cfg.dt / 2)
		for i := range want {
			p := &want[i]
			for j, q := range want {
				if i == j {
					continue
				}
				dx, dy, dz := q.X-p.X, q.Y-p.Y, q.Z-p.Z
				w := cfg.dt * q.Mass * math.Pow(dx*dx+dy*dy+dz*dz+cfg.softening*cfg.softening, -1.5)
				p.VX, p.VY, p.VZ = p.VX+w*dx, p.VY+w*dy, p.VZ+w*dz
			}
		}
		drift(cfg.dt / 2)
	}
	assert.Less(t, maxDifference(want, serialRun[float64](t, cfg, 3, ps)), 1e-12)
}

func TestSerialKeepsTheConservedQuantities(t *testing.T) {
	cfg := testConfig(t, "-particles", "500", "-block", "64", "-steps", "200", "-dt", "0.002")
	s, err := newSimulation[float32](cfg, 2, initial.Plummer(500, 3))
	require.NoError(t, err)
	start := s.energy()
	require.NoError(t, runSerial(t.Context(), s))
	assert.InDelta(t, 0, s.energy().Drift(start), 1e-5)
	assert.Less(t, momentum(s.state()), 1e-6)
}

func TestSerialStopsWithTheCause(t *testing.T) {
	cfg := testConfig(t, "-particles", "10")
	s, err := newSimulation[float32](cfg, 1, initial.Plummer(10, 1))
	require.NoError(t, err)
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	assert.ErrorIs(t, runSerial(ctx, s), why)
}

func TestStateKeepsTheOrderOfTheParticles(t *testing.T) {
	ps := initial.Plummer(101, 4)
	for _, ranks := range []int{1, 4, 40} {
		s, err := newSimulation[float64](testConfig(t, "-block", "8"), ranks, ps)
		require.NoError(t, err)
		assert.Equal(t, ps, s.state())
		assert.Len(t, s.newRemote(), s.largest())
	}
}

func TestParticlesMustFitThePrecision(t *testing.T) {
	ps := []gravity.Particle{{X: 1}, {VY: 1e300}}
	_, err := newSimulation[float32](testConfig(t), 1, ps)
	assert.EqualError(t, err, "particle 1: 1e+300 does not fit float32: use -precision 64")
	_, err = newSimulation[float64](testConfig(t), 1, ps)
	assert.NoError(t, err)
}
