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
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// measured are what differs from run to run.
var measured = regexp.MustCompile(` *\d+\.\d\d\b( +\d\.\d{6}){3}|\d+\.\d+ s|speed-up \d+\.\d+`)

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
		for _, barrier := range []bool{false, true} {
			cfg := &config{n: 100, block: block, rounds: 20, barrier: barrier, runner: runner{workers: 2}}
			want, got := newStream(cfg), newStream(cfg)
			want.serial()
			_, err := cfg.run(t.Context(), io.Discard, io.Discard, got.tasks)
			require.NoError(t, err)
			require.NoError(t, got.sameBits(want), "%+v", cfg)
			require.NoError(t, got.validate())
		}
	}
}

func TestValidateFindsWrongNumbers(t *testing.T) {
	s := newStream(&config{n: 10, block: 4, rounds: 2})
	s.serial()
	require.NoError(t, s.validate())
	want := newStream(s.cfg)
	want.serial()
	assert.Equal(t, 2.0*15*15, s.all.a[9])
	s.all.b[7]++
	assert.ErrorContains(t, s.validate(), "array b is wrong: its numbers should be 90, and the mean error is 1.1e-03")
	assert.EqualError(t, s.sameBits(want), "b[7] is 91, and 90 in the serial form")
}

func TestTimes(t *testing.T) {
	s := newStream(&config{n: 2, block: 1, rounds: 3})
	s.workers = 2
	for round, d := range []time.Duration{100, 3, 5} {
		s.busy[round][1] = []time.Duration{d, d}
		s.wall[round][1] = 0
	}
	mean, least, most := s.times(1)
	assert.Equal(t, []time.Duration{4, 3, 5}, []time.Duration{mean, least, most})
	assert.Equal(t, 24.0, rate(3, 1_000_000, time.Millisecond))
}

func TestAnyOrder(t *testing.T) {
	taskstest.Schedules(t, 20, func() (func(*tasks.Task) error, func() any) {
		s := newStream(&config{n: 50, block: 8, rounds: 4})
		return s.tasks, func() any { return s.all }
	})
}

func TestTraceHoldsEveryTask(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	status, stdout, stderr := command(t, "-n", "100", "-block", "25", "-rounds", "6", "-trace", file, "-v")
	require.Zero(t, status, stderr)
	assert.Regexp(t, `(?m)^triad +24 `, stdout)
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
		{[]string{"-rounds", "1"}, 2, "-rounds: 1 is not between 2 and 200"},
		{[]string{"-workers", "-1"}, 2, "-workers: -1 is not between 0 and 1024"},
		{[]string{"x"}, 2, `unexpected argument "x"`},
		{[]string{"-n", "9", "-trace", "no/such/folder/out.json"}, 1, "no such file"},
		{[]string{"-h"}, 0, "Usage of stream"},
	} {
		status, _, stderr := command(t, c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, stderr, c.stderr)
	}
}
