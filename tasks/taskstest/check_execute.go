package taskstest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// outcome is what came of one run.
type outcome struct {
	*record
	result  any
	err     error
	stuck   string // who waited for what when nothing happened any more
	lost    bool   // a body never came to an end; it still runs
	content uint64 // a hash of what tasks declared, as it was in the end
	shape   uint64 // a hash of which tasks there were, and which of them ran
}

var inOrder = tasks.Config{Workers: 1, Throttle: -1, Pick: oldest}

//go:norace
func oldest(int) int { return 0 }

var (
	// quiet is for how long nothing may happen, while no body runs, before a run counts as stuck. Only what is outside can
	// end it then.
	quiet = 3 * time.Second

	// patience is for how long a body may run with values that are not its own.
	patience = 10 * time.Second
)

var errGivenUp = errors.New("taskstest: the run does not go on")

// execute runs the program once. With a trial, changes are not looked at.
func (c *checker) execute(cfg tasks.Config, r *record, trial *trial) outcome {
	r.trial = trial
	cfg.Observer = r
	rt, err := tasks.New(cfg)
	if err != nil {
		c.t.Fatal(err)
	}
	defer watch(c.t, rt)()
	main, result := c.program()
	ctx, cancel := context.WithCancelCause(c.t.Context())
	defer cancel(nil)
	from := time.Now()
	done := make(chan error, 1)
	go func() { done <- rt.Run(ctx, main) }()
	o := outcome{record: r}
	tick := time.NewTicker(quiet / 4)
	defer tick.Stop()
	last, since := -1, from
	for over := false; !over; {
		select {
		case o.err = <-done:
			over = true
		case <-tick.C:
			now, running := r.state()
			if now != last {
				last, since = now, time.Now()
			}
			idle := time.Since(since)
			switch {
			case o.stuck != "" && idle > 2*quiet, o.lost && idle > 2*patience:
				r.abandon()
				over = true
				if o.err == nil {
					o.err = errGivenUp
				}
				rt = nil // what is left of it cannot be closed
			case o.stuck == "" && !running && idle > quiet:
				var b strings.Builder
				rt.Dump(&b)
				o.stuck = b.String()
				cancel(errGivenUp)
			case trial != nil && running && idle > patience && !o.lost:
				o.lost = true
				r.restore()
				cancel(errGivenUp)
			}
		}
	}
	if rt != nil {
		_ = rt.Close()
	}
	if result != nil && rt != nil {
		o.result = result()
	}
	o.content, o.shape = r.hash(), r.tree()
	return o
}

func (r *record) state() (now int, running bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now, r.running != nil
}

// abandon makes the record deaf.
func (r *record) abandon() {
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
}

// restore gives a body that does not end its own values back.
func (r *record) restore() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running != nil {
		r.trial.leave(r.running)
	}
}

// hash is one of all bytes that were declared, whoever declared them first, without what looks like pointers.
func (r *record) hash() (sum uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.lives {
		h := hashOfText(l.path)
		for _, a := range l.accs {
			for i := range a.Runs() {
				p, n := a.Run(i)
				h = hashOf(h, unsafe.Slice((*byte)(p), int(n)))
			}
		}
		if !l.combines {
			sum += h
		}
	}
	return sum
}

// tree is a hash of the tasks that does not depend on their order in time.
func (r *record) tree() (sum uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.lives {
		if !l.combines {
			sum += hashOfText(l.path+" "+l.label) * uint64(1+2*min(l.begun, 1))
		}
	}
	return sum
}

func hashOfText(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return h
}

// hashOf takes words as words where they are aligned.
func hashOf(h uint64, b []byte) uint64 {
	for i := 0; i < len(b); {
		w := uint64(b[i])
		step := 1
		if uintptr(unsafe.Pointer(&b[i]))%8 == 0 && len(b)-i >= 8 {
			w, step = *(*uint64)(unsafe.Pointer(&b[i])), 8
			if pointerLike(w) {
				w = 0
			}
		}
		h = (h ^ w) * 0x100000001b3
		h ^= h >> 29
		i += step
	}
	return h
}

// cycle says which task held what another one needed to begin, as far as that explains why a run did not go on. Tasks
// that never began were skipped when it was given up.
func (r *record) cycle() string {
	for _, l := range r.lives {
		if !l.waited {
			continue
		}
		for i, a := range l.accs {
			if a.IsWeak() || a.Kind() != deps.KindCommutative {
				continue
			}
			for _, u := range r.lives {
				if u == l || u.begun != 0 || l.released != 0 && l.released < u.created {
					continue
				}
				for j, b := range u.accs {
					if b.Kind() == deps.KindCommutative && !share(l.spans[i], u.spans[j]).empty() {
						return fmt.Sprintf(" %v holds %s while it waits, and %v cannot begin without it. Wait without holding it, or give it up with Release before",
							l, ordinal(l, i), u)
					}
				}
			}
		}
	}
	return ""
}
