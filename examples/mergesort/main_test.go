package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// measured are what differs from run to run.
var measured = regexp.MustCompile(`\d+\.\d+ s|\d+\.\d+ million/s|speed-up \d+\.\d+`)

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
		"float64": {"-check"},
		"int":     {"-type", "int", "-seed", "2", "-check"},
		"single":  {"-cutoff", "1000"},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := command(t, append([]string{"-n", "1000", "-cutoff", "30", "-workers", "2"}, args...)...)
			assert.Zero(t, status, stderr)
			golden(t, name, stdout)
		})
	}
}

// someNumbers returns n numbers, a third of which or more are there several times.
func someNumbers(n int) []int {
	random := rand.New(rand.NewPCG(3, 4))
	return numbers(n, func() int { return random.IntN(2 + n/2) })
}

func TestTasksSort(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 127, 500} {
		for _, cutoff := range []int{1, 7, 64, 1000} {
			for _, workers := range []int{1, 2, 4} {
				cfg := &config{runner: runner{workers: workers}}
				v := someNumbers(n)
				want := slices.Clone(v)
				slices.Sort(want)
				_, err := cfg.run(t.Context(), io.Discard, io.Discard, func(t *tasks.Task) error {
					sortTasks(t, v, make([]int, n), cutoff)
					return nil
				})
				require.NoError(t, err)
				require.Equal(t, want, v, "%d numbers, cutoff %d, %d workers", n, cutoff, workers)
			}
		}
	}
}

func TestMerge(t *testing.T) {
	for n := 1; n < 40; n++ {
		for mid := range n + 1 {
			v := someNumbers(n)
			want := slices.Clone(v)
			slices.Sort(want)
			slices.Sort(v[:mid])
			slices.Sort(v[mid:])
			merge(v, mid, make([]int, n))
			require.Equal(t, want, v, "halves of %d and %d", mid, n-mid)
		}
	}
}

// A task that changes some of the numbers between two sorts, and one that reads others, need no wait.
func TestAnyOrder(t *testing.T) {
	taskstest.Schedules(t, 20, func() (func(*tasks.Task) error, func() any) {
		v, scratch := someNumbers(40), make([]int, 40)
		sum := 0
		return func(t *tasks.Task) error {
			sortTasks(t, v, scratch, 6)
			tasks.Spawn(t, func() {
				for _, x := range v[7:23] {
					sum += x
				}
			}, deps.InSlice(v[7:23]), deps.Out(&sum))
			tasks.Spawn(t, func() { v[30], v[31] = 1, 0 }, deps.OutSlice(v[30:32]))
			sortTasks(t, v, scratch, 5)
			return nil
		}, func() any { return append(v, sum) }
	})
}

func TestTraceHoldsEveryTask(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	status, stdout, stderr := command(t, "-n", "64", "-cutoff", "8", "-trace", file, "-v")
	require.Zero(t, status, stderr)
	assert.Regexp(t, `(?m)^sort +8 `, stdout)
	assert.Regexp(t, `(?m)^merge +7 `, stdout)
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
		{[]string{"-cutoff", "0"}, 2, "-cutoff: 0 is not between 1 and 1073741824"},
		{[]string{"-type", "string"}, 2, `-type: "string" is neither float64 nor int`},
		{[]string{"-workers", "-1"}, 2, "-workers: -1 is not between 0 and 1024"},
		{[]string{"x"}, 2, `unexpected argument "x"`},
		{[]string{"-n", "9", "-trace", "no/such/folder/out.json"}, 1, "no such file"},
		{[]string{"-h"}, 0, "Usage of mergesort"},
	} {
		status, _, stderr := command(t, c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, stderr, c.stderr)
	}
}
