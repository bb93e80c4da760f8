package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// measured are what differs from run to run.
var measured = regexp.MustCompile(`\d+\.\d+ s|\d+\.\d+ GFLOP/s|speed-up \d+\.\d+|by \d\.\de[-+]\d+`)

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
		"blocks":  {"-check"},
		"ordered": {"-ordered", "-check"},
		"single":  {"-block", "5000"},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := command(t, append([]string{"-n", "1000", "-block", "128", "-rounds", "3", "-workers", "2"}, args...)...)
			assert.Zero(t, status, stderr)
			golden(t, name, stdout)
		})
	}
}

func TestTasksGiveTheResultOfTheSerialForm(t *testing.T) {
	for n := 1; n <= 100; n += 9 {
		for _, block := range []int{1, 7, 10, 100, 1000} {
			for _, ordered := range []bool{false, true} {
				cfg := &config{n: n, block: block, ordered: ordered, runner: runner{workers: 2}}
				x, y := newVectors(n)
				result := -1.0
				_, err := cfg.run(t.Context(), io.Discard, io.Discard, func(t *tasks.Task) error {
					cfg.product(t, x, y, &result)
					return nil
				})
				require.NoError(t, err)
				want, absolute := cfg.serial(x, y)
				require.InDelta(t, want, result, cfg.allowed(absolute), "%+v", cfg)
			}
		}
	}
}

func TestOrderedAddsInTheSerialOrderOnAnyNumberOfWorkers(t *testing.T) {
	x, y := newVectors(1000)
	for _, workers := range []int{1, 2, 3, 8} {
		cfg := &config{n: 1000, block: 3, ordered: true, runner: runner{workers: workers}}
		want, _ := cfg.serial(x, y)
		for range 5 {
			var result float64
			_, err := cfg.run(t.Context(), io.Discard, io.Discard, func(t *tasks.Task) error {
				cfg.product(t, x, y, &result)
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, math.Float64bits(want), math.Float64bits(result))
		}
	}
}

func TestSerialIsTheProduct(t *testing.T) {
	x, y := []float64{1, 2, 3, -4, 5}, []float64{7, 0, 2, 3, 1}
	result, absolute := (&config{n: 5, block: 2}).serial(x, y)
	assert.Equal(t, 6.0, result)
	assert.Equal(t, 7.0+6+5, absolute, "of the blocks 7, −6 and 5")
}

// A task that reads the product needs no wait, and neither does one that changes the vectors.
func TestAnyOrder(t *testing.T) {
	taskstest.Schedules(t, 20, func() (func(*tasks.Task) error, func() any) {
		cfg := &config{n: 50, block: 8, ordered: true}
		x, y := newVectors(50)
		var first, second, sum float64
		return func(t *tasks.Task) error {
			cfg.product(t, x, y, &first)
			tasks.Spawn(t, func() { x[16]++ }, deps.InOutSlice(block(x, 16, 8)))
			cfg.product(t, x, y, &second)
			tasks.Spawn(t, func() { sum = first + second }, deps.In(&first), deps.In(&second), deps.Out(&sum))
			cfg.product(t, x, y, &first)
			return nil
		}, func() any { return []float64{first, second, sum} }
	})
}

func TestTraceHoldsEveryTask(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	status, stdout, stderr := command(t, "-n", "100", "-block", "25", "-rounds", "3", "-trace", file, "-v")
	require.Zero(t, status, stderr)
	assert.Regexp(t, `(?m)^dot +12 `, stdout)
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
		{[]string{"-rounds", "0"}, 2, "-rounds: 0 is not between 1 and 1048576"},
		{[]string{"-workers", "-1"}, 2, "-workers: -1 is not between 0 and 1024"},
		{[]string{"x"}, 2, `unexpected argument "x"`},
		{[]string{"-n", "9", "-trace", "no/such/folder/out.json"}, 1, "no such file"},
		{[]string{"-h"}, 0, "Usage of dotproduct"},
	} {
		status, _, stderr := command(t, c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, stderr, c.stderr)
	}
}
