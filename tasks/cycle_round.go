package tasks

import (
	"sync/atomic"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
)

// arrive counts one of v's predecessors down.
//
//go:norace
func (v *cycleNode) arrive(s *slot, l *taskList) {
	if v.pending.Add(-1) == 0 {
		v.fire(s, l)
	}
}

// fire makes v's next round ready, if there is one and nothing else holds it back. The caller has v.
//
//go:norace
func (v *cycleNode) fire(s *slot, l *taskList) {
	c := v.cycle
	if !v.atEnd {
		if c.base+v.round*c.copies+v.copy >= v.part.final.Load() {
			return
		}
		if c.gated && v.same == 0 && v.condition == nil && !c.admits(v) {
			return
		}
	}
	v.prepare(s)
	if len(v.tokens) == 0 || c.take(v) {
		l.push(v.task)
	}
}

// prepare arms pending and makes the task like new.
//
//go:norace
func (v *cycleNode) prepare(s *slot) {
	v.pending.Store(v.same + v.next)
	t := v.task
	if race.Enabled && v.round > 0 { // see recycling
		b := new(Task)
		b.parent, b.run, b.cycle, b.body = t.parent, t.run, t.cycle, t.body
		b.label, b.priority, b.onReady = t.label, t.priority, t.onReady
		b.flags, b.wakeAt = t.flags, -1
		v.task, t = b, b
		v.nextLetIn()
	}
	t.flags &^= spawned | held | resuming | readied | returned | begun
	t.err = nil
	if t.errs.Load() != nil {
		t.errs.Store(nil)
	}
	t.more, t.iterates = nil, nil
	t.live, t.credit, t.allowed = 1, 0, 0
	t.node.Init(&t.parent.node, 0)
	c := v.cycle
	v.index = int(c.base + v.round*c.copies + v.copy)
	if t.isTraced() {
		s.traceCreate(t, t.parent)
	}
}

// roundOver is called by who completes v's task, as the last that touches it, and reports whether that was its last
// round.
//
//go:norace
func (s *slot) roundOver(v *cycleNode) (last bool) {
	c := v.cycle
	var l taskList
	v.giveCopies()
	if len(v.tokens) > 0 {
		c.give(v, &l)
	}
	if v.condition != nil && (v.task.err != nil || !v.holds) {
		c.stop(v, s, &l)
		s.dispatch(l.head)
		return true
	}
	if v.atEnd {
		s.dispatch(l.head)
		return true
	}
	if v.combines != nil {
		v.combines.open()
	}
	v.round++
	if c.gated {
		v.done.Store(v.round)
	}
	if c.base+v.round*c.copies+v.copy >= v.part.final.Load() {
		last = !c.gated || v.finished.CompareAndSwap(false, true)
	}
	alone, end := v.same+v.next == 0, v.end
	// From here on somebody else may have v.
	if v.condition != nil {
		c.open(s, &l)
	}
	for _, to := range v.succ {
		to.arrive(s, &l)
	}
	if last {
		for _, to := range end {
			to.arrive(s, &l)
		}
	} else if alone {
		v.fire(s, &l)
	}
	s.dispatch(l.head)
	return last
}

// admits tells whether v's next round may start; if not, v is parked.
//
//go:norace
func (c *cycle) admits(v *cycleNode) bool {
	if v.round < c.limit.Load() {
		return true
	}
	c.mu.Lock()
	ok := v.round < c.limit.Load()
	if !ok {
		v.link = c.parked
		c.parked = v
	}
	c.mu.Unlock()
	return ok
}

// open lets one more round start.
//
//go:norace
func (c *cycle) open(s *slot, l *taskList) {
	c.mu.Lock()
	c.limit.Add(1)
	parked := c.parked
	c.parked = nil
	c.mu.Unlock()
	for parked != nil {
		v := parked
		parked = v.link
		v.link = nil
		v.fire(s, l)
	}
}

// stop ends the loop before the round of its condition, v.
//
//go:norace
func (c *cycle) stop(v *cycleNode, s *slot, l *taskList) {
	v.part.final.Store(c.base + v.round*c.copies)
	over := int32(0)
	for i := range c.nodes {
		x := &c.nodes[i]
		if x == v || x.atEnd || x.done.Load() < v.round || !x.finished.CompareAndSwap(false, true) {
			continue
		}
		over++
		for _, to := range x.end {
			to.arrive(s, l)
		}
	}
	c.mu.Lock()
	c.parked = nil
	c.mu.Unlock()
	atomic.AddInt32(&c.owner.live, -over) // not to zero: v itself is left
}

// failed leaves the cause of v's failure, or of a child's that nobody waited for, with those who must not run because of
// it.
//
//go:norace
func (v *cycleNode) failed() {
	t := v.task
	err := t.err
	if l := t.errs.Load(); err == nil && l != nil {
		err = l.first()
	}
	if err == nil {
		return
	}
	if c, ok := err.(*cancelled); ok && c == t.run.cause.Load() {
		if p := v.part; p != nil && !v.cycle.gated && !v.atEnd && p.stopped.CompareAndSwap(false, true) {
			p.final.Store(min(p.final.Load(), v.cycle.base+(v.round+p.reach+1)*v.cycle.copies))
		}
		return
	}
	for _, to := range v.marks {
		to.cause.CompareAndSwap(nil, &markedBy{err})
	}
}

// takeCause returns why v must not run this time, nil if it may.
//
//go:norace
func (v *cycleNode) takeCause() error {
	if v.cause.Load() == nil {
		return nil
	}
	return v.cause.Swap(nil).err
}

//go:norace
func (l *errorList) first() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.head == nil {
		return nil
	}
	return l.head.err
}

// taskList is a list of ready tasks in the order in which they became so.
type taskList struct{ head, tail *deps.Node }

//go:norace
func (l *taskList) push(t *Task) {
	t.node.Link = nil
	if l.tail == nil {
		l.head = &t.node
	} else {
		l.tail.Link = &t.node
	}
	l.tail = &t.node
}
