package mpi_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRaceDetectorSeesWhatMPIPromises proves both sides of race builds: a program that leaves out a dependency, a message
// or a wait is reported under every schedule tried, although its goroutines met in mpi; the right program is silent.
func TestRaceDetectorSeesWhatMPIPromises(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("race builds need gcc")
		}
		t.Skip("race builds need gcc")
	}
	exe := filepath.Join(t.TempDir(), "racecheck")
	out, err := exec.Command("go", "build", "-race", "-o", exe, "./testdata/racecheck").CombinedOutput()
	require.NoError(t, err, "%s", out)
	names, err := exec.Command(exe).Output()
	require.NoError(t, err)

	var schedules [][]string
	for _, w := range []int{2, 1, 4} {
		schedules = append(schedules, []string{fmt.Sprintf("-workers=%d", w)})
	}
	for s := range 2 {
		schedules = append(schedules, []string{fmt.Sprintf("-seed=%d", s+1)})
	}
	if testing.Short() {
		schedules = schedules[:2]
	}
	two := make(chan bool, 2)
	var wg sync.WaitGroup
	for _, name := range strings.Split(strings.TrimSpace(string(names)), "\n") {
		for _, right := range []bool{true, false} {
			for _, s := range schedules {
				wg.Go(func() {
					two <- true
					defer func() { <-two }()
					cmd := exec.Command(exe, append([]string{"-program=" + name, fmt.Sprintf("-right=%t", right)}, s...)...)
					cmd.Env = append(os.Environ(), "GORACE=halt_on_error=1 exitcode=66 atexit_sleep_ms=0")
					out, err := cmd.CombinedOutput()
					var exit *exec.ExitError
					raced := errors.As(err, &exit) && exit.ExitCode() == 66 && bytes.Contains(out, []byte("DATA RACE"))
					switch {
					case right && err != nil:
						t.Errorf("%s, right, %v: %v\n%s", name, s, err, out)
					case !right && !raced:
						t.Errorf("%s, something missing, %v: not reported: %v\n%s", name, s, err, out)
					}
				})
			}
		}
	}
	wg.Wait()
}
