//go:build race

package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/tasks"
)

// The race detector reports the missing access although one worker a rank runs the tasks one after the other. The report
// ends the process, so it is another one.
func TestRaceDetectorReportsAMissingAccess(t *testing.T) {
	const child = "NBODY_TEST_FORGETFUL"
	if os.Getenv(child) != "" {
		_ = smallRun(t, 2, 1).onRanks(t.Context(), func(n *nbody[float32], t *tasks.Task) { n.solve(t, n.exchangeForgetful) })
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), child+"=1", "GORACE=halt_on_error=1 exitcode=66 atexit_sleep_ms=0")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "not reported:\n%s", out)
	assert.Equal(t, 66, exit.ExitCode(), "%s", out)
	assert.Contains(t, string(out), "DATA RACE")
}
