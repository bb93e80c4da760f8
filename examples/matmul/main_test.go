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
		"integers": {"-integers", "-check"},
		"inout":    {"-inout", "-check"},
		"single":   {"-tile", "100", "-n", "10"},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := command(t, append([]string{"-n", "50", "-tile", "16", "-workers", "2"}, args...)...)
			assert.Zero(t, status, stderr)
			golden(t, name, stdout)
		})
	}
}

func TestTasksGiveTheProductOfTheSerialForm(t *testing.T) {
	for _, size := range []struct{ n, tile int }{{1, 1}, {1, 9}, {7, 1}, {20, 5}, {33, 8}, {33, 33}, {33, 40}} {
		for _, integers := range []bool{false, true} {
			for _, inout := range []bool{false, true} {
				cfg := &config{n: size.n, tile: size.tile, integers: integers, inout: inout, runner: runner{workers: 2}}
				want, got := newProblem(cfg), newProblem(cfg)
				want.serial()
				_, err := cfg.run(t.Context(), io.Discard, io.Discard, got.tasks)
				require.NoError(t, err)
				assert.LessOrEqual(t, difference(want.c, got.c), cfg.allowed(), "%+v", cfg)
			}
		}
	}
}

func (m matrix) at(cfg *config, i, j int) float64 {
	return m[i/cfg.tile][j/cfg.tile].row(i % cfg.tile)[j%cfg.tile]
}

func TestSerialIsTheProduct(t *testing.T) {
	cfg := &config{n: 23, tile: 7, integers: true}
	p, before := newProblem(cfg), newProblem(cfg)
	p.serial()
	for i := range before.c {
		for j := range before.c {
			before.fill(before.c, 2, i, j)
		}
	}
	for i := range cfg.n {
		for j := range cfg.n {
			sum := before.c.at(cfg, i, j)
			for k := range cfg.n {
				sum += p.a.at(cfg, i, k) * p.b.at(cfg, k, j)
			}
			require.Equal(t, sum, p.c.at(cfg, i, j))
		}
	}
}

func TestDifference(t *testing.T) {
	cfg := &config{n: 5, tile: 2}
	a, b := newMatrix(cfg), newMatrix(cfg)
	assert.Zero(t, difference(a, b))
	b[2][2].cells[0] = -3
	assert.Equal(t, 3.0, difference(a, b))
	a[0][0].cells[1] = math.NaN()
	assert.True(t, math.IsNaN(difference(a, b)))
}

// Of whole numbers every order gives the same sums, so a difference is a wrong access, not rounding.
func TestAnyOrder(t *testing.T) {
	taskstest.Schedules(t, 20, func() (func(*tasks.Task) error, func() any) {
		p := newProblem(&config{n: 10, tile: 4, integers: true})
		return p.tasks, func() any { return p.c }
	})
}

func TestTraceHoldsEveryTask(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	status, stdout, stderr := command(t, "-n", "20", "-tile", "5", "-trace", file, "-v")
	require.Zero(t, status, stderr)
	assert.Regexp(t, `(?m)^gemm +64 `, stdout)
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
		{[]string{"-n", "0"}, 2, "-n: 0 is not between 1 and 8192"},
		{[]string{"-tile", "0"}, 2, "-tile: 0 is not between 1 and 8192"},
		{[]string{"-workers", "-1"}, 2, "-workers: -1 is not between 0 and 1024"},
		{[]string{"x"}, 2, `unexpected argument "x"`},
		{[]string{"-n", "9", "-trace", "no/such/folder/out.json"}, 1, "no such file"},
		{[]string{"-h"}, 0, "Usage of matmul"},
	} {
		status, _, stderr := command(t, c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, stderr, c.stderr)
	}
}
