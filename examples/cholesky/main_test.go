package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// measured are what differs from run to run, or with the rounding of the processor.
var measured = regexp.MustCompile(`\d+\.\d+ s|\d+\.\d+ GFLOP/s|\d\.\de-\d+`)

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
	for name, c := range map[string]struct {
		status int
		args   []string
	}{
		"tasks":      {0, []string{"-n", "200", "-tile", "32", "-workers", "2", "-compare"}},
		"serial":     {0, []string{"-n", "200", "-tile", "32", "-form", "serial"}},
		"indefinite": {1, []string{"-n", "200", "-tile", "32", "-workers", "2", "-indefinite"}},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := command(t, c.args...)
			assert.Equal(t, c.status, status)
			golden(t, name, stdout+stderr)
		})
	}
}

func TestTraceHoldsEveryTask(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	status, stdout, stderr := command(t, "-n", "100", "-tile", "25", "-trace", file, "-v")
	require.Zero(t, status, stderr)
	assert.Regexp(t, `(?m)^21 tasks`, stdout, "20 kernels and the main task")
	assert.Regexp(t, `(?m)^potrf +4 `, stdout)
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
		{[]string{"-n", "0"}, 2, "-n: 0 is not between 1 and 16384"},
		{[]string{"-tile", "0"}, 2, "-tile: 0 is not between 1 and 4096"},
		{[]string{"-workers", "-1"}, 2, "-workers: -1 is not between 0 and 1024"},
		{[]string{"-form", "fast"}, 2, `-form: "fast" is neither tasks nor serial`},
		{[]string{"-form", "serial", "-v"}, 2, "has no tasks to trace"},
		{[]string{"-form", "serial", "-compare"}, 2, "-compare: -form serial is what is compared with"},
		{[]string{"100"}, 2, `unexpected argument "100"`},
		{[]string{"-form", "serial", "-n", "9", "-indefinite"}, 1, "pivot 4 is"},
		{[]string{"-n", "9", "-trace", "no/such/folder/out.json"}, 1, "no such file"},
		{[]string{"-h"}, 0, "Usage of cholesky"},
	} {
		status, _, stderr := command(t, c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, stderr, c.stderr)
	}
}
