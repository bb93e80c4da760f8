package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/examples/nbody/gravity"
)

// command runs the program and returns its exit status and what it printed.
func command(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out bytes.Buffer
	errFile, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	require.NoError(t, err)
	defer errFile.Close()
	status = run(t.Context(), args, &out, errFile)
	text, err := os.ReadFile(errFile.Name())
	require.NoError(t, err)
	return status, out.String(), string(text)
}

func TestRunAndCheckEveryBuiltInForm(t *testing.T) {
	for name := range forms[float32]() {
		for _, ranks := range []string{"1", "3", "40"} { // 40 ranks for 13 blocks: most own nothing
			status, stdout, stderr := command(t, "-form", name, "-ranks", ranks, "-particles", "200", "-block", "16",
				"-steps", "5", "-check", "-quiet")
			assert.Zero(t, status, stderr)
			assert.Regexp(t, `check +(ok|same bits)`, stdout)
			assert.Empty(t, stderr)
		}
	}
}

func TestOutReadsBackAsInput(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first.csv"), filepath.Join(dir, "second.csv")
	status, stdout, _ := command(t, "-init", "solar", "-steps", "10", "-out", first)
	require.Zero(t, status)
	ps, err := readFile(first)
	require.NoError(t, err)
	assert.Len(t, ps, 9)
	checksum := regexp.MustCompile(`checksum +([0-9a-f]{16})`).FindStringSubmatch(stdout)
	require.NotNil(t, checksum)
	assert.Equal(t, checksum[1], fmt.Sprintf("%016x", gravity.Checksum(ps)), "the file holds the printed state in every bit")

	status, _, stderr := command(t, "-input", first, "-G", "0.000295912208", "-dt", "1", "-steps", "3", "-out", second)
	assert.Zero(t, status, stderr)
	assert.FileExists(t, second)
}

func TestSweepPrintsALinePerNumberOfRanks(t *testing.T) {
	status, stdout, stderr := command(t, "-sweep", "1,2,5", "-particles", "100", "-block", "10", "-steps", "3", "-check")
	assert.Zero(t, status, stderr)
	assert.Contains(t, stdout, "nbody: 100 particles (plummer) in blocks of 10, 3 steps of 0.002, float32")
	assert.Len(t, regexp.MustCompile(`(?m)^ +[125]  `).FindAllString(stdout, -1), 3)
}

func TestFailuresSayWhatAndExit(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.csv")
	require.NoError(t, os.WriteFile(bad, []byte("1,2,3\n"), 0o600))
	empty := filepath.Join(dir, "empty.csv")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	for _, c := range []struct {
		args   []string
		status int
		stderr string
	}{
		{[]string{"-steps", "0"}, 2, "-steps: 0 is not between"},
		{[]string{"-nonsense"}, 2, "nonsense"},
		{[]string{"-input", bad}, 1, "line 1: 3 values, want 7"},
		{[]string{"-input", empty}, 1, "no particles"},
		{[]string{"-input", filepath.Join(dir, "none")}, 1, "no such file"},
		{[]string{"-steps", "1", "-particles", "1", "-out", filepath.Join(dir, "no", "dir")}, 1, "no such file"},
	} {
		status, _, stderr := command(t, c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, stderr, c.stderr)
	}
	status, _, _ := command(t, "-h")
	assert.Zero(t, status)
}

func TestProfileIsWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "profile")
	status, _, stderr := command(t, "-particles", "100", "-steps", "2", "-fgprof", file)
	assert.Zero(t, status, stderr)
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Positive(t, info.Size())
}
