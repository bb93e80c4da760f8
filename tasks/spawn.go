package tasks

import (
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

// creditBatch is how many children a body announces at once: one addition to a word that completing children share
// serves this many spawns.
const creditBatch = 64

// Spawn creates a child task of parent, whose body calls it, with the given clauses, and returns at once; with
// [If](false), when the child's body is over. The child runs when every strong access that it declared is satisfied:
// that is, when the accesses of parent's earlier children to the same item allow, and, for an item that parent
// declared itself, those that parent is ordered after. What the body captures must live until the child is complete.
//
// Spawn panics if parent's body is not running, if a clause is of an unknown type, and with "deps: …" if the task would
// use what it, or parent, reduces in another way.
//
// Cost: no allocation for a static body and up to four accesses, one for a closure that captures. A creator that is
// far ahead of its children gives its slot to them (Config.Throttle).
//
//go:norace
func Spawn[F Body](parent *Task, body F, clauses ...Clause) {
	if body == nil {
		panic("tasks: Spawn of a nil body")
	}
	spawn(parent, any(body), clauses, nil)
}

// spawn is Spawn of a task that has more, perhaps.
//
//go:norace
func spawn(parent *Task, body any, clauses []Clause, m *more) {
	if parent != nil && parent.flags&recording != 0 {
		parent.record(body, clauses, m)
		return
	}
	w := parent.current("Spawn")
	var p properties
	p.label = ""
	p.read(clauses)
	if parent.flags&recorded != 0 && p.accesses > 0 {
		parent.cycle.refuse(clauses)
	}
	if m != nil {
		m.amend(&p)
	}
	if p.group != nil {
		p.group.checkOwner(parent)
	}

	race.Disable()
	s := w.slot
	t := s.newTask()
	t.body, t.parent, t.run = body, parent, parent.run
	t.label, t.priority, t.onReady = p.label, p.priority, p.onReady
	t.live = 1
	t.flags = parent.flags & (final | traced)
	if p.final {
		t.flags |= final
	}
	if p.waitChildren {
		t.flags |= waitChildren
	}
	t.bornOf(parent)
	if p.cost > 0 {
		t.costs(s.costKind(t.Label()), p.cost)
	}
	if p.group != nil {
		p.group.admit(t)
	}
	t.node.Init(&parent.node, p.accesses)
	if p.accesses > 0 {
		t.declare(clauses)
		if race.Enabled {
			t.checkCover()
		}
	}
	if m != nil {
		m.attach(t)
	}
	var join *waiter
	if p.undeferred || s.rt.cfg.Serial {
		t.flags |= undeferred
		join = newWaiter(parent)
		t.joiner = join
	}
	if race.Enabled {
		race.Enable()
		race.ReleaseMerge(unsafe.Pointer(t))
		race.Disable()
	}
	if parent.credit == 0 {
		parent.announce()
	}
	var ready bool
	if t.isTraced() {
		ready = s.registerTraced(t, parent, clauses)
	} else {
		ready = s.register(t)
	}
	parent.credit--
	if p.group != nil {
		p.group.credit--
	}
	s.stats.spawned++
	switch {
	case join != nil:
		w.runUndeferred(t, join, ready)
	case ready:
		s.enqueue(t)
	}
	if parent.credit == 0 && s.rt.throttle >= 0 {
		w.throttle(parent)
	}
	race.Enable()
}

// register puts t in the order. The combination of a reduction whose scope t closes may become ready by that, and is made
// available at once: the body may be about to wait for it. A panic of the engine leaves the race detector as the body
// had it.
//
//go:norace
func (s *slot) register(t *Task) bool {
	if race.Enabled {
		defer enableOnPanic()
	}
	ready := t.node.Register(s.mb)
	if n := s.mb.TakeReady(); n != nil {
		s.dispatchAll(n)
	}
	return ready
}

// registerTraced is register with the creation recorded, before anybody else may have the task.
//
//go:norace
func (s *slot) registerTraced(t, parent *Task, clauses []Clause) bool {
	s.traceCreate(t, parent)
	s.observeCreate(t, parent, clauses)
	ready := s.register(t)
	if ready && t.joiner == nil {
		s.traceReady(t)
	}
	return ready
}

//go:norace
func enableOnPanic() {
	if v := recover(); v != nil {
		race.Enable()
		panic(v)
	}
}

// announce reserves a batch of children on live, before the first of them can complete. The bound on creation is looked
// at once a batch, so a batch is not larger than that.
//
//go:norace
func (t *Task) announce() {
	batch := int32(creditBatch)
	if limit := t.run.rt.throttle; limit > 0 && limit < batch {
		batch = limit
	}
	t.flags |= spawned
	t.credit = batch
	atomic.AddInt32(&t.live, batch)
}

// announceMore is announce for who may have some credit left.
//
//go:norace
func (t *Task) announceMore() {
	t.flags |= spawned
	t.credit += creditBatch
	atomic.AddInt32(&t.live, creditBatch)
}

// returnCredit takes back what was announced and is not used.
//
//go:norace
func (t *Task) returnCredit() {
	if t.credit > 0 {
		atomic.AddInt32(&t.live, -t.credit)
		t.credit = 0
	}
}

// runUndeferred runs a child whose creator waits for its body: on the creator's stack if it may run at once.
//
//go:norace
func (w *worker) runUndeferred(t *Task, join *waiter, ready bool) {
	parent := t.parent
	switch {
	case ready && !race.Enabled && w.slot.rt.cfg.Pick == nil:
		parent.pauses(w)
		w.exec(t) // resumes join, unless OnReady took a hold
		parent.goesOn(w)
		w.slot.dispatchAll(nil)
	case ready:
		w.slot.enqueue(t)
	}
	parent.wait(join, waitUndeferred, nil)
	race.Enable()
	race.Acquire(unsafe.Pointer(join))
	race.Disable()
}
