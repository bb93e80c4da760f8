package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
)

// The file holds what main printed once: as many tasks and lines as now, and other times.
func TestSummary(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("testdata", "summary.txt"))
	require.NoError(t, err)
	inOrder, err := run(deps.InOut[int])
	require.NoError(t, err)
	anyOrder, err := run(deps.Commutative[int])
	require.NoError(t, err)
	one, other := inOrder.Summary(), anyOrder.Summary()
	assert.Equal(t, words(string(want)), words(one.String()+"\n"+other.String()))
	assert.Less(t, one.Parallelism(), 1.5, "no file is loaded while another is worked on")
	assert.Greater(t, other.Work, other.Span)
}

func TestTimeline(t *testing.T) {
	rec, err := run(deps.InOut[int])
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "out.json")
	require.NoError(t, write(file, rec))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"load"`)
}

var (
	varies = regexp.MustCompile(`[\d.]+(µs|ms|s| %| events?)|W/S [\d.]+`)
	beyond = regexp.MustCompile(`\(.* beyond\)`)
)

// words returns the lines of summaries without times and without those of workers, which need not all have had work. They
// are in alphabetical order: that of labels depends on their times.
func words(s string) (lines []string) {
	for line := range strings.Lines(beyond.ReplaceAllString(s, "")) {
		if line = strings.Join(strings.Fields(varies.ReplaceAllString(line, "")), " "); line != "" && !strings.Contains(line, "worker") {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return lines
}
