package tasks

import (
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
)

// maxDepth bounds how many bodies run on top of each other on one stack.
const maxDepth = 4096

// Wait waits until all children of t are deeply complete (taskwait) and returns their failures and those of their
// descendants that nobody waited for, joined; then what they wrote counts as good again. It costs next to nothing
// when there are no children. Meanwhile the slot runs other tasks; children that are ready run on the waiting body's
// stack.
//
//go:norace
func (t *Task) Wait() error {
	w := t.current("Wait")
	if t.flags&spawned == 0 {
		return nil
	}
	race.Disable()
	t.node.CloseScopes(w.slot.mb)
	w.slot.dispatch(w.slot.mb.TakeReady())
	if !w.waitCount(t, 0, waitTasks) {
		race.Enable()
		return t.run.why()
	}
	var err error
	if l := t.errs.Load(); l != nil {
		err = l.join()
	}
	s := w.slot
	t.node.Waited(s.mb)
	s.recycle()
	race.Enable()
	race.Acquire(unsafe.Pointer(&t.live))
	return err
}

// waitCount returns true when at most k children are left, false if the run turned out to be stuck.
//
//go:norace
func (w *worker) waitCount(t *Task, k int32, why reason) bool {
	t.pauses(w)
	ok := w.countDown(t, k, why)
	t.goesOn(w)
	return ok
}

//go:norace
func (w *worker) countDown(t *Task, k int32, why reason) bool {
	t.returnCredit()
	k++ // the task itself
	for atomic.LoadInt32(&t.live) > k {
		if why == waitTasks {
			if c := w.takeChild(t); c != nil {
				w.exec(c)
				continue
			}
		}
		atomic.StoreInt32(&t.wakeAt, k)
		w.block(t, nil, why, nil)
		if why == waitAhead {
			t.run.rt.ahead.push(w)
		}
		// Look again: the last completion may have come before wakeAt was there to be seen.
		if atomic.LoadInt32(&t.live) > k && !t.run.stuck.Load() || !atomic.CompareAndSwapInt32(&t.wakeAt, k, -1) {
			w.park(t)
		}
		if why == waitAhead {
			t.run.rt.ahead.remove(w)
		}
		w.unblock(t)
		if t.run.stuck.Load() {
			return atomic.LoadInt32(&t.live) <= k
		}
		if why == waitAhead {
			return true
		}
	}
	w.slot.dispatchAll(nil)
	return true
}

// takeChild takes a child of t that would run next on this slot anyway. To run it on top of t's stack holds t up no
// longer than t waits in any case.
//
//go:norace
func (w *worker) takeChild(t *Task) *Task {
	s := w.slot
	if race.Enabled || s.rt.cfg.Pick != nil || w.depth >= maxDepth || s.rt.front.n.Load() > 0 || s.leaving() {
		return nil
	}
	top := s.rt.prio.top.Load()
	if c := s.succ; c != nil {
		s.succ = nil
		if c.parent == t && c.flags&resuming == 0 && (top <= 0 || top <= int64(c.priority)) {
			return c
		}
		s.enqueue(c)
		return nil
	}
	if top > 0 {
		return nil // goes first
	}
	if c := s.ready.Peek(); c == nil || c.parent != t || c.flags&resuming != 0 {
		return nil
	}
	return s.ready.Pop() // nil if a thief was faster; nobody but this slot can have put another one there
}

// WaitOn waits until every earlier child of t lets the given accesses through (taskwait on): as long as a task with
// these accesses, spawned now, would wait. It does not wait for those children's other items nor for their own
// children elsewhere. It returns the failure that marks the data, if t may not read it, or the run's cause. Weak
// accesses panic.
//
//go:norace
func (t *Task) WaitOn(accs ...deps.Access) error {
	w := t.current("WaitOn")
	for i := range accs {
		if accs[i].IsWeak() {
			panic("deps: WaitOn of a weak access")
		}
		if accs[i].Kind() == deps.KindReduction {
			panic("deps: WaitOn of a reduction: an in of the item waits for its result")
		}
	}
	race.Disable()
	s := w.slot
	c := s.newTask()
	c.parent, c.run, c.label, c.live = t, t.run, "taskwait on", 1
	c.flags = placeholder
	c.bornOf(t)
	x := newWaiter(t)
	c.joiner = x
	c.node.Init(&t.node, len(accs))
	for i := range accs {
		c.node.Declare(&accs[i], false)
	}
	if !s.register(c) && t.wait(x, waitItems, nil) {
		race.Enable()
		return t.run.why() // whoever makes c ready finishes it
	}
	race.Enable()
	c.node.Acquire()
	race.Disable()
	s = w.slot
	cause := c.node.CauseUnless(forgiven)
	s.finishPlaceholder(c)
	s.dispatchAll(nil)
	race.Enable()
	if cause == nil {
		cause = t.run.why()
	}
	return cause
}

// finishPlaceholder completes the task that stood in for a taskwait on.
//
//go:norace
func (s *slot) finishPlaceholder(c *Task) {
	if cause := c.node.CauseUnless(forgiven); cause != nil {
		c.node.Fail(cause)
	}
	c.node.Finish(s.mb)
	s.dispatch(s.mb.TakeReady())
	c.node.Drop(s.mb)
	s.recycle()
}

// Release gives some of t's own accesses up before the body is over (release directive): the body must not touch
// those items any more. A child that uses one of them delays it. An access must be given as it was declared; to
// release something else, or to release twice, panics. A commutative item is free for others at once.
//
//go:norace
func (t *Task) Release(accs ...deps.Access) {
	w := t.current("Release")
	for i := range accs {
		a := accs[i]
		if a.Empty() {
			continue
		}
		t.node.SurrenderItem(a)
		race.Disable()
		s := w.slot
		ok := t.node.Release(s.rt.declared(a), t.flags&final != 0, s.mb)
		if ok {
			if t.isTraced() {
				s.observeRelease(t, a)
			}
			s.dispatchAll(s.mb.TakeReady())
			s.recycle()
		}
		race.Enable()
		if !ok {
			panic("deps: Release of " + a.String() + ", which task \"" + t.Label() + "\" has not declared like that, or has released before")
		}
	}
}

// dispatchAll makes nodes available at once, to all slots: the caller goes on with its body.
//
//go:norace
func (s *slot) dispatchAll(n *deps.Node) {
	s.dispatch(n)
	if t := s.succ; t != nil {
		s.succ = nil
		s.enqueue(t)
	}
}

// Throttling. A creator with too many live children gives its slot away until half of them are done, or until a slot
// finds nothing ready. Children that are blocked do not count, in the bound or in the half: they are not what fills
// the queues, and a creator must not wait for a task that waits for the creator.
//
//go:norace
func (w *worker) throttle(t *Task) {
	limit := w.slot.rt.throttle
	blocked := atomic.LoadInt32(&t.blocked)
	live := atomic.LoadInt32(&t.live)
	if live-1-blocked <= limit {
		t.allowed = 0
		return
	}
	if live <= t.allowed {
		return
	}
	w.slot.stats.throttled++
	far := t.farAhead()
	if far {
		w.watchProgress(t)
	}
	w.waitCount(t, limit/2+blocked, waitAhead)
	if far {
		rt := t.run.rt
		rt.ahead.mu.Lock()
		w.watched = false
		rt.ahead.mu.Unlock()
		w.watch.Stop()
	}
}

// farAhead tells whether t has reached the hard bound.
//
//go:norace
func (t *Task) farAhead() bool {
	return atomic.LoadInt32(&t.live)-atomic.LoadInt32(&t.blocked) > hardBound*t.run.rt.throttle
}

// watchProgress looks after a creator at the hard bound, from time to time, until it goes on.
//
//go:norace
func (w *worker) watchProgress(t *Task) {
	l := &w.rt.ahead
	l.mu.Lock()
	w.watched = true
	w.seenLive = atomic.LoadInt32(&t.live)
	l.mu.Unlock()
	race.Enable()
	if w.watch == nil {
		w.watch = time.AfterFunc(time.Hour, w.lookAfter)
	}
	w.watch.Reset(progressEvery)
	race.Disable()
}

// lookAfter lets the creator go on if none of its children completed since the last look although a slot is idle: what
// keeps the others busy may be waiting for what the creator does next.
//
//go:norace
func (w *worker) lookAfter() {
	race.Disable()
	defer race.Enable()
	rt := w.rt
	l := &rt.ahead
	l.mu.Lock()
	at := &l.head
	for *at != nil && *at != w {
		at = &(*at).nextAhead
	}
	if *at == nil {
		if w.watched { // on its way into the list, or out of it
			w.watch.Reset(progressEvery)
		}
		l.mu.Unlock()
		return
	}
	t := w.task
	live := atomic.LoadInt32(&t.live)
	if k := atomic.LoadInt32(&t.wakeAt); live == w.seenLive && rt.idle.n.Load() > 0 && k >= 0 && atomic.CompareAndSwapInt32(&t.wakeAt, k, -1) {
		*at = w.nextAhead
		w.nextAhead = nil
		t.allowed = live + hardBound*rt.throttle
		l.mu.Unlock()
		rt.enqueueFront(t)
		l.n.Add(-1) // after t is to be seen elsewhere (allIdle)
		return
	}
	w.seenLive = live
	w.watch.Reset(progressEvery)
	l.mu.Unlock()
}

// workerList holds creators that wait for their children to catch up.
type workerList struct {
	n    atomic.Int32
	mu   sync.Mutex
	head *worker
}

//go:norace
func (l *workerList) push(w *worker) {
	l.mu.Lock()
	w.nextAhead = l.head
	l.head = w
	l.n.Add(1)
	l.mu.Unlock()
}

//go:norace
func (l *workerList) remove(w *worker) {
	l.mu.Lock()
	for at := &l.head; *at != nil; at = &(*at).nextAhead {
		if *at == w {
			*at = w.nextAhead
			w.nextAhead = nil
			l.n.Add(-1)
			break
		}
	}
	l.mu.Unlock()
}

// hardBound is how many times its bound a creator may be ahead because slots found nothing ready. Beyond that it waits
// as long as its children complete, be it one by one: a chain keeps one slot busy and the others idle for as long as it
// is. If none completes within progressEvery, or nothing runs at all, it goes on.
const (
	hardBound     = 4
	progressEvery = 10 * time.Millisecond
)

// catchUp takes a creator off the list that may go on because nothing else is ready, nil if there is none. With stalled,
// nothing runs either.
//
//go:norace
func (rt *Runtime) catchUp(stalled bool) *Task {
	l := &rt.ahead
	if l.n.Load() == 0 {
		return nil
	}
	l.mu.Lock()
	at := &l.head
	for *at != nil {
		w := *at
		// The task is w's as long as w has not removed itself, for which it would need the lock.
		t := w.task
		if !stalled && t.farAhead() {
			at = &w.nextAhead
			continue
		}
		*at = w.nextAhead
		w.nextAhead = nil
		l.n.Add(-1)
		if k := atomic.LoadInt32(&t.wakeAt); k >= 0 && atomic.CompareAndSwapInt32(&t.wakeAt, k, -1) {
			l.mu.Unlock()
			t.flags |= resuming
			return t
		}
	}
	l.mu.Unlock()
	return nil
}
