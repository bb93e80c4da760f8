package tasks

import (
	"fmt"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

type stringer = fmt.Stringer

// reason is what a body that gave its slot away waits for.
type reason uint8

const (
	waitTasks reason = iota
	waitAhead
	waitUndeferred
	waitItems
	waitGroup
	waitSuspend
	waitSleep
	waitCritical
	waitYield
	waitFuture
	waitStream
)

//go:norace
func (r reason) String() string {
	switch r {
	case waitTasks:
		return "its children (taskwait)"
	case waitAhead:
		return "its children to catch up"
	case waitUndeferred:
		return "an undeferred child"
	case waitItems:
		return "earlier accesses (taskwait on)"
	case waitGroup:
		return "a group"
	case waitSuspend:
		return "resume"
	case waitSleep:
		return "a timer"
	case waitCritical:
		return "critical"
	case waitYield:
		return "its turn"
	case waitStream:
		return "streams"
	case waitFuture:
		return "the result of"
	}
	return "?"
}

// waiter is one wait of one body for one event. Its state:
//
//	armed → parked        the body, when it is about to give its slot away
//	armed → resumed       the event came first: it is remembered, the body does not wait
//	parked → resumed      the event; whoever does it queues the body
//	parked → interrupted  the run was cancelled; whoever does it queues the body
//
// The last two exclude each other and happen once. A resume in any other state does nothing, so it may come late.
type waiter struct {
	state atomic.Int32
	task  *Task
}

const (
	armed int32 = iota
	parked
	resumed
	interrupted
)

//go:norace
func newWaiter(t *Task) *waiter { return &waiter{task: t} }

// resume reports false if the wait was interrupted before.
//
//go:norace
func (x *waiter) resume() bool {
	if x.state.CompareAndSwap(armed, resumed) {
		return true
	}
	if x.state.CompareAndSwap(parked, resumed) {
		x.task.run.rt.enqueueFront(x.task)
		return true
	}
	return x.state.Load() == resumed
}

// Resume is resume for user code.
func (x *waiter) Resume() {
	race.ReleaseMerge(unsafe.Pointer(x))
	race.Disable()
	x.resume()
	race.Enable()
}

// wait gives the slot away until x is resumed. It reports whether the run's cancellation ended the wait instead.
//
//go:norace
func (t *Task) wait(x *waiter, why reason, what stringer) bool {
	w := t.worker
	if x.state.Load() == resumed {
		return false
	}
	t.pauses(w)
	w.block(t, x, why, what)
	if x.state.CompareAndSwap(armed, parked) {
		r := t.run
		if !(r.stuck.Load() || r.cause.Load() != nil && w.cancellable()) || !x.state.CompareAndSwap(parked, interrupted) {
			w.park(t)
		}
	}
	w.unblock(t)
	t.goesOn(w)
	return x.state.Load() == interrupted
}

// cancellable tells whether the run's cancellation ends the wait. A wait for tasks goes on: they will be skipped.
//
//go:norace
func (w *worker) cancellable() bool { return w.reason >= waitSuspend }

// interrupt ends the wait of a body in its run's list of blocked ones, which is locked, and reports whether it did;
// then the caller must queue it.
//
//go:norace
func (w *worker) interrupt(stuck bool) bool {
	if !stuck && !w.cancellable() {
		return false
	}
	if w.waiter != nil {
		return w.waiter.state.CompareAndSwap(parked, interrupted)
	}
	k := atomic.LoadInt32(&w.task.wakeAt)
	return k >= 0 && atomic.CompareAndSwapInt32(&w.task.wakeAt, k, -1)
}

// block puts w into its run's list of blocked bodies, on behalf of t.
//
//go:norace
func (w *worker) block(t *Task, x *waiter, why reason, what stringer) {
	r := t.run
	r.mu.Lock()
	w.task, w.waiter, w.reason, w.what = t, x, why, what
	w.prev, w.next = nil, r.mu.blocked
	if w.next != nil {
		w.next.prev = w
	}
	r.mu.blocked = w
	r.mu.Unlock()
}

//go:norace
func (w *worker) unblock(t *Task) {
	r := t.run
	r.mu.Lock()
	if w.prev != nil {
		w.prev.next = w.next
	} else {
		r.mu.blocked = w.next
	}
	if w.next != nil {
		w.next.prev = w.prev
	}
	w.prev, w.next = nil, nil
	w.task, w.waiter, w.what = nil, nil, nil
	r.mu.Unlock()
}

// park gives the slot away and returns when the worker was given one again.
//
//go:norace
func (w *worker) park(t *Task) {
	s := w.slot
	s.stats.blocked++
	if t.isTraced() {
		s.traceBlock(t, w.reason)
	}
	t.addBlocked(1)
	w.slot = nil
	s.handOff()
	s = <-w.wake
	w.slot = s
	t.addBlocked(-1)
	if t.isTraced() {
		s.traceResume(t)
	}
}

// Suspend gives the slot away until resume is called, and keeps the stack (nanos6_block_current_task). arm is called
// first, on the body's goroutine, with the function that ends the suspension; any goroutine may call it, before or
// after Suspend has given the slot away, in arm itself too. One resume is remembered; more do nothing. The error is
// the run's cause if it was cancelled meanwhile, and then a later resume does nothing either.
//
// Cost: a few hundred nanoseconds, and a parked goroutine for as long as it lasts.
//
//go:norace
func (t *Task) Suspend(arm func(resume func())) error { return t.SuspendOn(nil, nil, arm) }

// SuspendOn is Suspend for libraries: src, if not nil, is the closed world that ends the suspension, and what tells
// [Runtime.Dump] what the body waits for; it is called while the body waits, possibly from another goroutine.
//
//go:norace
func (t *Task) SuspendOn(src Source, what fmt.Stringer, arm func(resume func())) error {
	t.current("Suspend")
	if arm == nil {
		panic("tasks: Suspend with a nil arm")
	}
	return t.suspend(src, what, waitSuspend, arm)
}

//go:norace
func (t *Task) suspend(src Source, what fmt.Stringer, why reason, arm func(resume func())) error {
	rt := t.run.rt
	pending := &rt.outside
	race.Disable()
	if src != nil {
		pending = &rt.inside
		rt.sources.add(src)
	}
	// Lowered when the body has a slot again: then the runtime is not idle, and nobody takes it for stuck.
	pending.Add(1)
	if t.isTraced() {
		t.worker.slot.observe(EventOutside, t)
	}
	x := newWaiter(t)
	race.Enable()
	defer lower(pending) // also if arm panics
	arm(x.Resume)
	race.Disable()
	cut := t.wait(x, why, what)
	race.Enable()
	race.Acquire(unsafe.Pointer(x))
	if cut {
		return t.run.why()
	}
	return nil
}

// lower runs deferred in sight of the race detector, which must not take the counter for an order.
//
//go:norace
func lower(pending *atomic.Int64) {
	race.Disable()
	pending.Add(-1)
	race.Enable()
}

// Sleep suspends the task for about d, at least, and returns the time really waited (nanos6_wait_for). It returns
// early if the run is cancelled. The resolution is that of Go's timers.
//
//go:norace
func (t *Task) Sleep(d time.Duration) time.Duration {
	t.current("Sleep")
	if d <= 0 {
		return 0
	}
	from := time.Now()
	s := sleeper{d: d}
	_ = t.suspend(nil, nil, waitSleep, s.arm)
	s.timer.Stop()
	return time.Since(from)
}

type sleeper struct {
	d     time.Duration
	timer *time.Timer
}

func (s *sleeper) arm(resume func()) { s.timer = time.AfterFunc(s.d, resume) }

// Yield lets other ready tasks run first, if there are any. It gives a slot away that is to be disabled.
//
//go:norace
func (t *Task) Yield() {
	w := t.current("Yield")
	race.Disable()
	s := w.slot
	n := s.pick()
	if n != nil {
		s.keep(n)
	}
	if n != nil || s.leaving() {
		t.flags |= resuming
		if t.isTraced() {
			s.traceBlock(t, waitYield)
		}
		t.pauses(w)
		w.slot = nil
		s.rt.enqueueBack(t)
		s.handOff()
		s = <-w.wake
		w.slot = s
		t.goesOn(w)
		if t.isTraced() {
			s.traceResume(t)
		}
	}
	race.Enable()
}
