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

// times are what differs from run to run.
var times = regexp.MustCompile(`\d+\.\d+ s|\d+ ns`)

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
	got = times.ReplaceAllString(got, "TIME")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

func TestOutput(t *testing.T) {
	for name, args := range map[string][]string{
		"tasks":  {"-n", "15", "-workers", "2"},
		"cutoff": {"-n", "20", "-cutoff", "15", "-workers", "2"},
		"single": {"-n", "1", "-workers", "1"},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := command(t, args...)
			assert.Zero(t, status, stderr)
			golden(t, name, stdout)
		})
	}
}

func TestTraceHoldsEveryTask(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	status, stdout, stderr := command(t, "-n", "10", "-trace", file, "-v")
	require.Zero(t, status, stderr)
	assert.Contains(t, stdout, "177 tasks,", "176 of fib and the main one")
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
		{[]string{"-n", "51"}, 2, "-n: 51 is not between 0 and 50"},
		{[]string{"-cutoff", "-1"}, 2, "-cutoff: -1 is not between 0 and 50"},
		{[]string{"-workers", "-1"}, 2, "-workers: -1 is not between 0 and 1024"},
		{[]string{"30"}, 2, `unexpected argument "30"`},
		{[]string{"-m", "3"}, 2, "not defined: -m"},
		{[]string{"-n", "3", "-trace", "no/such/folder/out.json"}, 1, "no such file"},
		{[]string{"-h"}, 0, "Usage of fibonacci"},
	} {
		status, _, stderr := command(t, c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, stderr, c.stderr)
	}
}
