//go:build race

package tasks_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

// raceErrors returns how many races the detector has reported so far.
func raceErrors() int { return runtime.RaceErrors() }

// TestMissingAccessRuns is the other side of TestRandomMissingAccess. It tries several schedules: commutatives may run in
// an order in which nothing is wrong, and the detector forgets goroutines that ended some time ago.
func TestMissingAccessRuns(t *testing.T) {
	var first, last uint64
	if n, _ := fmt.Sscanf(os.Getenv(missingSeeds), "%d-%d", &first, &last); n != 2 {
		return
	}
	s := newSetups(t)
	for seed := first; seed < last; seed++ {
		before, refused := raceErrors(), 0
		for i := uint64(0); i < 16 && raceErrors() == before && refused == 0; i++ {
			m := newRegionMachine(newRegionProgram(seed))
			if !m.forget(seed) {
				break
			}
			rt := s.picked(seed + 1000000*(i+1))
			err := guarded(t, rt, func() error { return rt.Run(context.Background(), m.main) }, m.p.String)
			if err != nil && strings.Contains(err.Error(), "declares for these bytes") {
				refused++ // a child has more than its parent
			}
		}
		fmt.Printf("seed %d: %d races, %d refused\n", seed, raceErrors()-before, refused)
	}
}
