package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// measured are what differs from run to run.
var measured = regexp.MustCompile(`\d+\.\d+ s|\d+\.\d+ GFLOP/s|speed-up \d+\.\d+`)

// command runs the program and returns its exit status and what it printed.
func command(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(t.Context(), args, &out, &errs)
	return status, out.String(), errs.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	got = measured.ReplaceAllString(got, "NUMBER")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

func TestOutput(t *testing.T) {
	for name, args := range map[string][]string{
		"flow":    {"-check"},
		"barrier": {"-check", "-barrier"},
		"single":  {"-block", "5000"},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := command(t, append([]string{"-n", "1000", "-rounds", "7", "-block", "128", "-workers", "2"}, args...)...)
			assert.Zero(t, status, stderr)
			golden(t, name, stdout)
		})
	}
}

func TestTasksGiveTheBitsOfTheSerialForm(t *testing.T) {
	for _, block := range []int{1, 7, 64, 100, 1000} {
		for _, rounds := range []int{0, 1, 9} {
			for _, barrier := range []bool{false, true} {
				cfg := &config{n: 100, block: block, rounds: rounds, a: 0.1, barrier: barrier, runner: runner{workers: 2}}
				want, got := newVectors(cfg.n), newVectors(cfg.n)
				want.serial(cfg)
				_, err := cfg.run(t.Context(), io.Discard, io.Discard, func(t *tasks.Task) error { return got.tasks(t, cfg) })
				require.NoError(t, err)
				require.NoError(t, sameBits(want.y, got.y), "%+v", cfg)
			}
		}
	}
}

func TestSerialAddsRoundByRound(t *testing.T) {
	v := newVectors(40)
	v.serial(&config{rounds: 4, a: 3})
	assert.Equal(t, 35%5+4*3.0*(35%17), v.y[35])
	assert.ErrorContains(t, sameBits(v.y, newVectors(40).y), "y[1] is 0, and 13 in the serial form")
}

func TestAnyOrder(t *testing.T) {
	taskstest.Schedules(t, 20, func() (func(*tasks.Task) error, func() any) {
		cfg := &config{n: 50, block: 8, rounds: 5, a: 0.3}
		v := newVectors(cfg.n)
		return func(t *tasks.Task) error { return v.tasks(t, cfg) }, func() any { return v }
	})
}

func TestTraceHoldsEveryTask(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	status, stdout, stderr := command(t, "-n", "100", "-block", "25", "-rounds", "6", "-trace", file, "-v")
	require.Zero(t, status, stderr)
	assert.Regexp(t, `(?m)^saxpy +24 `, stdout)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.True(t, json.Valid(text))
}

func TestMistakesAreNamed(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		stderr string
	}{
		{[]string{"-n", "0"}, 2, "-n: 0 is not between 1 and 1073741824"},
		{[]string{"-block", "0"}, 2, "-block: 0 is not between 1 and 1073741824"},
		{[]string{"-rounds", "-1"}, 2, "-rounds: -1 is not between 0 and 1048576"},
		{[]string{"-workers", "-1"}, 2, "-workers: -1 is not between 0 and 1024"},
		{[]string{"x"}, 2, `unexpected argument "x"`},
		{[]string{"-n", "9", "-trace", "no/such/folder/out.json"}, 1, "no such file"},
		{[]string{"-h"}, 0, "Usage of multisaxpy"},
	} {
		status, _, stderr := command(t, c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, stderr, c.stderr)
	}
}
