//go:build !race

package tasks_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/tasks"
)

// raceErrors returns how many races the detector has reported so far.
func raceErrors() int { return 0 }

var missingCount = flag.Int("missing", 150, "random programs with an access missing, for the race detector to find")

// TestRandomMissingAccess leaves one access out of each of many random programs. If one of a few schedules shows the
// mistake, by two bodies that meet or by a wrong result, then a race build must report it under others.
func TestRandomMissingAccess(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "tasks.race")
	out, err := exec.Command("go", "test", "-race", "-c", "-o", exe, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	cmd := exec.Command(exe, "-test.run=^TestMissingAccessRuns$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=0-%d", missingSeeds, *missingCount),
		"GORACE=history_size=7 suppress_equal_stacks=0 suppress_equal_addresses=0 atexit_sleep_ms=0")
	var exit *exec.ExitError
	out, err = cmd.Output()
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	reports := map[uint64]int{}
	for _, line := range strings.Split(string(out), "\n") {
		var seed uint64
		var n, refused int
		if k, _ := fmt.Sscanf(line, "seed %d: %d races, %d refused", &seed, &n, &refused); k == 3 {
			reports[seed] = n + refused
		}
	}

	s := newSetups(t)
	defer s.close()
	programs, reported, shown, missed := 0, 0, 0, 0
	for seed := range uint64(*missingCount) {
		p := newRegionProgram(seed)
		wrong := showsMistake(t, s, p, seed)
		if wrong == nil {
			continue
		}
		n, ran := reports[seed]
		require.True(t, ran, "seed %d did not run in the race build", seed)
		programs++
		if n > 0 {
			reported++
		}
		if errors.Is(wrong, errNone) {
			continue
		}
		shown++
		if n == 0 {
			m := newRegionMachine(p)
			m.forget(seed)
			missed++
			t.Logf("seed %d: not reported: %v\ntask %d without %v of\n%s", seed, wrong, m.forgetful.id, m.forgetful.accs[m.forgets], p)
		}
	}
	// What happened more than some ends of goroutines ago the detector may have forgotten.
	require.LessOrEqual(t, missed*50, shown)
	t.Logf("%d programs, %d shown to be wrong by a schedule, %d reported by the race build", programs, shown, reported)
}

var errNone = errors.New("no schedule shows the mistake")

// showsMistake returns what the program does wrong when an access is left out, nil if none can be.
func showsMistake(t *testing.T, s *setups, p *regionProgram, seed uint64) error {
	want := newRegionMachine(p)
	want.elide(p.root)
	for i := range uint64(8) {
		m := newRegionMachine(p)
		if !m.forget(seed) {
			return nil
		}
		rt := s.picked(seed + i)
		if i == 7 {
			rt = s.real(seed)
		}
		err := guarded(t, rt, func() error { return rt.Run(context.Background(), m.main) }, p.String)
		if err == nil {
			err = m.compare(want.machine)
		}
		if err != nil && !errors.Is(err, tasks.ErrDeadlock) {
			return err
		}
	}
	return errNone
}
