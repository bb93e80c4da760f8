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

// measured are what differs from run to run, or with the rounding of the processor.
var measured = regexp.MustCompile(`\d+\.\d+ s|\d+\.\d+ GFLOP/s|speed-up \d+\.\d+|\d\.\de[-+]\d+`)

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
		"fixed":     {"-iterations", "10", "-check"},
		"tolerance": {"-tolerance", "0.01", "-check"},
		"ordered":   {"-iterations", "10", "-ordered", "-check"},
		"iter":      {"-iterations", "10", "-form", "iter", "-check"},
		"single":    {"-iterations", "5", "-block", "5000"},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := command(t, append([]string{"-nx", "12", "-ny", "9", "-nz", "10", "-block", "128", "-workers", "2"}, args...)...)
			assert.Zero(t, status, stderr)
			golden(t, name, stdout)
		})
	}
}

func aConfig(nx, ny, nz, block int) *config {
	return &config{nx: nx, ny: ny, nz: nz, block: block, iterations: 8, runner: runner{workers: 2}}
}

func TestTasksGiveTheResultOfTheSerialForm(t *testing.T) {
	for _, size := range [][3]int{{1, 1, 1}, {7, 1, 1}, {1, 1, 9}, {4, 5, 6}} {
		for _, block := range []int{1, 10, 16, 37, 1000} {
			for _, tolerance := range []float64{0, 0.1} {
				for _, form := range []string{"loop", "iter"} {
					for _, ordered := range []bool{false, true} {
						cfg := aConfig(size[0], size[1], size[2], block)
						cfg.tolerance, cfg.form, cfg.ordered = tolerance, form, ordered
						want, got := newSolver(cfg), newSolver(cfg)
						want.serial()
						_, err := cfg.run(t.Context(), io.Discard, io.Discard, got.tasks)
						require.NoError(t, err)
						require.NoError(t, compare(want, got, io.Discard), "%+v", cfg)
					}
				}
			}
		}
	}
}

// The allowance has to hold when everything has converged, too, where nothing but rounding is left.
func TestRoundingStaysWithinWhatIsAllowed(t *testing.T) {
	cfg := aConfig(8, 8, 8, 5)
	cfg.iterations = 60
	want := newSolver(cfg)
	want.serial()
	for _, workers := range []int{1, 2, 4} {
		cfg.workers = workers
		got := newSolver(cfg)
		_, err := cfg.run(t.Context(), io.Discard, io.Discard, got.tasks)
		require.NoError(t, err)
		require.NoError(t, compare(want, got, io.Discard))
	}
}

func TestCompareFindsWhatIsWrong(t *testing.T) {
	fresh := func() *solver {
		s := newSolver(aConfig(4, 5, 6, 16))
		s.serial()
		return s
	}
	want := fresh()
	require.NoError(t, compare(want, fresh(), io.Discard))
	for name, spoil := range map[string]func(s *solver){
		"x":            func(s *solver) { s.x[7] += 1e-9 },
		"not a number": func(s *solver) { s.x[7] = math.NaN() },
		"residual":     func(s *solver) { s.residuals[3] *= 1 + 1e-6 },
		"short":        func(s *solver) { s.residuals = s.residuals[:7] },
		"early stop":   func(s *solver) { s.cfg.iterations++ },
		"late stop":    func(s *solver) { s.cfg.tolerance = s.residuals[2] },
	} {
		got := fresh()
		spoil(got)
		assert.Error(t, compare(want, got, io.Discard), name)
	}
	want.cfg.ordered = true
	got := fresh()
	got.cfg.ordered = true
	got.x[7] = math.Nextafter(got.x[7], 2)
	assert.Error(t, compare(want, got, io.Discard))
}

// The first row is a corner with 7 neighbours, and the one in the middle has all 26.
func TestMatrix(t *testing.T) {
	s := newSolver(aConfig(3, 3, 3, 4))
	assert.Equal(t, 7*7*7, s.numbers(), "of the three points in a direction, one has two neighbours and two have one")
	assert.Equal(t, 27.0-7, s.b[0])
	assert.Equal(t, 27.0-26, s.b[13])
	assert.Equal(t, []int32{0, 1, 3, 4, 9, 10, 12, 13}, s.a[0].columns[:8])
	assert.Equal(t, []float64{27, -1, -1, -1, -1, -1, -1, -1}, s.a[0].numbers[:8])
}

func TestSerialSolves(t *testing.T) {
	cfg := aConfig(6, 5, 7, 50)
	cfg.iterations = 40
	s := newSolver(cfg)
	s.serial()
	for _, x := range s.x {
		require.InDelta(t, 1, x, 1e-12)
	}
	assert.InEpsilon(t, math.Sqrt(ddot(s.b, s.b)), s.residuals[0], 1e-12)

	cfg.iterations = 4
	one, several := newSolver(aConfig(6, 5, 7, 1000)), newSolver(aConfig(6, 5, 7, 13))
	one.serial()
	several.serial()
	for k, r := range one.residuals {
		assert.InEpsilon(t, r, several.residuals[k], 1e-9, "blocks change no more than the rounding")
	}
}

// A residual is what it says: the length of b − a·x after the iterations before.
func TestResidual(t *testing.T) {
	long, short := newSolver(aConfig(6, 5, 7, 50)), newSolver(aConfig(6, 5, 7, 50))
	short.cfg.iterations = 7
	long.serial()
	short.serial()
	ax := make([]float64, len(short.b))
	for _, rows := range short.a {
		rows.sparsemv(ax, short.x)
	}
	waxpby(ax, short.b, -1, ax)
	assert.InEpsilon(t, math.Sqrt(ddot(ax, ax)), long.residuals[7], 1e-6)
	assert.Error(t, compare(long, short, io.Discard))
}

func TestNothingLeftToDo(t *testing.T) {
	s := newSolver(aConfig(1, 1, 1, 1))
	s.serial()
	assert.Equal(t, []float64{27, 0, 0, 0, 0, 0, 0, 0}, s.residuals)
	assert.Equal(t, []float64{1}, s.x)
}

func TestAnyOrder(t *testing.T) {
	for _, tolerance := range []float64{0, 0.1} {
		for _, form := range []string{"loop", "iter"} {
			taskstest.Schedules(t, 10, func() (func(*tasks.Task) error, func() any) {
				cfg := aConfig(4, 4, 4, 9)
				cfg.iterations, cfg.tolerance, cfg.form, cfg.ordered = 3, tolerance, form, true
				s := newSolver(cfg)
				return s.tasks, func() any { return [][]float64{s.x, s.residuals} }
			})
		}
	}
}

func TestTraceHoldsEveryTask(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	status, stdout, stderr := command(t, "-nx", "5", "-ny", "5", "-nz", "4", "-block", "25", "-iterations", "6", "-trace", file, "-v")
	require.Zero(t, status, stderr)
	assert.Regexp(t, `(?m)^sparsemv +28 `, stdout)
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
		{[]string{"-nx", "0"}, 2, "-nx: 0 is not between 1 and 4096"},
		{[]string{"-ny", "0"}, 2, "-ny: 0 is not between 1 and 4096"},
		{[]string{"-nz", "0"}, 2, "-nz: 0 is not between 1 and 4096"},
		{[]string{"-nx", "4096", "-ny", "4096"}, 2, "-nx, -ny, -nz: 1073741824 points are more than 67108864"},
		{[]string{"-block", "0"}, 2, "-block: 0 is not between 1 and 67108864"},
		{[]string{"-iterations", "0"}, 2, "-iterations: 0 is not between 1 and 1048576"},
		{[]string{"-tolerance", "NaN"}, 2, "-tolerance: NaN is not zero or a positive number"},
		{[]string{"-form", "best"}, 2, `-form: "best" is neither loop nor iter`},
		{[]string{"-workers", "-1"}, 2, "-workers: -1 is not between 0 and 1024"},
		{[]string{"x"}, 2, `unexpected argument "x"`},
		{[]string{"-nx", "4", "-trace", "no/such/folder/out.json"}, 1, "no such file"},
		{[]string{"-h"}, 0, "Usage of hpccg"},
	} {
		status, _, stderr := command(t, c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, stderr, c.stderr)
	}
}
