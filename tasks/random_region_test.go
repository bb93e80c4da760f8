package tasks_test

import (
	"context"
	"errors"
	"testing"

	"github.com/gompss/gompss/tasks"
)

var errRace = errors.New("the race detector reported a race")

// runRegions runs p once and returns what is wrong with that.
func runRegions(t testing.TB, rt *tasks.Runtime, name string, p *regionProgram) error {
	want, m := newRegionMachine(p), newRegionMachine(p)
	want.elide(p.root)
	races := raceErrors()
	err := guarded(t, rt, func() error { return rt.Run(context.Background(), m.main) }, func() string { return name + ": " + p.String() })
	if err == nil {
		err = m.compare(want.machine)
	}
	if err == nil && raceErrors() != races {
		err = errRace
	}
	return err
}

// TestRandomRegions runs random programs whose accesses overlap in every way in program order, in a random order of one
// body at a time, and for real; all must agree with their elision, and in race builds be free of races.
func TestRandomRegions(t *testing.T) {
	s := newSetups(t)
	defer s.close()
	eachSeed(2, func(seed uint64) {
		p := newRegionProgram(seed)
		for name, rt := range map[string]*tasks.Runtime{"serial": s.serial(), "picked": s.picked(seed), "real": s.real(seed)} {
			try := func(p *regionProgram) error {
				s.pick.state = seed
				return runRegions(t, rt, name, p)
			}
			err := try(p)
			if err == nil {
				continue
			}
			whole, last := p.String(), err
			p.shrink(func(p *regionProgram) bool {
				for range 20 {
					if err := try(p); err != nil {
						last = err
						return true
					}
				}
				return false
			})
			t.Fatalf("seed %d, %s: %v\n%s\nshrunk: %v\n%s\nrerun with -seed=%d", seed, name, err, whole, last, p, seed)
		}
	})
}
