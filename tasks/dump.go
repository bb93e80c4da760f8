package tasks

import (
	"fmt"
	"io"
	"strings"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

// dumpMax bounds how many lines of one sort a report has.
const dumpMax = 100

// Dump writes who waits for what: for every run under way the bodies that run, with those that wait for them on the same
// stack, the bodies that gave their slot away, the events that completed bodies wait for, and the tasks that wait for the
// accesses of any of these. Of each sort it shows a hundred. It may be called at any time by any goroutine, a signal's
// included; the library installs no signal handler. While tasks run the report is only roughly of one moment, and of
// bodies that are over before they can be named it gives the number.
//
// Cost: none for the tasks but a lock of each run, held while its blocked bodies are listed.
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
	rt.reportSlots(&b)
	fmt.Fprintf(&b, "; ready: %d to go on, %d in the common queue", rt.front.n.Load(), rt.back.n.Load())
	own := 0
	for _, s := range rt.allSlots() {
		own += s.ready.Len()
	}
	fmt.Fprintf(&b, ", %d in slots' queues; pending: %d outside, %d messages\n", own, rt.outside.Load(), rt.inside.Load())
	rt.mu.Lock()
	r := rt.mu.runs
	rt.mu.Unlock()
	if r == nil {
		b.WriteString("no run under way\n")
	}
	bodies, unnamed, short := rt.bodies()
	runs := lines{b: &b, margin: ""}
	for ; r != nil; r = r.next {
		if runs.next() {
			r.report(&b, bodies)
		}
	}
	runs.end()
	if unnamed > 0 {
		fmt.Fprintf(&b, "%d more bodies run\n", unnamed)
	}
	if short > 0 {
		fmt.Fprintf(&b, "%d slots are busy with bodies that end too soon to be named\n", short)
	}
	return b.String()
}

//go:norace
func (rt *Runtime) reportSlots(b *strings.Builder) {
	var count [SlotDisabled + 1]int
	for _, s := range rt.Slots() {
		count[s]++
	}
	fmt.Fprintf(b, "%d slots, %d idle", rt.Workers(), count[SlotIdle])
	for s := SlotLeaving; s <= SlotDisabled; s++ {
		if count[s] > 0 {
			fmt.Fprintf(b, ", %d %v", count[s], s)
		}
	}
}

// bodies returns what runs on the slots; how many more bodies run than a report shows; and on how many slots it changes
// too fast.
//
//go:norace
func (rt *Runtime) bodies() (list []body, unnamed, short int) {
	slots := rt.allSlots()
	list = make([]body, min(len(slots), dumpMax)+1)
	n := 0
	race.Disable()
	for _, s := range slots {
		switch found, busy := s.look(&list[n]); {
		case busy:
			short++
		case found && n == len(list)-1:
			unnamed++
		case found:
			n++
		}
	}
	race.Enable()
	return list[:n], unnamed, short
}

// lines counts what is listed of one sort, and says at the end how much was left out.
type lines struct {
	b      *strings.Builder
	margin string
	n      int
}

//go:norace
func (l *lines) next() bool {
	l.n++
	return l.n <= dumpMax
}

//go:norace
func (l *lines) end() {
	if l.n > dumpMax {
		fmt.Fprintf(l.b, "%s… and %d more\n", l.margin, l.n-dumpMax)
	}
}

//go:norace
func (r *run) report(b *strings.Builder, bodies []body) {
	what := "run"
	if r.group != nil {
		what = "group"
	}
	fmt.Fprintf(b, "%s of \"%s\":\n", what, r.root.Label())
	if c := r.cause.Load(); c != nil {
		fmt.Fprintf(b, "  cancelled: %.200s\n", c.cause.Error())
	}
	for i := range bodies {
		if bodies[i].run == r {
			bodies[i].report(b)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	l := lines{b: b, margin: "  "}
	for w := r.mu.blocked; w != nil; w = w.next {
		if l.next() {
			fmt.Fprintf(b, "  task \"%s\" waits for %s\n", w.task.path(), w.awaits())
			reportWaiting(b, w.task)
		}
		l.reportBelow(w)
	}
	l.end()
	l.n = 0
	for h := r.mu.holds; h != nil; h = h.next {
		if !l.next() {
			continue
		}
		what := "an event"
		if h.what != nil {
			what = h.what.String()
		}
		fmt.Fprintf(b, "  task \"%s\" is held by %s\n", h.t.path(), what)
		reportWaiting(b, h.t)
	}
	l.end()
}

// report is of a body that runs.
//
//go:norace
func (x *body) report(b *strings.Builder) {
	what := "runs"
	if x.onReady {
		what = "runs its OnReady"
	}
	fmt.Fprintf(b, "  task \"%s\" %s on slot %d\n", x.path(0), what, x.slot)
	x.waiting.report(b)
	for i := 1; i <= x.below && i < x.labels; i++ {
		fmt.Fprintf(b, "  task \"%s\" waits for %s\n", x.path(i), x.waits[i])
	}
	if x.below >= x.labels {
		fmt.Fprintf(b, "  … and %d more on its stack\n", x.below-x.labels+1)
	}
}

// path returns the labels from the oldest ancestor known to the i-th.
//
//go:norace
func (x *body) path(i int) string {
	text := x.label[i].text()
	for i++; i < x.labels; i++ {
		text = x.label[i].text() + " › " + text
	}
	return text
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
func (l *lines) reportBelow(w *worker) {
	c := w.task
	for p := c.parent; p != nil && p.worker == w; c, p = p, p.parent {
		if !l.next() {
			continue
		}
		why := waitTasks
		if c.flags&undeferred != 0 {
			why = waitUndeferred
		}
		fmt.Fprintf(l.b, "  task \"%s\" waits for %s\n", p.path(), why)
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

// reportWaiting lists which tasks wait for the accesses of t, which is blocked or held and stays so meanwhile.
//
//go:norace
func reportWaiting(b *strings.Builder, t *Task) {
	var x waiting
	race.Disable()
	x.find(t, nil, 0)
	race.Enable()
	x.report(b)
}

//go:norace
func (x *waiting) report(b *strings.Builder) {
	n := min(x.count, waitersMax)
	for i := range n {
		if x.still[i] {
			fmt.Fprintf(b, "    task \"%s\" waits for it, %v\n", x.label[i].text(), x.access[i].Access)
		}
	}
	if x.count > n {
		fmt.Fprintf(b, "    and %d more\n", x.count-n)
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
		r.cancelWith(r.newCancelled(err), true)
		r = next
	}
}
