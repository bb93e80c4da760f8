package tasks

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

// hold is one event that the task's completion waits for.
type hold struct {
	t          *Task
	src        Source
	what       stringer
	over       atomic.Bool
	prev, next *hold // in run.mu.holds
	nextTold   *hold // in the list of cancelHolds, which is the only one: a run is cancelled once
}

// canceller is the what of a hold that ends the hold itself when the run is cancelled.
type canceller interface{ Cancelled(cause error) }

// Hold makes the completion of t wait for an event outside (external events API): t's accesses are given up only when
// the body is over and done was called. Taken in an [OnReady] it delays the body instead. done may be called once, by
// any goroutine, at any time; an error fails the task, even though the body is over. To call done twice panics.
//
// Cost: one allocation, and an entry in a list under a lock.
//
//go:norace
func (t *Task) Hold() (done func(error)) { return t.HoldOn(nil, nil) }

// HoldOn is Hold for libraries: src, if not nil, is the closed world that ends the event, and what tells
// [Runtime.Dump] what is awaited; it is called while the event is pending, possibly from another goroutine. If what has
// a method Cancelled(cause error), it is called, by another goroutine, when the run is cancelled while the event is
// pending; the caller itself looks whether the run was cancelled before.
//
//go:norace
func (t *Task) HoldOn(src Source, what fmt.Stringer) (done func(error)) {
	t.current("Hold")
	h := &hold{t: t, src: src, what: what}
	race.ReleaseMerge(unsafe.Pointer(h)) // to cancelHolds
	race.Disable()
	if t.isTraced() {
		t.worker.slot.observe(EventOutside, t)
	}
	if t.flags&held == 0 {
		t.flags |= held
		atomic.StoreInt32(&t.events, 1) // the body's own part
	}
	atomic.AddInt32(&t.events, 1)
	r := t.run
	if src != nil {
		r.rt.sources.add(src)
		r.rt.inside.Add(1)
	} else {
		r.rt.outside.Add(1)
	}
	r.mu.Lock()
	h.next = r.mu.holds
	if h.next != nil {
		h.next.prev = h
	}
	r.mu.holds = h
	r.mu.Unlock()
	race.Enable()
	return h.done
}

// done ends the event. Whoever brings the task's events to zero goes on with it: starts the body after OnReady,
// releases the task after the body.
//
//go:norace
func (h *hold) done(err error) {
	race.Disable()
	twice := h.over.Swap(true)
	race.Enable()
	if twice {
		panic("tasks: the event of a Hold ended twice")
	}
	t := h.t
	rt := t.run.rt
	t.surrender()
	race.ReleaseMerge(unsafe.Pointer(t)) // to the body, after OnReady
	race.Disable()
	if err != nil {
		t.errors().addOwn(t.newError(err))
	}
	h.unlink()
	if atomic.AddInt32(&t.events, -1) == 0 {
		if t.flags&begun == 0 {
			t.startAfterHolds()
		} else {
			rt.releaseExternal(t)
		}
	}
	if h.src != nil {
		rt.inside.Add(-1)
		rt.checkIdle()
	} else {
		rt.outsideOver()
	}
	race.Enable()
}

//go:norace
func (h *hold) unlink() {
	r := h.t.run
	r.mu.Lock()
	if h.prev != nil {
		h.prev.next = h.next
	} else {
		r.mu.holds = h.next
	}
	if h.next != nil {
		h.next.prev = h.prev
	}
	r.mu.Unlock()
}

// cancelHolds tells the events that want to know that the run was cancelled. They may end meanwhile.
//
//go:norace
func (r *run) cancelHolds(cause error) {
	var told *hold
	r.mu.Lock()
	for h := r.mu.holds; h != nil; h = h.next {
		if _, ok := h.what.(canceller); ok {
			h.nextTold = told
			told = h
		}
	}
	r.mu.Unlock()
	race.Enable()
	for ; told != nil; told = told.nextTold {
		race.Acquire(unsafe.Pointer(told))
		told.what.(canceller).Cancelled(cause)
	}
	race.Disable()
}

// startAfterHolds queues a task whose OnReady's events are over.
//
//go:norace
func (t *Task) startAfterHolds() {
	t.flags &^= held
	if l := t.errs.Load(); l != nil && l.own != nil {
		t.fail(l.own)
	}
	rt := t.run.rt
	if t.priority != 0 && rt.cfg.Pick == nil {
		rt.prio.push(t)
	} else {
		rt.front.push(t)
	}
	rt.notify()
}

// outsideOver lowers the count of what is pending outside. What came of it is queued already.
//
//go:norace
func (rt *Runtime) outsideOver() {
	if rt.outside.Add(-1) == 0 {
		rt.checkIdle()
	}
}

// checkIdle looks whether anything goes on after something pending ended without making a task ready.
//
//go:norace
func (rt *Runtime) checkIdle() {
	if rt.idle.all() {
		rt.allIdle()
	}
}
