package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/examples/nbody/gravity"
	"github.com/gompss/gompss/examples/nbody/initial"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
)

// inAnyOrder is what runFor would use if it did not promise the same bits in every run.
func inAnyOrder[F gravity.Float](forces []F) deps.Access { return reduce.SumSlice(forces) }

func runForInAnyOrder[F gravity.Float](ctx context.Context, s *simulation[F]) error {
	return s.onRanks(ctx, func(n *nbody[F], t *tasks.Task) { n.solveShared(t, n.exchangeIwait, inAnyOrder[F]) })
}

func TestForcesInAnyOrderAreWithinTheRounding(t *testing.T) {
	cfg := testConfig(t, "-particles", "300", "-block", "16", "-steps", "10", "-workers", "3")
	ps := initial.Plummer(300, 6)
	reference, allowed, err := newReference[float32](t.Context(), cfg, ps)
	require.NoError(t, err)
	for _, ranks := range []int{1, 2, 5} {
		s, err := newSimulation[float32](cfg, ranks, ps)
		require.NoError(t, err)
		require.NoError(t, runForInAnyOrder(t.Context(), s))
		assert.LessOrEqual(t, maxDifference(reference, s.state()), allowed, "%d ranks", ranks)
	}
}

func TestSweepOfTheForForm(t *testing.T) {
	status, stdout, stderr := command(t, "-form", "for", "-sweep", "1,2,5", "-particles", "200", "-block", "16", "-steps", "3", "-check")
	assert.Zero(t, status, stderr)
	for _, ranks := range []string{"1", "2", "5"} {
		assert.Regexp(t, `check with `+ranks+` ranks: (ok|same bits)`, stdout)
	}
}

// What it costs to add forces up in the order of the program, and what tasks for pairs of blocks cost instead.
func BenchmarkForces(b *testing.B) {
	const particles, steps = 4096, 5
	ps := initial.Plummer(particles, 1)
	for _, block := range []string{"64", "256"} {
		cfg := testConfig(b, "-particles", fmt.Sprint(particles), "-block", block, "-steps", fmt.Sprint(steps), "-workers", "2")
		for _, form := range []struct {
			name    string
			program form[float32]
		}{
			{"pairs", runTampiIwait[float32]},
			{"ordered", runFor[float32]},
			{"any order", runForInAnyOrder[float32]},
		} {
			b.Run(fmt.Sprintf("block=%s/%s", block, form.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					s, err := newSimulation[float32](cfg, 1, ps)
					require.NoError(b, err)
					require.NoError(b, form.program(b.Context(), s))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1e6/float64(b.N*steps), "ms/step")
			})
		}
	}
}
