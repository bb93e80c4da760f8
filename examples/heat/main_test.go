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
var times = regexp.MustCompile(`\d+\.\d+ s, \d+\.\d million`)

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
	got = times.ReplaceAllString(got, "TIME, NUMBER million")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

func TestOutput(t *testing.T) {
	for name, args := range map[string][]string{
		"serial":    {"-form", "serial"},
		"tasks":     {"-form", "tasks", "-workers", "2", "-compare"},
		"blocking":  {"-form", "tampi-blocking", "-workers", "1", "-ranks", "3", "-compare"},
		"iwait":     {"-form", "tampi-iwait", "-workers", "2", "-ranks", "2", "-compare"},
		"tolerance": {"-form", "tampi-iwait", "-workers", "1", "-ranks", "2", "-every", "5", "-tolerance", "0.02"},
		"source":    {"-form", "tasks", "-workers", "2", "-source", "0.5,0,0.3,1", "-source", "0,1,0.5,2"},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := command(t, append(args, "-rows", "50", "-cols", "60", "-block", "16", "-steps", "30")...)
			assert.Zero(t, status, stderr)
			golden(t, name, stdout)
		})
	}
}

func TestTraceHoldsTasksAndMessages(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	for _, form := range []string{"tampi-blocking", "tampi-iwait"} {
		status, stdout, stderr := command(t, "-form", form, "-ranks", "2", "-rows", "20", "-cols", "20", "-block", "10",
			"-steps", "7", "-trace", file, "-v")
		require.Zero(t, status, stderr)
		assert.Regexp(t, `(?m)^relax +28 `, stdout)
		assert.Regexp(t, `(?m)^send +28 `, stdout)
		assert.Regexp(t, `(?m)^receive +28 `, stdout)
		assert.Regexp(t, `(?m)^rank 1 `, stdout)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.True(t, json.Valid(text))
	}
}

func TestPictureIsWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "heat.png")
	status, _, stderr := command(t, "-rows", "20", "-cols", "20", "-steps", "5", "-out", file)
	assert.Zero(t, status, stderr)
	assert.FileExists(t, file)
}

func TestMistakesAreNamed(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		stderr string
	}{
		{[]string{"-rows", "0"}, 2, "-rows: 0 is not between 1 and 32768"},
		{[]string{"-block", "0"}, 2, "-block: 0 is not between 1 and 32768"},
		{[]string{"-steps", "0"}, 2, "-steps: 0 is not between"},
		{[]string{"-workers", "-1"}, 2, "-workers: -1 is not between 0 and 1024"},
		{[]string{"-form", "fast"}, 2, `-form: "fast" is none of serial, tasks, tampi-blocking, tampi-iwait`},
		{[]string{"-form", "tasks", "-ranks", "2"}, 2, "-ranks: -form tasks passes no messages"},
		{[]string{"-form", "tampi-iwait", "-ranks", "5", "-rows", "4"}, 2, "-ranks: 5 ranks cannot share 4 rows"},
		{[]string{"-form", "serial", "-v"}, 2, "has no tasks to trace"},
		{[]string{"-form", "serial", "-compare"}, 2, "-compare: -form serial is what is compared with"},
		{[]string{"-tolerance", "0.1"}, 2, "-tolerance: -every says how often to look"},
		{[]string{"-tolerance", "NaN"}, 2, "-tolerance: NaN is not zero or a positive number"},
		{[]string{"-source", "1,2"}, 2, "is not x,y,radius,temperature"},
		{[]string{"x"}, 2, `unexpected argument "x"`},
		{[]string{"-rows", "3", "-steps", "1", "-out", "no/such/folder/heat.png"}, 1, "no such file"},
		{[]string{"-rows", "3", "-steps", "1", "-trace", "no/such/folder/out.json"}, 1, "no such file"},
		{[]string{"-h"}, 0, "Usage of heat"},
	} {
		status, _, stderr := command(t, c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, stderr, c.stderr)
	}
}
