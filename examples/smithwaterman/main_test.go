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
var measured = regexp.MustCompile(`\d+\.\d+ s|\d+\.\d million|speed-up \d+\.\d+`)

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
		"related": {"-n", "200", "-m", "150", "-block", "32", "-check"},
		"single":  {"-n", "200", "-m", "150", "-block", "1000"},
		"files":   {"-input", "testdata/two.fa", "-block", "3", "-check"},
		"nothing": {"-n", "1", "-m", "1", "-seed", "4"},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := command(t, append(args, "-workers", "2")...)
			assert.Zero(t, status, stderr)
			golden(t, name, stdout)
		})
	}
}

func TestTasksGiveTheResultOfTheSerialForm(t *testing.T) {
	cfg := &config{runner: runner{workers: 2}}
	for _, size := range []struct{ n, m int }{{1, 1}, {1, 20}, {20, 1}, {40, 40}, {37, 53}} {
		for _, block := range []int{1, 7, 8, 40, 100} {
			for _, s := range []scoring{{2, -2, -3}, {1, 0, 0}, {5, -4, -1}} {
				a, b := related(size.n, size.m, uint64(block))
				w := newTable(a.letters, b.letters, block)
				_, err := cfg.run(t.Context(), io.Discard, io.Discard, func(t *tasks.Task) error { w.tasks(t, s); return nil })
				require.NoError(t, err)
				require.Equal(t, alignSerial(a.letters, b.letters, s), w.best(), "%v, block %d, %+v", size, block, s)
			}
		}
	}
}

func TestSerialByHand(t *testing.T) {
	assert.Equal(t, end{6, 5, 5}, alignSerial("TTACA", "GGACA", scoring{2, -1, -1}))
	assert.Equal(t, end{7, 6, 5}, alignSerial("GAACTTG", "CAATTC", scoring{2, -3, -1}), "AACTT and AATT, without the C")
	assert.Equal(t, end{}, alignSerial("AAA", "CCC", scoring{2, -1, -1}))
	assert.Equal(t, end{2, 1, 2}, alignSerial("AA", "CA", scoring{2, -1, -1}), "of equal ones the first")
}

func TestAnyOrder(t *testing.T) {
	a, b := related(30, 40, 1)
	taskstest.Schedules(t, 20, func() (func(*tasks.Task) error, func() any) {
		w := newTable(a.letters, b.letters, 8)
		return func(t *tasks.Task) error { w.tasks(t, scoring{2, -2, -3}); return nil }, func() any { return w }
	})
}

func TestParseFASTA(t *testing.T) {
	for text, want := range map[string][]sequence{
		"":                           nil,
		"acgt\r\nAC\n":               {{"f.fa", "ACGTAC"}},
		">a b c\nAC\nGT\n\n> d\nMK*": {{"a", "ACGT"}, {"d", "MK*"}},
		">\nA\n>\nC":                 {{"#1", "A"}, {"#2", "C"}},
	} {
		got, err := parseFASTA("dir/f.fa", text)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for text, want := range map[string]string{
		">a\n>b\nA":   "f.fa: sequence a has 0 letters; 1 to 1048576 are allowed",
		">a\nAC\nA é": "f.fa:3: ' ' is no letter of a sequence",
		">a\nAé":      "f.fa:2: 'é' is no letter of a sequence",
	} {
		_, err := parseFASTA("f.fa", text)
		assert.EqualError(t, err, want)
	}
}

func TestTraceHoldsEveryTask(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	status, stdout, stderr := command(t, "-n", "20", "-m", "30", "-block", "5", "-trace", file, "-v")
	require.Zero(t, status, stderr)
	assert.Regexp(t, `(?m)^block +24 `, stdout)
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
		{[]string{"-n", "0"}, 2, "-n: 0 is not between 1 and 1048576"},
		{[]string{"-m", "0"}, 2, "-m: 0 is not between 1 and 1048576"},
		{[]string{"-block", "0"}, 2, "-block: 0 is not between 1 and 1048576"},
		{[]string{"-match", "0"}, 2, "-match: 0 is not between 1 and 1000"},
		{[]string{"-mismatch", "1"}, 2, "-mismatch: 1 is not between -1000 and 0"},
		{[]string{"-gap", "1"}, 2, "-gap: 1 is not between -1000 and 0"},
		{[]string{"-workers", "-1"}, 2, "-workers: -1 is not between 0 and 1024"},
		{[]string{"-input", "testdata/two.fa", "-n", "3"}, 2, "-n: with -input nothing is made up"},
		{[]string{"-input", "testdata/two.fa", "-input", "testdata/plain.fa"}, 1, "two sequences are needed, not 3"},
		{[]string{"-input", "testdata/digit.fa"}, 1, "testdata/digit.fa:2: '1' is no letter of a sequence"},
		{[]string{"-input", "no/such/file"}, 1, "no such file"},
		{[]string{"x"}, 2, `unexpected argument "x"`},
		{[]string{"-n", "9", "-trace", "no/such/folder/out.json"}, 1, "no such file"},
		{[]string{"-h"}, 0, "Usage of smithwaterman"},
	} {
		status, _, stderr := command(t, c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, stderr, c.stderr)
	}
}
