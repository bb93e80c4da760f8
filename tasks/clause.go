package tasks

import (
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
)

// Body is what a task runs: a function with or without its task, with or without an error.
type Body interface {
	func() | func(*Task) | func() error | func(*Task) error
}

// Clause is a property of one task, given to [Spawn]: an access or list of accesses (package deps, package reduce), a
// [Type], or an [Option]. Clauses are plain values; they are read during the call and not kept. Of two that say the same,
// the later one holds; a Type sets label and priority.
type Clause interface{ TaskClause() }

// Type is a kind of task: the label and priority that all its tasks share. It is a clause. Make it once, with
// [NewType], and use it for every task of the kind.
type Type struct {
	label    string
	priority int
}

// NewType returns a type of task. label names it in traces, errors and dumps; of two ready tasks the one with the
// higher priority runs first.
func NewType(label string, priority int) Type { return Type{label, priority} }

// TaskClause marks Type as a clause.
func (Type) TaskClause() {}

// Option is a clause made by [Label], [Priority], [If], [Final], [Cost], [OnReady], [InGroup] or [WaitChildren].
//
// It is a struct of several words on purpose: a clause type that fits a pointer would make the compiler put every
// clause of every call on the heap.
type Option struct {
	kind  optionKind
	n     int64
	s     string
	f     func(*Task)
	group *Group
}

type optionKind uint8

const (
	optNone optionKind = iota
	optLabel
	optPriority
	optIf
	optFinal
	optCost
	optOnReady
	optWait
	optGroup
)

// TaskClause marks Option as a clause.
func (Option) TaskClause() {}

// Label names one task in traces, errors and dumps. Tasks of the same kind should share a [Type] instead.
//
//go:norace
func Label(label string) Option { return Option{kind: optLabel, s: label} }

// Priority orders ready tasks: higher first, default 0, negative after all others. It neither interrupts a running
// body nor carries over to predecessors.
//
//go:norace
func Priority(p int) Option { return Option{kind: optPriority, n: int64(p)} }

// If says whether the task may be deferred. With false [Spawn] returns only when the task's body is over: the body
// runs in place if its accesses allow, otherwise the creator gives its slot away until they do. The task is a task all
// the same: its accesses order it, and its children may outlive the call.
//
//go:norace
func If(deferred bool) Option { return Option{kind: optIf, n: b2i(deferred)} }

// Final says whether the task is final: weak accesses of it and of all its descendants are strong, and
// [Task.InFinal] tells the bodies, which may then do nested work in place instead of spawning it.
//
//go:norace
func Final(final bool) Option { return Option{kind: optFinal, n: b2i(final)} }

// Cost estimates the work of the task in units of the program's choice. The runtime learns what a unit takes, for each
// label: of tasks that become ready together the longest runs first, [Runtime.Predicted] tells what is left, and a
// [Versions] chooses by it. 0, or less, is no estimate. It costs a task
// some two tenths of a microsecond, most of it for reading the clock.
//
//go:norace
func Cost(units int64) Option { return Option{kind: optCost, n: units} }

// OnReady has f run once, when the task's accesses are satisfied and before its body. Every [Task.Hold] that f takes
// delays the body until it is done. f must not block or spawn.
//
//go:norace
func OnReady(f func(*Task)) Option { return Option{kind: optOnReady, f: f} }

// WaitChildren makes the task keep all its accesses until its children are deeply complete and its events are done: a
// taskwait behind the body that needs neither the slot nor the stack. Without it every access passes on by itself, as
// soon as neither the body nor a child uses it.
var WaitChildren = Option{kind: optWait}

//go:norace
func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// properties is what the clauses other than accesses say about a task.
type properties struct {
	label        string
	priority     int
	cost         int64
	onReady      func(*Task)
	group        *Group
	undeferred   bool
	final        bool
	waitChildren bool
	accesses     int // upper bound: before duplicates and empty ones are taken out
}

// read collects the properties. It must not let a clause escape: they stay on the caller's stack.
//
//go:norace
func (p *properties) read(clauses []Clause) {
	for i := range clauses {
		switch c := clauses[i].(type) {
		case deps.Access:
			p.accesses++
		case deps.List:
			p.accesses += len(c)
		case Type:
			p.label, p.priority = c.label, c.priority
		case Option:
			switch c.kind {
			case optLabel:
				p.label = c.s
			case optPriority:
				p.priority = int(c.n)
			case optIf:
				p.undeferred = c.n == 0
			case optFinal:
				p.final = c.n != 0
			case optCost:
				p.cost = c.n
			case optOnReady:
				p.onReady = c.f
			case optWait:
				p.waitChildren = true
			case optGroup:
				p.group = c.group
			}
		default:
			panic("tasks: a clause is nil or of a type that Spawn does not know")
		}
	}
}

// inPlace returns the access that c holds without copying it: the copy would read, in larger pieces, what the caller has
// just written in smaller ones, and the processor waits for that.
//
//go:norace
func inPlace(c *Clause) *deps.Access {
	return (*deps.Access)((*[2]unsafe.Pointer)(unsafe.Pointer(c))[1])
}

// declare gives the accesses among the clauses to t's node. A panic of the engine leaves the race detector as the body
// had it.
//
//go:norace
func (t *Task) declare(clauses []Clause) {
	if race.Enabled {
		defer enableOnPanic()
	}
	final, serial := t.flags&final != 0, t.run.rt.cfg.Serial
	for i := range clauses {
		switch c := clauses[i].(type) {
		case deps.Access:
			if serial {
				c = c.InOrder()
				t.node.Declare(&c, final)
			} else {
				t.node.Declare(inPlace(&clauses[i]), final)
			}
		case deps.List:
			for j := range c {
				a := c[j]
				if serial {
					a = a.InOrder()
				}
				t.node.Declare(&a, final)
			}
		}
	}
}

// declared returns a as this runtime declares it.
//
//go:norace
func (rt *Runtime) declared(a deps.Access) deps.Access {
	if rt.cfg.Serial {
		return a.InOrder()
	}
	return a
}
