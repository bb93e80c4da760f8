package tasks

import (
	"fmt"
	"io"
	"strings"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
)

// dumpMax bounds how many lines of one sort a report has.
const dumpMax = 100

// Dump writes who waits for what: for every run under way the bodies that gave their slot away, the events that
// completed bodies wait for, and tasks that wait for those. It may be called at any time by any goroutine, a signal's
// included; the library installs no signal handler. While tasks run the report is only roughly of one moment.
//
//go:norace
func (rt *Runtime) Dump(out io.Writer) {
	_, _ = io.WriteString(out, rt.report())
}

// report must not be hidden from the race detector: fmt shares its buffers with everybody.
//
//go:norace
func (rt *Runtime) report() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d slots, %d idle; ready: %d to go on, %d in the common queue", len(rt.slots), rt.idle.n.Load(), rt.front.n.Load(), rt.back.n.Load())
	own := 0
	for _, s := range rt.slots {
		own += s.ready.Len()
	}
	fmt.Fprintf(&b, ", %d in slots' queues; pending: %d outside, %d messages\n", own, rt.outside.Load(), rt.inside.Load())
	rt.mu.Lock()
	r := rt.mu.runs
	rt.mu.Unlock()
	if r == nil {
		b.WriteString("no run under way\n")
	}
	for ; r != nil; r = r.next {
		r.report(&b)
	}
	return b.String()
}

//go:norace
func (r *run) report(b *strings.Builder) {
	fmt.Fprintf(b, "run of \"%s\":\n", r.root.Label())
	if c := r.cause.Load(); c != nil {
		fmt.Fprintf(b, "  cancelled: %.200s\n", c.cause.Error())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for w := r.mu.blocked; w != nil; w = w.next {
		if n++; n > dumpMax {
			continue
		}
		fmt.Fprintf(b, "  task \"%s\" waits for %s\n", w.task.path(), w.awaits())
		reportAccesses(b, w.task)
		reportBelow(b, w)
	}
	more(b, n)
	n = 0
	for h := r.mu.holds; h != nil; h = h.next {
		if n++; n > dumpMax {
			continue
		}
		what := "an event"
		if h.what != nil {
			what = h.what.String()
		}
		fmt.Fprintf(b, "  task \"%s\" is held by %s\n", h.t.path(), what)
		reportAccesses(b, h.t)
	}
	more(b, n)
}

// awaits describes what w waits for.
//
//go:norace
func (w *worker) awaits() string {
	switch {
	case w.what == nil:
		return w.reason.String()
	case w.reason == waitSuspend:
		return w.what.String()
	}
	return w.reason.String() + " " + w.what.String()
}

// reportBelow lists the bodies that wait on w's stack for the child that runs on top of them.
//
//go:norace
func reportBelow(b *strings.Builder, w *worker) {
	c := w.task
	for p := c.parent; p != nil && p.worker == w; c, p = p, p.parent {
		why := waitTasks
		if c.flags&undeferred != 0 {
			why = waitUndeferred
		}
		fmt.Fprintf(b, "  task \"%s\" waits for %s\n", p.path(), why)
	}
}

//go:norace
func more(b *strings.Builder, n int) {
	if n > dumpMax {
		fmt.Fprintf(b, "  … and %d more\n", n-dumpMax)
	}
}

// path returns the labels from the run's root to t.
//
//go:norace
func (t *Task) path() string {
	text := t.Label()
	for p, i := t.parent, 0; p != nil && i < 8; p, i = p.parent, i+1 {
		text = p.Label() + " › " + text
	}
	return text
}

// reportAccesses lists which tasks wait for t's accesses.
//
//go:norace
func reportAccesses(b *strings.Builder, t *Task) {
	var followers [4]*deps.Node
	n := t.node.Followers(followers[:])
	for _, f := range followers[:min(n, len(followers))] {
		next := taskOf(f)
		fmt.Fprintf(b, "    task \"%s\" waits for it", next.Label())
		for i := range next.node.Accesses() {
			if next.node.Waiting(i) {
				fmt.Fprintf(b, ", %v", next.node.Access(i))
			}
		}
		b.WriteByte('\n')
	}
	if n > len(followers) {
		fmt.Fprintf(b, "    and %d more\n", n-len(followers))
	}
}

// deadlock ends the runs from r on: nothing of them can proceed.
//
//go:norace
func (rt *Runtime) deadlock(r *run) {
	race.Enable()
	err := &DeadlockError{Waiting: rt.report()}
	rt.cfg.Logger.Error(err.Error())
	for x := r; race.Enabled && x != nil; x = x.next {
		race.ReleaseMerge(unsafe.Pointer(&x.cause))
	}
	race.Disable()
	for r != nil {
		next := r.next
		if r.cause.Load() == nil && r.ctx.Err() != nil {
			r = next // its cancellation is under way and comes back here (abort)
			continue
		}
		r.cancelWith(&cancelled{cause: err}, true)
		r = next
	}
}
