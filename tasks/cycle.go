package tasks

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
)

// A cycle is a Graph while it runs: round after round without creating, registering or allocating anything. There is no
// barrier: a task may be rounds ahead of another one.
//
// # Counters
//
// pending of a task is the number of predecessors that it still waits for in the round it runs next. Each predecessor's
// completion takes one off, and who brings it to zero has the task: fires it. The words, who moves them, what that
// publishes:
//
//	pending   armed with `same` by Replay for the first round, in which no round came before, and with same+next by
//	          whoever fires the task. Taken down by every predecessor when its round is over. Zero publishes what all of
//	          them wrote, and the task's plain fields (round, index, task), to who fires it.
//	round     rounds done; written by who completes the task, before it takes anything off its successors. Atomic only
//	          if there is a condition, whose end reads it.
//	final     of a part: iterations from here on do not run. See below.
//	finished  under a condition: the task's last round is over. Zero to one by who completes that round, or by the
//	          condition's end: whoever does it takes the task off its parent's live.
//	limit     under a condition: rounds that may start. Raised by the condition.
//
// Nothing in pending says for which round a predecessor counted down. It cannot be another one: an edge joins tasks that
// conflict, so (Graph) between two rounds of the one lies the other's: if v waits for u of the same round, u's round i+1
// starts after v's round i is over, so the count that u takes off for round i+1 comes after v was fired for round i, which
// armed pending anew; if v waits for u of the round before, u's round i+1 starts only after v's round i+1, so what it
// takes off for v's round i+2 comes after that. In particular a task with predecessors never overtakes itself; one
// without is fired again by its own completion.
//
// A condition conflicts with nothing, so it is no predecessor of this sort (but for those that write what it reads). It
// raises limit, and tasks without predecessors in the same round, of which all others in it are successors, look at it
// when they are fired: if their round may not start yet they park, until the condition takes them from there. limit is
// raised, and tasks park, under mu; so no one is left behind.
//
// # End
//
// Every task is a child of the loop's task once, not once a round, and completes as one with its last round. In a loop of
// known length that is the one after which index reaches final. A condition that returns false in round F sets final to
// F rounds: a task that completes round F−1 later sees it, and a task that did so before had stored round before, which
// the condition reads after it set final. Both may see each other; finished decides.
//
// A cancelled run need not go through what is left. The first task that is skipped because of it brings final of its part
// down to a round that no task of the part has started: two tasks joined by an edge are at most one round apart (a task
// that runs round i keeps each neighbour from starting round i+1 or i+2), so that is its own plus the greatest distance in
// the part. Who might pass that round waits, along a path of edges, for the task that set it, and so sees it.
//
// # Marks
//
// A task that fails leaves its cause with the tasks that read what it may have written, before it takes anything off its
// successors; they take it when they start. That a cause meets the round it is meant for follows as for pending.
type cycle struct {
	owner  *Task
	nodes  []cycleNode
	scopes []cycleScope
	parts  *cyclePart
	copies int64
	base   int64 // the first iteration
	gated  bool  // there is a condition
	slab   []Task
	sync   byte // its address: the owner's body, before all tasks

	limit  atomic.Int64
	mu     sync.Mutex
	parked *cycleNode // under mu, chained by link

	exclusion sync.Mutex
	tokens    []cycleToken // under exclusion
}

// cyclePart is a part of the graph that no edge joins to the rest.
type cyclePart struct {
	final   atomic.Int64
	stopped atomic.Bool // final was brought down
	reach   int64       // an upper bound for the number of edges between two of its tasks
	next    *cyclePart
}

type cycleNode struct {
	pending  atomic.Int32
	finished atomic.Bool
	atEnd    bool
	holds    bool // what the condition returned
	same     int32
	next     int32
	hidden   int // how many of succ, the last ones, the detector must not see
	task     *Task
	cycle    *cycle
	part     *cyclePart
	round    int64
	copy     int64
	index    int // the iteration
	succ     []*cycleNode

	cause     atomic.Pointer[markedBy]
	end       []*cycleNode
	marks     []*cycleNode
	tokens    []int
	reduces   []cycleReduction
	combines  *cycleScope
	condition func(*Task) bool
	link      *cycleNode // in parked, or in a token's line
	edges
}

type markedBy struct{ err error }

// cycleScope is a reduction scope. Its copies are those of one round, or of all if its combination is at the end.
type cycleScope struct {
	item   unsafe.Pointer
	bytes  uintptr
	op     deps.Reduction
	copies deps.Copies
}

type cycleReduction struct {
	scope *cycleScope
	item  unsafe.Pointer
	bytes uintptr
	place *deps.Place
	copy  unsafe.Pointer // nil before the body has asked for it
}

// Replay runs g, as children of t, whose body calls it, for the iterations from ≤ i < to, and returns at once; with a
// condition to means nothing. A graph may be replayed again, with the bodies that its Tasks then have, by the same task
// after it has waited.
//
// Cost: a count per edge and round. Nothing is allocated after the first call, but for reductions.
//
//go:norace
func (t *Task) Replay(g *Graph, from, to int) {
	w := t.current("Replay")
	if g.cycle == nil {
		t.run.rt.graphs.changed[g.Changed].Add(1)
		g.cycle = newCycle(g)
		if !race.Enabled {
			g.cycle.slab = make([]Task, len(g.Tasks))
		}
	} else {
		t.run.rt.graphs.again.Add(1)
	}
	c := g.cycle
	c.owner = t
	race.ReleaseMerge(unsafe.Pointer(&c.sync))
	race.Disable()
	c.start(g, int64(from), int64(to), w.slot)
	race.Enable()
}

//go:norace
func (c *cycle) start(g *Graph, from, to int64, s *slot) {
	t := c.owner
	if c.gated {
		to = 1<<63 - 1
	}
	c.base = from
	c.limit.Store(0)
	for p := c.parts; p != nil; p = p.next {
		p.final.Store(to)
		p.stopped.Store(false)
	}
	for i := range c.scopes {
		c.scopes[i].open()
	}
	c.startLetIn()
	children := int32(0)
	for i := range c.nodes {
		v := &c.nodes[i]
		v.round = 0
		v.finished.Store(false)
		v.cause.Store(nil)
		v.pending.Store(v.same)
		if !race.Enabled {
			v.task = &c.slab[i]
		}
		v.setUp(&g.Tasks[i].Recorded)
		if v.atEnd || from+v.copy < to {
			children++
		}
	}
	if children == 0 {
		return
	}
	t.flags |= spawned
	atomic.AddInt32(&t.live, children)
	var l taskList
	for i := range c.nodes {
		if v := &c.nodes[i]; v.same == 0 && !v.atEnd {
			v.fire(s, &l)
		}
	}
	s.dispatchAll(l.head)
}

// setUp prepares what stays as it is from round to round.
//
//go:norace
func (v *cycleNode) setUp(r *Recorded) {
	t := v.task
	if t == nil {
		t = new(Task)
		v.task = t
	}
	owner := v.cycle.owner
	t.parent, t.run, t.cycle = owner, owner.run, v
	t.label, t.priority, t.onReady = r.Label, r.Priority, r.onReady
	t.flags = owner.flags&(final|traced) | recorded | waitChildren
	if r.Final {
		t.flags |= final
	}
	t.wakeAt = -1
	switch {
	case v.condition != nil:
		t.body = v.evaluate
	case v.combines != nil:
		t.body = v.combines.combine
	default:
		t.body = r.body
	}
}

//go:norace
func (v *cycleNode) evaluate(t *Task) { v.holds = v.condition(t) }

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
	if c.gated {
		atomic.StoreInt64(&v.round, v.round+1)
	} else {
		v.round++
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
		if x == v || x.atEnd || atomic.LoadInt64(&x.round) < v.round || !x.finished.CompareAndSwap(false, true) {
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
