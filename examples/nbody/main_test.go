package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

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

// threeBodies is a file whose run needs no function that rounds differently from machine to machine.
const threeBodies = `x,y,z,vx,vy,vz,mass
0.97000436,-0.24308753,0,0.466203685,0.43236573,0,1
-0.97000436,0.24308753,0,0.466203685,0.43236573,0,1
0,0,0,-0.93240737,-0.86473146,0,1
`

func inputFile(t *testing.T) string {
	name := filepath.Join(t.TempDir(), "in.csv")
	require.NoError(t, os.WriteFile(name, []byte(threeBodies), 0o600))
	return name
}

// numbers hides what differs from run to run: times, and the counts of a trace, which depend on who waited when.
var numbers = regexp.MustCompile(`(\d+\.)?\d+`)

func TestPrintedReport(t *testing.T) {
	status, stdout, stderr := command(t, "-input", inputFile(t), "-ranks", "2", "-workers", "1", "-block", "1", "-steps", "100",
		"-dt", "0.01", "-kernel", "go", "-check")
	require.Zero(t, status, stderr)
	result, summary, _ := strings.Cut(stdout, "\n\n")
	for _, line := range []string{`(?m)^time  .*$`, `(?m)^speed  .*$`} {
		result = regexp.MustCompile(line).ReplaceAllStringFunc(result, func(s string) string {
			return numbers.ReplaceAllString(s, "#")
		})
	}
	assert.Equal(t, `nbody: 3 particles (input) in blocks of 1, 100 steps of 0.01, float64, kernel go, form tampi-iwait
ranks × workers  2 × 1
time             # s
speed            # GFLOP/s, # steps/s
energy           -1.28714199 → -1.28714226
energy drift     -2.08e-07
momentum         9.75e-17
checksum         8d3d1731a020ef34
check            same bits as the serial run`, result)

	summary = regexp.MustCompile(`(?m)^(wall|on).*$`).ReplaceAllString(summary, "$1 …") // greedy bound: only if exceeded
	summary = regexp.MustCompile(`(\d+\.)?\d+( %| [kM]?B|[nµm]?s)?`).ReplaceAllString(summary, "#")
	summary = regexp.MustCompile(` +`).ReplaceAllString(summary, " ")
	for _, line := range []string{
		"wall …", "# tasks, # events", "rank # #", " worker # # # #", "messages sent bytes received bytes", "rank # # # # #",
		"label tasks total mean min max share", "calculateForcesBlock # # # # # #", "exchangeParticlesBlock # # # # # #",
		"updateParticlesBlock # # # # # #",
	} {
		assert.Contains(t, strings.Split(summary, "\n"), line)
	}
}

func TestInputRunsInEveryForm(t *testing.T) {
	in := inputFile(t)
	checksums := map[string]bool{}
	for name := range forms[float64]() {
		for _, ranks := range []string{"1", "2", "8"} { // with 8, five have no particle
			out := filepath.Join(t.TempDir(), "out.csv")
			status, stdout, stderr := command(t, "-form", name, "-input", in, "-ranks", ranks, "-block", "1", "-steps", "50",
				"-check", "-out", out, "-quiet")
			require.Zero(t, status, stderr)
			assert.NotContains(t, stdout, "wall", "-quiet")
			ps, err := readFile(out)
			require.NoError(t, err)
			checksums[fmt.Sprintf("%s ranks: %016x", ranks, gravity.Checksum(ps))] = true
		}
	}
	assert.Len(t, checksums, 3, "%v", checksums) // one for each number of ranks
}

func TestTraceShowsMessagesBetweenRanks(t *testing.T) {
	for name := range forms[float32]() {
		if name == "serial" {
			continue
		}
		file := filepath.Join(t.TempDir(), "out.json")
		status, stdout, stderr := command(t, "-form", name, "-ranks", "3", "-particles", "100", "-block", "10", "-steps", "4",
			"-trace", file, "-quiet")
		require.Zero(t, status, stderr)
		assert.NotContains(t, stdout, "wall", "-quiet")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var timeline struct {
			TraceEvents []struct {
				Name, Cat, Ph string
				Pid           int
				ID            int
			}
		}
		require.NoError(t, json.Unmarshal(text, &timeline))
		from, to := map[int]int{}, map[int]int{} // rank by number of the arrow
		names := map[string]bool{}
		for _, e := range timeline.TraceEvents {
			names[e.Name] = true
			switch {
			case e.Cat == "message" && e.Ph == "s":
				from[e.ID] = e.Pid
			case e.Cat == "message" && e.Ph == "f":
				to[e.ID] = e.Pid
			}
		}
		arrows := map[[2]int]bool{}
		for id := range from {
			arrows[[2]int{from[id], to[id]}] = true
		}
		assert.Equal(t, map[[2]int]bool{{0, 1}: true, {1, 2}: true, {2, 0}: true}, arrows, name)
		assert.Contains(t, names, "calculateForcesBlock")
		assert.Contains(t, names, "exchangeParticlesBlock")
	}
}

func TestInterruptReportsWhatThereIs(t *testing.T) {
	var out bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(30*time.Millisecond, cancel)
	file := filepath.Join(t.TempDir(), "final.csv")
	status := run(ctx, []string{"-particles", "100", "-block", "10", "-steps", "100000000", "-out", file, "-quiet"}, &out, devNull(t))
	assert.Equal(t, 130, status)
	assert.Regexp(t, `interrupted +after [0-9]+ steps`, out.String())
	assert.Contains(t, out.String(), "energy drift")
	assert.FileExists(t, file)

	out.Reset()
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(30*time.Millisecond, cancel)
	status = run(ctx, []string{"-particles", "100", "-block", "10", "-steps", "100000000", "-sweep", "2,1", "-quiet"}, &out, devNull(t))
	assert.Equal(t, 130, status)
	assert.Regexp(t, `(?s)with 2 ranks: interrupted after [0-9]+ steps\n$`, out.String())
}

func devNull(t *testing.T) *os.File {
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
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
