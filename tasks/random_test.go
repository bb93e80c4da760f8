package tasks_test

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/tasks"
)

var (
	seedCount = flag.Int("seeds", 10000, "random programs per test; by default fewer for some tests, and a twentieth with -race and -short")
	oneSeed   = flag.Int64("seed", -1, "run the random program of this seed only")
)

// eachSeed calls f with the seeds of this test run, by default one part in share of them.
func eachSeed(share int, f func(seed uint64)) {
	if *oneSeed >= 0 {
		f(uint64(*oneSeed))
		return
	}
	n, given := *seedCount, false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "seeds" })
	if !given {
		n /= share
		if race.Enabled || testing.Short() {
			n /= 20
		}
	}
	for seed := range n {
		f(uint64(seed))
	}
}

// hangs is how long a run of a small program may take on a busy machine before it counts as hanging.
const hangs = time.Minute

// guarded fails the test, saying who waits for what, if f does not return in time.
func guarded(t testing.TB, rt *tasks.Runtime, f func() error, about func() string) error {
	t.Helper()
	end := make(chan error, 1)
	go func() { end <- f() }()
	timer := time.NewTimer(hangs)
	defer timer.Stop()
	select {
	case err := <-end:
		return err
	case <-timer.C:
		var b strings.Builder
		rt.Dump(&b)
		t.Fatalf("hangs: %s\n%s", about(), &b)
		return nil
	}
}

// numbers is a sequence that a seed decides; hidden from the race detector because Config.Pick is called by many
// goroutines in turn.
type numbers struct{ state uint64 }

//go:norace
func (n *numbers) pick(k int) int {
	n.state = n.state*6364136223846793005 + 1442695040888963407
	return int(n.state >> 33 % uint64(k))
}

// setups are the runtimes that the random tests run on. They are used again and again: recycling is tested, too.
type setups struct {
	t    testing.TB
	pick numbers
	rts  map[string]*tasks.Runtime
}

func newSetups(t testing.TB) *setups { return &setups{t: t, rts: map[string]*tasks.Runtime{}} }

func (s *setups) get(name string, cfg tasks.Config) *tasks.Runtime {
	name = fmt.Sprintf("%s, %d workers, throttle %d", name, cfg.Workers, cfg.Throttle)
	rt := s.rts[name]
	if rt == nil {
		var err error
		rt, err = tasks.New(cfg)
		require.NoError(s.t, err)
		s.rts[name] = rt
	}
	return rt
}

func (s *setups) serial() *tasks.Runtime {
	return s.get("serial", tasks.Config{Workers: 1, Serial: true})
}

func (s *setups) real(seed uint64) *tasks.Runtime {
	return s.get("real", tasks.Config{Workers: []int{1, 2, 4}[seed%3], Throttle: []int{0, 1, 5, -1}[seed/3%4]})
}

func (s *setups) picked(seed uint64) *tasks.Runtime {
	s.pick.state = seed
	return s.get("picked", tasks.Config{Workers: 1, Throttle: []int{1, 2, 5, -1}[seed%4], Pick: s.pick.pick})
}

func (s *setups) close() {
	if s.t.Failed() {
		return // a run that hangs would not let Close return
	}
	for _, rt := range s.rts {
		require.NoError(s.t, rt.Close())
	}
}

// TestRandomPrograms runs random programs in program order, in a random order of one body at a time, and for real;
// all must agree with their elision.
func TestRandomPrograms(t *testing.T) {
	s := newSetups(t)
	defer s.close()
	eachSeed(1, func(seed uint64) {
		p := newProgram(seed)
		for name, rt := range map[string]*tasks.Runtime{"serial": s.serial(), "picked": s.picked(seed), "real": s.real(seed)} {
			try := func(p *program) error {
				want, m := newMachine(p), newMachine(p)
				want.elide(p.root)
				s.pick.state = seed
				err := guarded(t, rt, func() error { return rt.Run(context.Background(), m.main) }, func() string { return name + ": " + p.String() })
				if err != nil {
					return err
				}
				return m.compare(want)
			}
			if err := try(p); err != nil {
				whole := p.String()
				last := err
				p.shrink(func(p *program) bool {
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
		}
	})
}
