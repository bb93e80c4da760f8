package tasks

import (
	"fmt"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/internal/tracing"
)

// Observer hears what becomes of every task of a runtime ([Config].Observer), for tools that check or draw programs;
// package taskstest has one.
//
// Observe is called on the goroutine where the event happens, several at a time unless there is one slot, and the
// task goes on when it returns. It must not use the runtime. In race builds it is called hidden from the detector and
// must carry //go:norace.
type Observer interface {
	Observe(e Event)
}

// EventKind tells what happened to a task.
type EventKind uint8

const (
	EventCreated  EventKind = iota // by its parent's body; nobody else has it yet
	EventBegins                    // its body
	EventPauses                    // its body gives its slot away
	EventResumes                   // its body has a slot again
	EventReleases                  // its body gave Access up ([Task.Release])
	EventEnds                      // its body
	EventReleased                  // its accesses are given up, as far as no child uses them; not told if it has no children
	EventOutside                   // its body lets something outside act in its name: it takes a hold, or is about to be suspended
	EventDone                      // it is deeply complete, and everything is released
)

// Event is one step in the life of one task. A task that is skipped neither begins nor ends.
type Event struct {
	Kind EventKind
	Task uint64 // its number in the runtime, not 0

	// With EventCreated.
	Parent   uint64    // 0: none
	Label    string    // as of [Task.Label]
	Body     uintptr   // entry of the body's function, as for runtime.FuncForPC; 0: the runtime's own
	Declared deps.List // as the clauses say, empty ones included
	Accesses deps.List // as they are in force: combined, and weak ones strong in a final task
	Beyond   deps.List // one of Accesses, and one of the parent's that does not cover it; see deps.Node.Beyond

	// With EventReleases.
	Access deps.Access
}

// Observed tells whether the runtime has an [Observer]. Libraries that replay tasks spawn them instead, for it sees only what
// is spawned.
//
//go:norace
func (rt *Runtime) Observed() bool { return tracing.Built && rt.cfg.Observer != nil }

// observed tells whether the runtime has an observer. Whoever asks has a task that isTraced, so a runtime without pays
// nothing.
//
//go:norace
func (s *slot) observed() bool { return s.rt.Observed() }

//go:norace
func (s *slot) observe(k EventKind, t *Task) {
	if s.observed() {
		s.rt.cfg.Observer.Observe(Event{Kind: k, Task: t.id})
	}
}

// observeCreate must not let a clause escape: they stay on the stack of Spawn's caller.
//
//go:norace
func (s *slot) observeCreate(t, parent *Task, clauses []Clause) {
	if !s.observed() {
		return
	}
	if race.Enabled {
		defer enableOnPanic()
	}
	e := Event{Kind: EventCreated, Task: t.id, Label: t.Label(), Body: entryOf(t.body)}
	if parent != nil {
		e.Parent = parent.id
	}
	if t.node.Accesses() > 0 {
		if child, up, found := t.node.Beyond(); found {
			e.Beyond = make(deps.List, 2)
			e.Beyond[0], e.Beyond[1] = child, up
		}
		e.Accesses = make(deps.List, t.node.Accesses())
		for i := range e.Accesses {
			e.Accesses[i] = t.node.Access(i)
		}
		e.Declared = accessesOf(clauses)
	}
	s.rt.cfg.Observer.Observe(e)
}

// observeCombiner is observeCreate for the combination of a reduction, whose node has no access yet.
//
//go:norace
func (s *slot) observeCombiner(t, parent *Task) {
	if s.observed() {
		s.rt.cfg.Observer.Observe(Event{Kind: EventCreated, Task: t.id, Parent: parent.id, Label: t.Label()})
	}
}

//go:norace
func (s *slot) observeRelease(t *Task, a deps.Access) {
	if s.observed() {
		s.rt.cfg.Observer.Observe(Event{Kind: EventReleases, Task: t.id, Access: a})
	}
}

// checkCover makes a task fail that declares more than its parent did for the same bytes, for race builds: such a task is
// not ordered as it says.
//
//go:norace
func (t *Task) checkCover() {
	defer enableOnPanic() // Beyond may find accesses that exclude each other
	child, up, found := t.node.Beyond()
	if !found {
		return
	}
	race.Enable()
	t.failWith(fmt.Errorf("deps: %v of task %q is more than %v, which its parent, task %q, declares for these bytes", child, t.Label(), up, t.parent.Label()))
	race.Disable()
}

// accessesOf copies what the clauses declare.
//
//go:norace
func accessesOf(clauses []Clause) deps.List {
	n := 0
	for i := range clauses {
		switch c := clauses[i].(type) {
		case deps.Access:
			n++
		case deps.List:
			n += len(c)
		}
	}
	all := make(deps.List, n)
	n = 0
	for i := range clauses {
		switch c := clauses[i].(type) {
		case deps.Access:
			all[n] = c
			n++
		case deps.List:
			for j := range c {
				all[n] = c[j]
				n++
			}
		}
	}
	return all
}

// entryOf returns the entry of a body's function. All shapes of Body are function values: one word that points to a
// closure, whose first word it is.
//
//go:norace
func entryOf(body any) uintptr {
	closure := (*[2]unsafe.Pointer)(unsafe.Pointer(&body))[1]
	if closure == nil {
		return 0
	}
	return *(*uintptr)(closure)
}

// number gives a task its number, in the recording if there is one.
//
//go:norace
func (s *slot) number(t *Task) {
	if s.tr != nil {
		t.id = s.ids.take(s.rt.cfg.Trace)
		return
	}
	t.id = s.rt.numbered.Add(1)
}
