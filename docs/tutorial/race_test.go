//go:build race

package tutorial

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The test that forgot an access fails, and the detector names the two lines.
func TestReport(t *testing.T) {
	chapter := "12_testing"
	cmd := exec.Command("go", "test", "-race", "-count=1", "./testdata/forgot")
	cmd.Dir = chapter
	cmd.Env = append(os.Environ(), "GORACE=halt_on_error=1")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	want, err := os.ReadFile(filepath.Join(chapter, "testdata", "report.txt"))
	require.NoError(t, err)
	assert.Equal(t, accesses(string(want)), accesses(string(out)), "%s", out)
}

var (
	access = regexp.MustCompile(`(?i)^(?:previous )?(read|write) at 0x`)
	where  = regexp.MustCompile(`forgot_test\.go:\d+ `)
)

// accesses returns the two accesses of a report, kind and place. Which of them came first depends on the schedule.
func accesses(report string) (found []string) {
	for line := range strings.Lines(report) {
		if m := access.FindStringSubmatch(line); m != nil {
			found = append(found, strings.ToLower(m[1]))
		} else if m := where.FindString(line); m != "" && len(found) > 0 {
			found[len(found)-1] += " " + m
		}
	}
	slices.Sort(found)
	return found
}
