package worksharing

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/tasks"
)

// For spawns one child task of t whose iterations [0, n) are shared among the slots (task for), and returns at once.
// The task is ready when its clauses allow, as with tasks.Spawn; then body is called for ranges [lo, hi), several at
// once, that cover the iterations once. When the last of them is over, and all tasks that they spawned are, the task is
// complete and gives its accesses up. There is no barrier: a slot that finds no more iterations goes on elsewhere.
//
// The t of body is that of the collaborator that runs the range: a task of its own, child of the loop's. It carries the
// loop's reduction accesses and no others, so reduce.Local works, and Release is for nothing. What body spawns and
// holds belongs to the collaborator; to nest For and Loop is as good as anything. The order of the ranges is not
// defined, except in serial elision, where it is that of the iterations.
//
// The clauses mean:
//
//   - Accesses are the loop's, for all of its iterations. As in OmpSs-2 the task is final: weak accesses are strong.
//   - Label, Priority and Type hold for the loop and its collaborators; OnReady runs once for the loop and, with Hold,
//     delays all of it; Cost is that of the whole loop. WaitChildren is implied.
//   - With If(false) For returns when the whole loop is over. Several slots may run it all the same.
//
// A panic in body fails the task: ranges that have not started are not, and its dependents are skipped. So does the
// failure of a task that a body spawned and nobody waited for. If the run is cancelled, no more ranges start.
//
// With n = 0 body is not called; the task is a task all the same. For panics if n is negative or body nil, and where
// tasks.Spawn does. In race builds every range, or a 64th of the loop if there are more, is a goroutine of its own that
// the detector sees unordered with the others: two that touch the same variable are reported on one worker, too.
//
// With an ordered reduction (reduce.Ordered) the loop is dealt in at most 64 parts, whatever the schedule: the result has
// the same bits in every run, on any number of workers.
//
// Cost: a spawn and three allocations for the loop, more with a label or priority; a spawn per collaborator, of which
// there are at most as many as slots and as ranges; and one atomic operation per range.
func For(t *tasks.Task, n int, s Schedule, body func(t *tasks.Task, lo, hi int), clauses ...tasks.Clause) {
	if n < 0 {
		panic(fmt.Sprintf("worksharing: For of %d iterations", n))
	}
	if body == nil {
		panic("worksharing: For of a nil body")
	}
	l := &shared{body: body, schedule: s}
	l.n = n
	l.clauses = inherited(clauses)
	l.dealt = race.Enabled || ordered(l.clauses)
	l.run = l.collaborate
	// By assignment, clause by clause: what append or copy moves would be on the heap.
	var few [8]tasks.Clause
	if len(clauses)+2 > len(few) {
		tasks.Spawn(t, l.start, copied(clauses)...)
		return
	}
	for i := range clauses {
		few[i] = clauses[i]
	}
	few[len(clauses)], few[len(clauses)+1] = ofFor[0], ofFor[1]
	tasks.Spawn(t, l.start, few[:len(clauses)+2]...)
}

// shared is what the collaborators of one For share.
//
// The loop's own task creates the collaborators and then waits for them, which takes neither its slot nor, if it finds
// them in its queue, another stack. Ranges run in leaves of the tree of tasks, so that Wait in a body waits for what the
// body spawned and nothing else.
type shared struct {
	plan
	schedule Schedule
	body     func(t *tasks.Task, lo, hi int)
	run      func(t *tasks.Task) // collaborate, made once
	clauses  []tasks.Clause      // of the collaborators
	stopped  atomic.Bool         // no more ranges are to start: a body failed, or the run was cancelled
	aborted  atomic.Bool         // it was the run

	_      [128]byte    // the line of what follows moves from core to core
	next   atomic.Int64 // what is claimed: chunks with static and dynamic, iterations with guided and adaptive
	joined atomic.Int32 // collaborators that have started
	_      [128]byte
}

// start is the body of the loop's own task, which an Iter runs many times, one after the other.
func (l *shared) start(t *tasks.Task) error {
	l.next.Store(0)
	l.joined.Store(0)
	l.stopped.Store(false)
	l.aborted.Store(false)
	l.cut(l.schedule, t.Runtime().Workers())
	l.invite(t, 0, l.parts)
	return l.outcome(t, t.Wait())
}

// inviteMax is how many collaborators one task creates. It is chosen, not measured: about a microsecond's worth.
const inviteMax = 8

// invite creates the collaborators lo to hi. Many are created by several tasks, each of which first looks whether there
// still is something to do.
func (l *shared) invite(t *tasks.Task, lo, hi int) {
	if hi-lo > inviteMax {
		mid := lo + (hi-lo)/2
		tasks.Spawn(t, func(t *tasks.Task) { l.invite(t, lo, mid) }, l.clauses...)
		tasks.Spawn(t, func(t *tasks.Task) { l.invite(t, mid, hi) }, l.clauses...)
		return
	}
	for i := lo; i < hi && !l.exhausted(); i++ {
		if l.dealt {
			tasks.Spawn(t, func(t *tasks.Task) { l.deal(t, i) }, l.clauses...)
		} else {
			tasks.Spawn(t, l.run, l.clauses...)
		}
	}
}

// collaborate runs ranges until there are no more.
func (l *shared) collaborate(t *tasks.Task) {
	cancelled := t.Context().Done()
	over := false
	defer l.left(&over)
	c := claimant{number: int(l.joined.Add(1)) - 1}
	for l.open(cancelled) {
		lo, hi := l.claim(&c)
		if lo == hi {
			break
		}
		l.body(t, lo, hi)
	}
	over = true
}

// deal runs the ranges of part i of a loop whose parts are settled beforehand: nothing that they share could order them
// for the race detector, none waits for a range of another one on the same goroutine, and the i-th of them contributes to
// an ordered reduction as the i-th.
func (l *shared) deal(t *tasks.Task, i int) {
	cancelled := t.Context().Done()
	over := false
	defer l.left(&over)
	first, end := even(l.chunks, l.parts, i)
	for ; first < end && l.open(cancelled); first++ {
		lo, hi := l.at(first)
		l.body(t, lo, hi)
	}
	over = true
}

// left ends the loop early if a body did not return: by a panic, which goes on, or because it ended its goroutine.
func (l *shared) left(over *bool) {
	if !*over {
		l.stopped.Store(true)
	}
}

// open tells whether another range may start. Stores to stopped come with a failure only, so they order nothing that
// the race detector should see unordered.
func (l *shared) open(cancelled <-chan struct{}) bool {
	select {
	case <-cancelled:
		l.aborted.Store(true)
		l.stopped.Store(true)
	default:
	}
	return !l.stopped.Load()
}

// outcome returns the error of the loop's task, given those of its children. The collaborators bear its label, which it
// is going to put before what it returns.
func (l *shared) outcome(t *tasks.Task, err error) error {
	if err == nil {
		if l.aborted.Load() {
			return context.Cause(t.Context())
		}
		return nil
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		errs := many.Unwrap()
		own := make([]error, len(errs))
		for i, e := range errs {
			own[i] = ofCollaborator(e, t.Label())
		}
		return errors.Join(own...)
	}
	return ofCollaborator(err, t.Label())
}

func ofCollaborator(err error, label string) error {
	if e, ok := err.(*tasks.TaskError); ok && e.Label == label {
		return e.Err
	}
	return err
}
