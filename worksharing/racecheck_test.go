package worksharing_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRaceDetectorChecksLoops: programs in which ranges of a loop, or a loop and its neighbours, touch the same variable
// unordered are reported under every schedule tried, even on one worker; right ones are silent.
func TestRaceDetectorChecksLoops(t *testing.T) {
	_, err := exec.LookPath("gcc")
	require.NoError(t, err, "race builds need gcc")
	exe := filepath.Join(t.TempDir(), "racecheck")
	out, err := exec.Command("go", "build", "-race", "-o", exe, "./testdata/racecheck").CombinedOutput()
	require.NoError(t, err, "%s", out)
	names, err := exec.Command(exe).Output()
	require.NoError(t, err)
	schedules := []string{"-workers=1", "-workers=2", "-workers=4", "-seed=1", "-seed=2"}
	if testing.Short() {
		schedules = schedules[:2]
	}
	for _, name := range strings.Split(strings.TrimSpace(string(names)), "\n") {
		for _, right := range []bool{true, false} {
			for _, s := range schedules {
				cmd := exec.Command(exe, "-program="+name, fmt.Sprintf("-right=%t", right), s)
				cmd.Env = append(os.Environ(), "GORACE=halt_on_error=1 exitcode=66 atexit_sleep_ms=0")
				out, err := cmd.CombinedOutput()
				var exit *exec.ExitError
				raced := errors.As(err, &exit) && exit.ExitCode() == 66 && bytes.Contains(out, []byte("DATA RACE"))
				switch {
				case right && err != nil:
					t.Errorf("%s, right, %s: %v\n%s", name, s, err, out)
				case !right && !raced:
					t.Errorf("%s, wrong, %s: not reported: %v\n%s", name, s, err, out)
				}
			}
		}
	}
}
