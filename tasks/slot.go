package tasks

import (
	"time"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/deque"
	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/internal/tracing"
	"github.com/gompss/gompss/trace"
)

// slot is the right to run a body, with what goes along with it: a queue of ready tasks, a mailbox, free tasks. There
// are Config.Workers of them, or as many as SetWorkers says. A slot is held by one worker, or is in the list of idle slots and held by nobody. Only
// the holder touches its fields, but for the deque's old end, which is for thieves.
type slot struct {
	rt       *Runtime
	id       int // −1 for the external one
	mb       *deps.Mailbox
	succ     *Task // the best successor that the last finished task freed: it runs next, here; nil while a body runs
	ready    deque.Deque[Task]
	free     *deps.Node // tasks to use again, chained by Link
	freeN    int
	workers  *worker // without a goroutine, chained by next
	workersN int
	tick     uint32
	random   uint32
	hunting  bool // counted in Runtime.searching
	nextIdle *slot
	isIdle   bool // in the list of idle slots, under its lock
	disabled bool // not in use, under the same lock
	tr       *trace.Stream
	idleFrom bool // an IdleBegin was recorded
	ids      idBlock
	labels   [16]labelCache
	kinds    [4]kindCache
	stats    slotStats
	version  uint32 // odd while the body of running runs; see running.go
	running  *Task
	ended    *run      // runs whose root was completed from outside, until the lock is released
	_        [128]byte // the next slot's fields are somebody else's
}

//go:norace
func (rt *Runtime) newSlot(id int) *slot {
	s := &slot{rt: rt, id: id, random: uint32(id+2) * 2654435761}
	hooks := deps.Hooks{Name: nodeName, Combiner: s.newCombiner}
	if tracing.Built && rt.cfg.Trace != nil {
		s.tr = rt.newStream(id)
		hooks.Edge = s.traceEdge
	}
	s.mb = deps.NewMailbox(&rt.tokens, hooks)
	return s
}

//go:norace
func nodeName(n *deps.Node) string {
	t := taskOf(n)
	return "task \"" + t.Label() + "\""
}

// worker is a goroutine that holds a slot, or a body's that gave it away and waits to get one again. Several bodies
// may be on its stack: one that runs, below it those that wait for it (see Task.Wait).
type worker struct {
	slot *slot // nil while it waits
	wake chan *slot

	// While the worker waits: on whose behalf, and what for. Written by the worker before it is in its run's list
	// of blocked ones, read under that list's lock.
	task   *Task
	reason reason
	what   stringer
	waiter *waiter // nil: the wait is for a count (Task.wakeAt)

	rt       *Runtime
	watch    *time.Timer // of a creator far ahead; see watchProgress
	watched  bool        // under the lock of Runtime.ahead, as is seenLive
	seenLive int32

	depth      int // bodies on the stack
	prev, next *worker
	nextAhead  *worker
}

// Run makes the calling goroutine the worker of s until it has to give it away. It is for spare.Pool.
//
//go:norace
func (s *slot) Run() {
	race.Disable()
	w := s.takeWorker()
	w.loop()
	race.Enable()
}

//go:norace
func (w *worker) loop() {
	for {
		s := w.slot
		if s.leaving() && s.retire(w) {
			return
		}
		t := s.next(w)
		if t == nil {
			return // the slot is idle, or somebody woke it with another worker
		}
		if t.flags&resuming != 0 {
			s.giveTo(t, w)
			return
		}
		w.exec(t)
		if race.Enabled {
			// A body must not come after another one only because the same goroutine ran both.
			s = w.slot
			s.returnWorker(w)
			s.rt.spare.Go(s)
			return
		}
	}
}

// giveTo lets the body of t, which gave a slot away and waits for one, go on with this slot. w, the giver, is over
// unless it is about to wait itself.
//
//go:norace
func (s *slot) giveTo(t *Task, over *worker) {
	t.flags &^= resuming
	if over != nil {
		s.returnWorker(over)
	}
	t.worker.wake <- s
}

//go:norace
func (s *slot) takeWorker() *worker {
	w := s.workers
	if w == nil {
		w = &worker{rt: s.rt, wake: make(chan *slot, 1)}
	} else {
		s.workers = w.next
		s.workersN--
		w.next = nil
	}
	w.slot = s
	return w
}

// keptWorkers bounds what a slot keeps: bodies block on one slot and end on another, so workers drift.
const keptWorkers = 256

//go:norace
func (s *slot) returnWorker(w *worker) {
	w.slot = nil
	w.next = s.workers
	if s.workersN < keptWorkers {
		s.workersN++
	} else { // the latest stays: search takes it back
		w.next = w.next.next
	}
	s.workers = w
}

// handOff gives the slot away on behalf of a body that is about to wait: to a body that waits for a slot, if that is
// what comes next, otherwise to a spare goroutine.
//
//go:norace
func (s *slot) handOff() {
	if !s.leaving() {
		t := s.pick()
		if t != nil && t.flags&resuming != 0 {
			s.giveTo(t, nil)
			return
		}
		if t != nil {
			s.keep(t)
		}
	}
	s.rt.spare.Go(s)
}

// keep puts a task that was picked back to where it is picked next.
//
//go:norace
func (s *slot) keep(t *Task) {
	if old := s.succ; old != nil {
		s.enqueue(old)
	}
	s.succ = t
}

// next returns what the slot does next, or nil after the slot became idle and is no longer the caller's.
//
//go:norace
func (s *slot) next(w *worker) *Task {
	for {
		if t := s.pick(); t != nil {
			if s.hunting {
				s.found()
			}
			return t
		}
		t, again := s.search(w)
		if !again {
			return t
		}
	}
}

// oldestEvery is how often a slot looks at the oldest work before the newest.
const oldestEvery = 31

// pick returns the best ready task that can be had without looking at other slots, nil if there is none.
//
//go:norace
func (s *slot) pick() *Task {
	rt := s.rt
	if rt.cfg.Pick != nil {
		return rt.pickChosen(s)
	}
	if top := rt.prio.top.Load(); top > 0 && (s.succ == nil || top > int64(s.succ.priority)) {
		if t := rt.prio.pop(0); t != nil {
			s.dispatchAll(nil)
			return t
		}
	}
	if rt.front.n.Load() > 0 {
		if t := rt.front.pop(); t != nil {
			s.dispatchAll(nil)
			return t
		}
	}
	if t := s.succ; t != nil {
		s.succ = nil
		return t
	}
	s.tick++
	if s.tick%oldestEvery == 0 { // now and then, so that roots and those who yield get their turn
		if t := rt.back.pop(); t != nil {
			return t
		}
		// So has the oldest of the slots' own: what is ordered behind a task that is never reached cannot be forgotten, be it
		// over or not.
		if s.tick%(8*oldestEvery) == 0 { // also what lies in the queue of a slot whose body does not end
			if t := s.steal(); t != nil {
				return t
			}
		}
		if t, _ := s.ready.Steal(); t != nil {
			return t
		}
	}
	if t := s.ready.Pop(); t != nil {
		return t
	}
	if rt.back.n.Load() > 0 {
		if t := rt.back.pop(); t != nil {
			return t
		}
	}
	return nil
}

// enqueue makes a ready task available to all slots.
//
//go:norace
func (s *slot) enqueue(t *Task) {
	switch {
	case t.priority != 0 && t.flags&resuming == 0 && s.rt.cfg.Pick == nil:
		s.rt.prio.push(t)
	case s.id < 0 || s.rt.cfg.Pick != nil:
		s.rt.enqueueBack(t)
		return
	default:
		s.ready.Push(t)
	}
	s.rt.notify()
}

// dispatch takes the nodes that an event made ready. The best of them runs next on this slot: the one with the highest
// priority, and among equals the one that is known to take longest.
//
//go:norace
func (s *slot) dispatch(n *deps.Node) {
	for n != nil {
		t := taskOf(n)
		n = n.Link
		t.node.Link = nil
		if t.isTraced() {
			s.traceReady(t)
		}
		switch {
		case t.flags&placeholder != 0:
			if !t.joiner.resume() {
				s.finishPlaceholder(t) // nobody waits any more
			}
		case s.id < 0 || s.rt.cfg.Pick != nil || t.priority < 0:
			s.enqueue(t)
		case s.succ == nil:
			s.succ = t
		case t.priority > s.succ.priority || t.priority == s.succ.priority && t.longerThan(s.succ):
			s.enqueue(s.succ)
			s.succ = t
		default:
			s.enqueue(t)
		}
	}
}
