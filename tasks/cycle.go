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
//	round     rounds done; written by who completes the task, before it takes anything off its successors. Under a
//	          condition, whose end reads it, done is the same.
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
// F rounds: a task that completes round F−1 later sees it, and a task that did so before had stored done before, which
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
	holds    bool  // what the condition returned
	same     int32 // predecessors of the same round; of the last rounds, with atEnd
	next     int32 // predecessors of the round before
	hidden   int   // how many of succ, the last ones, the detector must not see
	task     *Task
	cycle    *cycle
	part     *cyclePart
	round    int64
	done     atomic.Int64 // round, for the condition
	copy     int64        // which iteration of a round
	index    int          // the iteration; its address is what the race detector knows of the task
	succ     []*cycleNode

	cause     atomic.Pointer[markedBy] // why it must not run next time
	end       []*cycleNode             // wait for its last round
	marks     []*cycleNode             // must not run if it fails
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
		v.done.Store(0)
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
