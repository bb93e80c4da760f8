package worksharing

import (
	"fmt"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// IterOption is a clause of [Iter] and [IterWhile] made by [Unroll], or [Update].
type IterOption struct {
	kind iterKind
	n    int
	_    string // several words: see tasks.Option
}

type iterKind uint8

const (
	iterNone iterKind = iota
	iterUnroll
	iterUpdate
)

// TaskClause marks IterOption as a clause.
func (IterOption) TaskClause() {}

// Update has the body of an [Iter] or [IterWhile] called for every iteration, while the iteration before runs, so that
// tasks capture what they are to capture. As long as it spawns tasks with the same accesses, labels, priorities and costs
// as before, the recorded graph stays and the tasks run with the new bodies; otherwise the graph is recorded anew, and the
// runtime's Stats count why. An iteration starts when the one before is over, and a failure ends the loop.
var Update = IterOption{kind: iterUpdate}

// Unroll has k ≥ 1 iterations recorded as one graph: the body is called k times, with [Index] 0 to k−1. A task of the body
// runs for one iteration at a time, so without it iterations that do not depend on each other overlap only as far as they
// run different tasks; with it k of them run at once.
//
// For an [Iter], whose number of iterations need not be a multiple of k, that is all. An [IterWhile] evaluates its
// condition before iterations 0, k, 2k, … only: up to k−1 iterations run that a while loop would not have run. Unroll(1) is
// the default.
func Unroll(k int) IterOption {
	if k < 1 {
		panic(fmt.Sprintf("worksharing: Unroll(%d)", k))
	}
	return IterOption{kind: iterUnroll, n: k}
}

// Iter spawns a child task of t that runs n iterations of body (taskiter): body spawns the tasks of an iteration, and is
// called once, to record them. What the recorded tasks have to wait for is found out once, too; from then on an iteration
// creates and registers nothing, and tasks of an iteration start as soon as those that they wait for are over, of the same
// iteration or of the one before: there is no barrier. Iter returns at once, like tasks.Spawn.
//
// The outcome is that of a loop that calls body n times, with these rules:
//
//   - body only spawns, as children of the task it is given. Its Wait and the other verbs panic. What it decides, it
//     decides for all iterations; so it must not read what its tasks write.
//   - A task learns from [Index] which iteration it runs for, never from a captured variable: captures are those of the
//     one call. See [Update].
//   - If(false) on a recorded task makes nobody wait, weak accesses are strong, and accesses are held until the task's
//     children are complete, as with tasks.WaitChildren. Release of them panics.
//   - A task that reduces works on a private copy. A reduction that only the next iteration closes is combined at the end
//     of each; one of an item that nothing else in the loop uses is combined once, after the loop. Children of a task take
//     part in its reduction if it is declared weak; then it excludes other tasks.
//
// The clauses are those of the task around the loop; weak accesses among them are strong. As for any parent they must cover
// what its children access. They are held until the loop is over (the wait clause is implied). Reductions are refused:
// what the loop reduces is an InOut of the loop.
//
// A task that fails keeps those from running that read what it wrote, in its iteration and in later ones, until an Out
// overwrites it; the error goes to whoever waits for t's children. With a cancelled run the loop ends early.
//
// Iter panics if n is negative or body nil. With n = 1 nothing is recorded. In serial elision body is called for every
// iteration.
//
// Cost: recording costs about what it costs to spawn three to eight iterations; a recorded one costs an atomic addition for
// each pair of tasks of which one waits for the other, and no allocation.
func Iter(t *tasks.Task, n int, body func(t *tasks.Task), clauses ...tasks.Clause) {
	if body == nil {
		panic("worksharing: Iter of a nil body")
	}
	if n < 0 {
		panic(fmt.Sprintf("worksharing: Iter of %d iterations", n))
	}
	l := &loop{n: n, body: body}
	l.spawn(t, clauses)
}

// IterWhile is [Iter] for as long as cond returns true: cond is evaluated before the first iteration and after each, as by
// a task that reads the given accesses, and no task of an iteration starts before it returned true for it. So it is an exact
// while loop, without a barrier: cond waits for those tasks of the iteration before that write what it reads, and for no
// other; tasks of an iteration may run while others of the one before still do. If reads is empty, or nothing in the body
// writes what it names, cond waits for the whole iteration. The task that cond is given knows by [Index] which iteration is
// about to start; it may wait and spawn.
//
// A cond that panics, or that reads what a failed task wrote, ends the loop with that error. With [Unroll] cond is evaluated
// less often. IterWhile panics if cond or body is nil, or reads has a reduction.
func IterWhile(t *tasks.Task, cond func(t *tasks.Task) bool, reads deps.List, body func(t *tasks.Task), clauses ...tasks.Clause) {
	if body == nil || cond == nil {
		panic("worksharing: IterWhile of a nil condition or body")
	}
	l := &loop{cond: cond, body: body}
	for _, a := range reads {
		if isReduction(a) {
			panic("worksharing: the condition of IterWhile reads a reduction: " + a.String())
		}
		l.reads = append(l.reads, a.Strong())
	}
	l.spawn(t, clauses)
}

// Index returns the iteration, from 0, for which t runs: a task of an [Iter] or [IterWhile], or a descendant of one, in
// which case it is the innermost loop's. In the loop's body it is the iteration that is recorded. Only t's own body may
// call it. It panics if t is in no loop.
func Index(t *tasks.Task) int {
	i, ok := t.Iteration()
	if !ok {
		panic("worksharing: Index of task \"" + t.Label() + "\", which is in no Iter")
	}
	return i
}

// loop is an Iter, or with cond an IterWhile.
type loop struct {
	n      int
	cond   func(*tasks.Task) bool
	reads  deps.List
	body   func(*tasks.Task)
	unroll int
	update bool
}

func (l *loop) spawn(t *tasks.Task, clauses []tasks.Clause) {
	l.unroll = 1
	own := make([]tasks.Clause, 1, len(clauses)+2)
	own[0] = tasks.Label("Iter")
	for i := range clauses {
		switch c := clauses[i].(type) {
		case IterOption:
			switch c.kind {
			case iterUnroll:
				l.unroll = c.n
			case iterUpdate:
				l.update = true
			}
		case deps.Access:
			own = append(own, whole(c))
		case deps.List:
			list := make(deps.List, len(c))
			for j := range c {
				list[j] = whole(c[j])
			}
			own = append(own, list)
		case tasks.Type:
			own = append(own, c)
		case tasks.Option:
			own = append(own, c)
		default:
			own = append(own, nil) // Spawn says what is wrong with it
		}
	}
	tasks.Spawn(t, l.run, append(own, tasks.WaitChildren)...)
}

// whole returns an access of the task around the loop as it declares it.
func whole(a deps.Access) deps.Access {
	if isReduction(a) {
		panic("worksharing: Iter with the clause " + a.String() + ": declare the item as inout of the loop")
	}
	return a.Strong()
}

// run is the body of the task around the loop.
func (l *loop) run(t *tasks.Task) error {
	switch {
	case t.Runtime().Serial(), t.Runtime().Observed():
		return l.inOrder(t)
	case l.update:
		return l.updated(t)
	case l.cond == nil && l.n == 0:
	case l.cond == nil && l.n == 1:
		t.InOrder(0, l.body)
	default:
		if l.cond == nil {
			l.unroll = min(l.unroll, l.n)
		}
		b := builder{final: t.InFinal()}
		for i := range l.unroll {
			b.add(i, t.Record(i, l.body))
		}
		t.Replay(b.graph(l.cond, l.reads), 0, l.n)
	}
	return nil
}

// inOrder is the loop in serial elision, and for an observer, who is to see the tasks of every iteration with their accesses:
// then one iteration follows the other.
func (l *loop) inOrder(t *tasks.Task) error {
	for i := 0; l.cond != nil || i < l.n; i++ {
		if l.cond != nil && i%l.unroll == 0 {
			if err := t.WaitOn(l.reads...); err != nil {
				return err
			}
			goesOn := false
			t.InOrder(i, func(t *tasks.Task) { goesOn = l.cond(t) })
			if !goesOn {
				break
			}
		}
		t.InOrder(i, l.body)
		if t.Runtime().Observed() {
			if err := t.Wait(); err != nil {
				return err
			}
		}
		if t.Context().Err() != nil {
			break // what is spawned from now on is skipped
		}
	}
	return nil
}

// updated runs the loop with the body called for every iteration.
func (l *loop) updated(t *tasks.Task) error {
	var g *tasks.Graph
	for i := 0; l.cond != nil || i < l.n; i++ {
		var next []tasks.Recorded
		if l.cond == nil {
			next = t.Record(i, l.body)
		}
		if err := t.Wait(); err != nil || t.Context().Err() != nil {
			return err
		}
		if l.cond != nil {
			if i%l.unroll == 0 {
				goesOn := false
				t.InOrder(i, func(t *tasks.Task) { goesOn = l.cond(t) })
				if !goesOn {
					return t.Wait()
				}
				if err := t.Wait(); err != nil {
					return err
				}
			}
			next = t.Record(i, l.body)
		}
		changed := tasks.FirstTime
		if g != nil {
			changed = difference(g, next)
		}
		if g == nil || changed != tasks.FirstTime {
			b := builder{final: t.InFinal()}
			b.add(0, next)
			g = b.graph(nil, nil)
			g.Changed = changed
		} else {
			replace(g, next)
		}
		t.Replay(g, i, i+1)
	}
	return nil
}
