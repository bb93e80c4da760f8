package taskstest

import (
	"os"
	"testing"
	"time"

	"github.com/gompss/gompss/tasks"
)

// Serial runs main in program order: every body at its spawn, on the creator's stack. It returns what
// [tasks.Runtime.Run] returned.
//
// A body that waits for what a later one does cannot be run in order: if it is suspended, or if its accesses wait for
// an event that a later body ends, Serial does not return.
func Serial(t testing.TB, main func(*tasks.Task) error) error {
	t.Helper()
	return run(t, tasks.Config{Workers: 1, Serial: true}, main)
}

// Run runs main one body at a time; among the ready tasks a seed chooses the next, and it decides how far creators may
// run ahead. The seed is that of -taskstest.seed, or a new one for each call; if the test fails it is printed. Run
// returns what [tasks.Runtime.Run] returned.
func Run(t testing.TB, main func(*tasks.Task) error) error {
	t.Helper()
	seed := freshSeed()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("taskstest: seed %#x; rerun with -taskstest.seed=%#x", seed, seed)
		}
	})
	return RunSeed(t, seed, main)
}

// RunSeed is [Run] with a given seed: the same seed gives the same order of bodies.
func RunSeed(t testing.TB, seed uint64, main func(*tasks.Task) error) error {
	t.Helper()
	return run(t, seeded(seed), main)
}

// seeded returns what runs one body at a time as a seed decides.
func seeded(seed uint64) tasks.Config {
	s := &sequence{seed}
	throttle := -1 // creators are never held back
	switch s.below(3) {
	case 0:
		throttle = 1
	case 1:
		throttle = 2 + s.below(7)
	}
	return tasks.Config{Workers: 1, Throttle: throttle, Pick: s.below}
}

func run(t testing.TB, cfg tasks.Config, main func(*tasks.Task) error) error {
	t.Helper()
	rt, err := tasks.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	defer watch(t, rt)()
	return rt.Run(t.Context(), main)
}

// watch prints who waits for what shortly before the test's time is over. The returned function ends that.
func watch(t testing.TB, rt *tasks.Runtime) (stop func()) {
	d, ok := t.(interface{ Deadline() (time.Time, bool) })
	if !ok {
		return func() {}
	}
	end, ok := d.Deadline()
	if !ok {
		return func() {}
	}
	timer := time.AfterFunc(time.Until(end)-time.Second, func() { rt.Dump(os.Stderr) })
	return func() { timer.Stop() }
}
