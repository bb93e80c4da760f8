//go:build !race

package tutorial

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The chapter on annotations shows what Check says about its wrong program.
func TestFindings(t *testing.T) {
	chapter := "16_annotations"
	cmd := exec.Command("go", "test", "-count=1", "./testdata/wrong")
	cmd.Dir = chapter
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	var found strings.Builder
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "taskstest") && !strings.HasPrefix(line, "FAIL") {
			found.WriteString(line)
		}
	}
	want, err := os.ReadFile(filepath.Join(chapter, "testdata", "findings.txt"))
	require.NoError(t, err)
	assert.Equal(t, string(want), found.String())
}
