package tasks

import "github.com/gompss/gompss/deps"

// Recorded is a task as Spawn would have created it.
type Recorded struct {
	Accesses deps.List // in the order of the clauses, empty ones left out
	Label    string
	Priority int
	Cost     int64
	Final    bool

	body    any
	onReady func(*Task)
}

// Record calls body with t, whose body calls it, and returns the tasks that body spawns as children of t instead of
// creating them. It is what loops over a recorded graph are made of (worksharing.Iter). Until body returns t only spawns:
// its other verbs panic. [Task.Iteration] of t is index, from now on.
//
// If(false) and WaitChildren mean nothing to a recorded task: nobody waits while it is recorded, and when it runs its
// accesses are held until its children are complete in any case.
func (t *Task) Record(index int, body func(*Task)) []Recorded {
	t.current("Record")
	c := &iterates{index: index}
	t.setIterates(c)
	t.setRecording(true)
	defer t.setRecording(false)
	body(t)
	return c.noted
}

// iterates is what the body of a task around a loop is at.
type iterates struct {
	index int
	noted []Recorded // what it spawned, if it records
}

//go:norace
func (t *Task) setIterates(i *iterates) { t.iterates = i }

//go:norace
func (t *Task) setRecording(on bool) {
	t.waiting = on // which makes the verbs look why
	if on {
		t.flags |= recording
	} else {
		t.flags &^= recording
	}
}

// record notes a task. Clauses stay on the caller's stack.
func (t *Task) record(body any, clauses []Clause, m *more) {
	var p properties
	p.read(clauses)
	if m != nil {
		m.amend(&p)
	}
	if m != nil && m.promise != nil || p.group != nil {
		panic("tasks: a task that is recorded belongs to no group and has no future: these are of one task, and it stands for many")
	}
	r := Recorded{Label: p.label, Priority: p.priority, Cost: p.cost, Final: p.final, body: body, onReady: p.onReady}
	if p.accesses > 0 {
		r.Accesses = make(deps.List, 0, p.accesses)
	}
	for i := range clauses {
		switch c := clauses[i].(type) {
		case deps.Access:
			r.add(c)
		case deps.List:
			for j := range c {
				r.add(c[j])
			}
		}
	}
	t.iterates.noted = append(t.iterates.noted, r)
}

func (r *Recorded) add(a deps.Access) {
	if !a.Empty() {
		r.Accesses = append(r.Accesses, a)
	}
}

// InOrder runs body with t, whose body calls it, as it is, spawning: for a loop that is not worth recording, or whose
// tasks run in program order. [Task.Iteration] of t and of the tasks it has spawned is index, from now on.
func (t *Task) InOrder(index int, body func(*Task)) {
	t.current("InOrder")
	t.setIndex(index)
	body(t)
}

//go:norace
func (t *Task) setIndex(i int) {
	if t.iterates == nil {
		t.iterates = new(iterates)
	}
	t.iterates.index = i
}

// Serial tells whether the runtime runs every body at its Spawn, in program order (Config.Serial).
//
//go:norace
func (rt *Runtime) Serial() bool { return rt.cfg.Serial }

// Iteration returns the iteration that the task, or the nearest of its ancestors for which there is one, runs for, and
// whether there is one. Only the task's own body may call it.
//
//go:norace
func (t *Task) Iteration() (index int, ok bool) {
	for ; t != nil; t = t.parent {
		if t.iterates != nil {
			return t.iterates.index, true
		}
		if t.cycle != nil {
			return t.cycle.index, true
		}
	}
	return 0, false
}
