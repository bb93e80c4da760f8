package tasks

import (
	"context"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/deps"
)

// Task is one task. A body receives it and may use it until it returns, from the body's goroutine only (the methods
// that others may call say so). Tasks are recycled: a body must not keep its Task.
//
// # Life
//
//	created → registered → ready → running → over → released → deeply complete
//
// Who has the task, and may touch its plain fields:
//
//	created     the creator: the parent's body, inside Spawn
//	registered  nobody: it waits in the dependency engine for its last access (deps: exactly one mailbox emits it)
//	ready       the queue it is in; taking it out of the queue takes the task
//	running     the worker that took it. A body that suspends keeps its goroutine and its worker, not its slot
//	over        the body returned. If holds are pending, whoever ends the last one has the task
//	released    its accesses are given up; with WaitChildren only after live reached zero
//	complete    whoever brings live to zero has it, tells the parent, and drops it
//
// # Words
//
//	live    children not deeply complete + credit + 1 until the task itself is released. Moves: the body adds credit,
//	        every child's completion subtracts one, the task subtracts its credit and its own one at the end. Zero is
//	        reached once and means deeply complete. A task that never spawned does not use it.
//	wakeAt  −1, or the number of live at which the body, which waits (Wait, or ahead of its children), is woken. Set
//	        by the body; taken back to −1 by compare-and-swap by whoever is to wake it. A completion that read live
//	        before the task was over and recycled may wake a later body too early: waiters look again.
//	events  holds pending + 1 for the body (or for OnReady). Zero is reached once per phase; whoever brings it there
//	        goes on with the task. Used only when held is set.
type Task struct {
	node deps.Node // first: taskOf relies on it

	body     any // one of the shapes of Body
	worker   *worker
	parent   *Task
	run      *run
	label    string
	priority int
	id       uint64 // in the trace; of use only when traced
	onReady  func(*Task)
	joiner   *waiter    // who waits for the body's end (undeferred) or for the start (taskwait on)
	cycle    *cycleNode // of a recorded task; see cycle.go
	iterates *iterates  // of a task around a loop; see record.go
	more     *more      // what few tasks have
	errs     atomic.Pointer[errorList]
	err      error

	live    int32
	wakeAt  int32
	events  int32
	credit  int32  // live that the body reserved and has not given to a child
	blocked int32  // children that are suspended
	born    uint32 // the parent's more.waits
	allowed int32  // live up to which the body may go on creating although it is far ahead; see lookAfter

	cost costing

	waiting bool // the body is inside a verb that waits; written by its goroutine
	flags   taskFlags
}

type taskFlags uint16

const (
	spawned      taskFlags = 1 << iota // live is in use
	held                               // events is in use
	final                              // see Final
	waitChildren                       // see WaitChildren
	undeferred                         // If(false)
	placeholder                        // a taskwait on: no body, the joiner takes over when it is ready
	resuming                           // in a queue because its goroutine may go on, not to start
	readied                            // OnReady ran
	returned                           // the body returned, rather than panicked or ended its goroutine
	begun                              // the body started
	isRoot                             // the task of a Run or Go
	costed                             // cost is in use
	traced                             // the runtime records or is observed; from the root down
	recorded                           // it runs again and again: cycle is set; see cycle.go
	recording                          // its Spawn notes what it would create; see record.go
)

//go:norace
func taskOf(n *deps.Node) *Task { return (*Task)(unsafe.Pointer(n)) }

// Context returns the context of the run that the task belongs to. It is cancelled when the run is.
//
//go:norace
func (t *Task) Context() context.Context { return t.run.ctx }

// InFinal tells whether the task is final, by its own [Final] clause or an ancestor's.
//
//go:norace
func (t *Task) InFinal() bool { return t.flags&final != 0 }

// Label returns the task's label, "task" if it has none.
//
//go:norace
func (t *Task) Label() string {
	if t.label == "" {
		return "task"
	}
	return t.label
}

// current returns the worker of a task whose body runs, and panics if it does not.
//
//go:norace
func (t *Task) current(verb string) *worker {
	if t == nil || t.worker == nil || t.flags&returned != 0 {
		panic("tasks: " + verb + " on a task whose body is not running")
	}
	if t.waiting {
		if t.flags&recording != 0 {
			panic("tasks: " + verb + " on a task that records: until its body is over it only spawns")
		}
		panic("tasks: " + verb + " on a task whose body waits: the body that runs has a task of its own")
	}
	return t.worker
}

// fail records why the task failed; the first reason counts.
//
//go:norace
func (t *Task) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

//go:norace
func (t *Task) errors() *errorList {
	for {
		if l := t.errs.Load(); l != nil {
			return l
		}
		t.errs.CompareAndSwap(nil, new(errorList))
	}
}

// addBlocked counts a child that suspends (+1) or goes on (−1): it does not count against its creator's bound.
//
//go:norace
func (t *Task) addBlocked(d int32) {
	if t.parent != nil {
		atomic.AddInt32(&t.parent.blocked, d)
	}
}

// Runtime returns the runtime that runs the task.
//
//go:norace
func (t *Task) Runtime() *Runtime { return t.run.rt }
