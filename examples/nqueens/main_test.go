package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
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
var measured = regexp.MustCompile(`\d+\.\d+ s|speed-up \d+\.\d+`)

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
		"one":    {"-cutoff", "0"},
		"levels": {"-check"},
		"deep":   {"-cutoff", "20", "-check"},
	} {
		for _, n := range []int{1, 2, 6, 9, 12} {
			if name == "deep" && n > 9 {
				continue // a task for every queen that can be placed
			}
			t.Run(fmt.Sprintf("%s/%d", name, n), func(t *testing.T) {
				status, stdout, stderr := command(t, append([]string{"-n", fmt.Sprint(n), "-workers", "2"}, args...)...)
				assert.Zero(t, status, stderr)
				golden(t, fmt.Sprintf("%s-%d", name, n), stdout)
			})
		}
	}
}

func TestEveryCutoffFindsTheKnownNumber(t *testing.T) {
	for n := 1; n <= 12; n++ {
		for cutoff := range min(n, 4) + 1 {
			for _, workers := range []int{1, 2, 4} {
				cfg := &config{n: n, runner: runner{workers: workers}}
				count := uint64(100) // what is there before takes part
				_, err := cfg.run(t.Context(), io.Discard, io.Discard, func(t *tasks.Task) error {
					search(t, board{n: n}, cutoff, &count)
					return nil
				})
				require.NoError(t, err)
				require.Equal(t, 100+known[n], count, "%d queens, cutoff %d, %d workers", n, cutoff, workers)
			}
		}
	}
}

func TestSerialFindsTheKnownNumber(t *testing.T) {
	for n := range 12 {
		assert.Equal(t, known[n], board{n: n}.count(), "%d queens", n)
	}
}

// Who reads the count comes after all of a search, and before the next one: no wait says so.
func TestAnyOrder(t *testing.T) {
	taskstest.Schedules(t, 20, func() (func(*tasks.Task) error, func() any) {
		var count, first, second uint64
		return func(t *tasks.Task) error {
			search(t, board{n: 5}, 3, &count)
			tasks.Spawn(t, func() { first = count }, deps.In(&count))
			search(t, board{n: 6}, 2, &count)
			tasks.Spawn(t, func() { second = count }, deps.In(&count))
			return nil
		}, func() any { return []uint64{first, second} }
	})
}

func TestTraceHoldsEveryTask(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	status, stdout, stderr := command(t, "-n", "6", "-cutoff", "2", "-trace", file, "-v")
	require.Zero(t, status, stderr)
	assert.Regexp(t, `(?m)^row +7 `, stdout, "of the board and of each square of the first row")
	assert.Regexp(t, `(?m)^search +20 `, stdout, "of each pair of squares in the first two rows")
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
		{[]string{"-n", "0"}, 2, "-n: 0 is not between 1 and 20"},
		{[]string{"-n", "21"}, 2, "-n: 21 is not between 1 and 20"},
		{[]string{"-cutoff", "-1"}, 2, "-cutoff: -1 is not between 0 and 20"},
		{[]string{"-workers", "-1"}, 2, "-workers: -1 is not between 0 and 1024"},
		{[]string{"x"}, 2, `unexpected argument "x"`},
		{[]string{"-n", "4", "-trace", "no/such/folder/out.json"}, 1, "no such file"},
		{[]string{"-h"}, 0, "Usage of nqueens"},
	} {
		status, _, stderr := command(t, c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, stderr, c.stderr)
	}
}
