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

	"github.com/gompss/gompss/deps"
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
		"blocks": {"-check"},
		"single": {"-block", "5000"},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := command(t, append([]string{"-n", "1000", "-block", "128", "-rounds", "3", "-workers", "2"}, args...)...)
			assert.Zero(t, status, stderr)
			golden(t, name, stdout)
		})
	}
}

func TestTasksGiveTheResultOfTheSerialForm(t *testing.T) {
	cfg := &config{runner: runner{workers: 2}}
	for n := 1; n <= 100; n += 9 {
		for _, block := range []int{1, 7, 10, 100, 1000} {
			x, y := newVectors(n)
			result := -1.0
			_, err := cfg.run(t.Context(), io.Discard, io.Discard, func(t *tasks.Task) error {
				product(t, x, y, block, &result)
				return nil
			})
			require.NoError(t, err)
			want := 0
			for i := range n {
				want += i % 17 * (i % 5)
			}
			require.Equal(t, float64(want), result, "%d numbers in blocks of %d", n, block)
		}
	}
}

// A task that reads the product needs no wait, and neither does one that changes the vectors.
func TestAnyOrder(t *testing.T) {
	taskstest.Schedules(t, 20, func() (func(*tasks.Task) error, func() any) {
		x, y := newVectors(50)
		var first, second, sum float64
		return func(t *tasks.Task) error {
			product(t, x, y, 8, &first)
			tasks.Spawn(t, func() { x[16]++ }, deps.InOutSlice(block(x, 16, 8)))
			product(t, x, y, 8, &second)
			tasks.Spawn(t, func() { sum = first + second }, deps.In(&first), deps.In(&second), deps.Out(&sum))
			product(t, x, y, 8, &first)
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
