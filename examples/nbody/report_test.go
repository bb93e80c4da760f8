package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gompss/gompss/examples/nbody/gravity"
)

func aResult(ranks, workers int, elapsed time.Duration) *result {
	return &result{
		ranks: ranks, workers: workers, cores: ranks * workers, elapsed: elapsed, steps: 10, interactions: 1e9,
		start: gravity.Energy{Kinetic: 1, Potential: -2}, end: gravity.Energy{Kinetic: 1, Potential: -2.001}, checksum: 0xabc,
	}
}

func TestPrintResult(t *testing.T) {
	r := aResult(4, 2, 2*time.Second)
	r.check = &comparison{difference: 1e-6, bound: 2e-6}
	r.orbits = &orbits{planets: []*orbit{{name: "Earth", revolutions: 2, returned: 730.5}, {name: "Jupiter"}}}
	var out strings.Builder
	printResult(&out, r)
	assert.Equal(t, `ranks × workers  4 × 2
time             2.000 s
speed            10.00 GFLOP/s, 5.0 steps/s
energy           -1 → -1.001
energy drift     -1.00e-03
momentum         0.00e+00
checksum         0000000000000abc
Earth            sidereal period 365.250 d (mean of 2)
check            ok: 1.0e-06 of the scale from the serial run on one rank, 2.0e-06 allowed
`, out.String())
}

func TestPrintSweep(t *testing.T) {
	results := []*result{aResult(1, 1, 4*time.Second), aResult(2, 1, 2*time.Second), aResult(4, 1, 2*time.Second)}
	results[1].check = &comparison{bound: 1}
	results[2].check = &comparison{difference: 2, bound: 1}
	var out strings.Builder
	printSweep(&out, results)
	assert.Equal(t, `  ranks  workers  time s  GFLOP/s  efficiency  energy drift          checksum
      1        1   4.000     5.00       100 %     -1.00e-03  0000000000000abc
      2        1   2.000    10.00       100 %     -1.00e-03  0000000000000abc
      4        1   2.000    10.00        50 %     -1.00e-03  0000000000000abc
check with 2 ranks: same bits as the serial run
check with 4 ranks: FAILED: 2.0e+00 of the scale from the serial run on one rank, only 1.0e+00 allowed
`, out.String())
}

func TestMomentumIsRelative(t *testing.T) {
	assert.Equal(t, 0.5, momentum([]gravity.Particle{{VX: 3, Mass: 1}, {VX: -1, Mass: 1}}))
	assert.Zero(t, momentum([]gravity.Particle{{Mass: 1}}))
}
