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
	for name, c := range map[string]struct {
		status int
		args   []string
	}{
		"sparse":   {0, []string{"-check"}},
		"dense":    {0, []string{"-check", "-density", "1"}},
		"single":   {0, []string{"-blocks", "1"}},
		"singular": {1, []string{"-singular"}},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := command(t, append([]string{"-blocks", "10", "-block", "8", "-workers", "2"}, c.args...)...)
			assert.Equal(t, c.status, status)
			golden(t, name, stdout+stderr)
		})
	}
}

func aConfig(blocks, block int, density float64) *config {
	return &config{blocks: blocks, block: block, density: density, seed: 3, runner: runner{workers: 2}}
}

func TestTasksGiveTheBitsOfTheSerialForm(t *testing.T) {
	for _, blocks := range []int{1, 2, 5, 9} {
		for _, density := range []float64{0, 0.2, 1} {
			cfg := aConfig(blocks, 6, density)
			a := randomMatrix(cfg)
			want, got := a.clone(), a.clone()
			require.NoError(t, want.factorSerial())
			_, err := cfg.run(t.Context(), io.Discard, io.Discard, got.factorTasks)
			require.NoError(t, err)
			require.NoError(t, sameBits(want, got), "%+v", cfg)
		}
	}
}

// dense returns the numbers of a, by row and column.
func (a matrix) dense() [][]float64 {
	size := a[0][0].rows()
	rows := make([][]float64, len(a)*size)
	for i := range rows {
		rows[i] = make([]float64, len(rows))
		for j := range rows {
			if b := a[i/size][j/size]; b != nil {
				rows[i][j] = b[i%size*size+j%size]
			}
		}
	}
	return rows
}

func TestFactorsMultiplyBack(t *testing.T) {
	for _, density := range []float64{0, 0.2, 1} {
		for _, block := range []int{1, 2, 7} {
			a := randomMatrix(aConfig(6, block, density))
			f := a.clone()
			require.NoError(t, f.factorSerial())
			want, lu := a.dense(), f.dense()
			for i := range want {
				for j := range want {
					sum := 0.0
					for k := range min(i, j) + 1 {
						l := 1.0
						if k < i {
							l = lu[i][k]
						}
						sum += l * lu[k][j]
					}
					require.InDelta(t, want[i][j], sum, 1e-12, "row %d, column %d", i, j)
				}
			}
		}
	}
}

// The pattern of an arrow that points to the lower right has no fill-in, and of one that points to the upper left all there is.
func TestFillIn(t *testing.T) {
	arrow := func(tip int) matrix {
		a := make(matrix, 5)
		for i := range a {
			a[i] = make([]block, 5)
			a[i][i] = block{9}
		}
		for i := range a {
			if i != tip {
				a[i][tip], a[tip][i] = block{1}, block{1}
			}
		}
		return a
	}
	for tip, stored := range map[int]int{4: 13, 0: 25} {
		a := arrow(tip)
		require.NoError(t, taskstest.Run(t, a.factorTasks))
		assert.Equal(t, stored, a.stored())
	}
}

func TestFailureSkipsDependents(t *testing.T) {
	cfg := aConfig(8, 4, 0.3)
	cfg.singular = true
	_, err := cfg.run(t.Context(), io.Discard, io.Discard, randomMatrix(cfg).factorTasks)
	assert.EqualError(t, err, "lu0: block (4,4): pivot 16 is 0")
	assert.EqualError(t, randomMatrix(cfg).factorSerial(), "block (4,4): pivot 16 is 0")
}

func TestSameBitsNamesTheDifference(t *testing.T) {
	a := randomMatrix(aConfig(4, 2, 0))
	b := a.clone()
	b[3][2][1] = 7
	assert.ErrorContains(t, sameBits(a, b), "block (3,2), number 1: 7 is not")
	b[1][0] = nil
	assert.EqualError(t, sameBits(a, b), "block (1,0) has 0 numbers, not 4")
}

func TestAnyOrder(t *testing.T) {
	taskstest.Schedules(t, 20, func() (func(*tasks.Task) error, func() any) {
		a := randomMatrix(aConfig(6, 3, 0.2))
		return a.factorTasks, func() any { return a }
	})
}

func TestTraceHoldsEveryTask(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	status, stdout, stderr := command(t, "-blocks", "5", "-block", "4", "-density", "1", "-trace", file, "-v")
	require.Zero(t, status, stderr)
	assert.Regexp(t, `(?m)^bmod +30 `, stdout)
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
		{[]string{"-blocks", "0"}, 2, "-blocks: 0 is not between 1 and 1024"},
		{[]string{"-block", "0"}, 2, "-block: 0 is not between 1 and 1024"},
		{[]string{"-block", "1024", "-blocks", "17"}, 2, "-blocks, -block: 17408 rows in all are more than 16384"},
		{[]string{"-density", "NaN"}, 2, "-density: NaN is not between 0 and 1"},
		{[]string{"-workers", "-1"}, 2, "-workers: -1 is not between 0 and 1024"},
		{[]string{"x"}, 2, `unexpected argument "x"`},
		{[]string{"-blocks", "2", "-trace", "no/such/folder/out.json"}, 1, "no such file"},
		{[]string{"-h"}, 0, "Usage of sparselu"},
	} {
		status, _, stderr := command(t, c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, stderr, c.stderr)
	}
}
