package main

import (
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/examples/nbody/initial"
)

func TestDefaults(t *testing.T) {
	cfg := testConfig(t)
	assert.Equal(t, []int{4}, cfg.rankCounts())
	assert.Equal(t, "plummer", cfg.origin())
	assert.Equal(t, 8192, cfg.particles)
	assert.Equal(t, 32, cfg.precision)
	assert.Equal(t, 0.01, cfg.softening)
	assert.Equal(t, "tampi-iwait", cfg.form)
	assert.True(t, cfg.records())

	cfg = testConfig(t, "-init", "solar")
	assert.Equal(t, initial.GaussianG, cfg.g)
	assert.Equal(t, 64, cfg.precision)
	assert.Zero(t, cfg.softening)
	assert.Equal(t, 9, cfg.particles)
	assert.Equal(t, 0.25, cfg.dt)

	cfg = testConfig(t, "-input", "x.csv", "-dt", "3")
	assert.Equal(t, "input", cfg.origin())
	assert.Equal(t, 64, cfg.precision)
	assert.Equal(t, 3.0, cfg.dt)
}

func TestWorkersShareTheProcessors(t *testing.T) {
	assert.Equal(t, 3, testConfig(t, "-workers", "3").workersPerRank(8))
	assert.Equal(t, 1, testConfig(t).workersPerRank(1000))
}

func TestRecording(t *testing.T) {
	for args, want := range map[string]bool{
		"-form flat": true, "-form serial": false, "-quiet": false, "-sweep 1,2": false, "-quiet -trace f": true,
	} {
		assert.Equal(t, want, testConfig(t, strings.Fields(args)...).records(), args)
	}
}

func TestSweepListsRanks(t *testing.T) {
	assert.Equal(t, []int{1, 2, 8}, testConfig(t, "-sweep", "1, 2,8").rankCounts())
}

func TestWrongFlagsAreNamed(t *testing.T) {
	for args, want := range map[string]string{
		"extra":                        `unexpected argument "extra"`,
		"-ranks 0":                     "-ranks: 0 is not between 1 and 1024",
		"-workers 0":                   "-workers: 0 is not between 1 and 1024",
		"-particles -3":                "-particles: -3 is not between 1 and 16777216",
		"-block 99999":                 "-block: 99999 is not between 1 and 16384",
		"-steps 0":                     "-steps: 0 is not between 1 and 2147483647",
		"-dt 0":                        "-dt: 0 is not a positive number",
		"-dt NaN":                      "-dt: NaN is not a positive number",
		"-dt Inf":                      "-dt: +Inf is not a positive number",
		"-softening -1":                "-softening: -1 is not zero or a positive number",
		"-G -1":                        "-G: -1 is not zero or a positive number",
		"-precision 16":                "-precision: 16 is neither 32 nor 64",
		"-kernel sse":                  `-kernel: kernel "sse": want auto, go or avx2`,
		"-form best":                   `-form: "best" is none of serial, flat, weak, tampi-blocking, tampi-iwait, for`,
		"-init galaxy":                 `-init: "galaxy" is none of plummer, random, solar`,
		"-init input":                  `-init: "input" is none of plummer, random, solar`,
		"-sweep 1,x":                   `-sweep: "x" is not a number between 1 and 1024`,
		"-sweep 0":                     `-sweep: "0" is not a number between 1 and 1024`,
		"-sweep=":                      `-sweep: "" is not a number between 1 and 1024`,
		"-sweep 1,2 -ranks 2":          "-ranks: cannot be combined with -sweep",
		"-sweep 1,2 -out f":            "-out: cannot be combined with -sweep",
		"-form flat -sweep 1 -trace f": "-trace: cannot be combined with -sweep",
		"-form serial -trace f":        "-trace: -form serial has no tasks to trace",
		"-input f -init random":        "-init: cannot be combined with -input",
		"-input f -particles 3":        "-particles: cannot be combined with -input",
		"-init solar -particles 10":    "-particles: -init solar has 9 bodies",
		"-init solar -block 4":         "-block: -init solar needs its 9 bodies in one block",
		"-init solar -precision 32":    "-precision: -init solar needs 64",
		"-init solar -softening 0.1":   "-softening: -init solar needs 0",
		"-ranks 0 -dt -1":              "-ranks: 0 is not between 1 and 1024\n-dt: -1 is not a positive number",
	} {
		_, err := parseFlags(strings.Fields(args), io.Discard)
		assert.EqualError(t, err, want, args)
	}
}

func TestHelpNamesEveryFlag(t *testing.T) {
	var help strings.Builder
	_, err := parseFlags([]string{"-h"}, &help)
	require.ErrorIs(t, err, flag.ErrHelp)
	for _, name := range []string{
		"ranks", "workers", "particles", "block", "steps", "dt", "input", "init", "seed", "form", "sweep", "trace", "out",
		"check", "fgprof", "precision", "softening", "kernel", "quiet", "G",
	} {
		assert.Contains(t, help.String(), "  -"+name)
	}
}
