package tasks

import (
	"runtime/debug"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

// exec runs a ready task on w, or skips it.
//
//go:norace
func (w *worker) exec(t *Task) {
	t.worker = w
	if cause := t.run.cancelCause(); cause != nil {
		w.skip(t, cause)
		return
	}
	if cause := t.node.CauseUnless(forgiven); cause != nil {
		w.skip(t, cause)
		return
	}
	if t.flags&recorded != 0 {
		if cause := t.cycle.takeCause(); cause != nil {
			w.skip(t, cause)
			return
		}
	}
	if t.onReady != nil && t.flags&readied == 0 {
		if !w.runOnReady(t) {
			return
		}
	}
	if t.err != nil { // of OnReady or one of its holds
		w.over(t)
		return
	}
	t.flags |= begun
	w.slot.stats.executed++
	w.slot.runs(t)
	w.depth++
	if t.flags&costed != 0 {
		t.cost.begins()
	}
	if t.isTraced() {
		w.invokeTraced(t)
	} else {
		w.invoke(t)
	}
	w.depth--
	if t.flags&costed != 0 && t.err == nil {
		t.cost.measured()
	}
	w.slot.rests()
	w.over(t)
}

// invokeTraced is invoke with the body's start and end recorded: on two slots, perhaps.
//
//go:norace
func (w *worker) invokeTraced(t *Task) {
	w.slot.traceStart(t)
	w.invoke(t)
	w.slot.traceEnd(t)
}

// skip completes a task without running it. It passes on why.
//
//go:norace
func (w *worker) skip(t *Task, cause error) {
	w.slot.stats.skipped++
	t.fail(cause)
	if race.Enabled && t.flags&recorded != 0 { // its predecessors come before its successors all the same
		race.Enable()
		t.cycle.acquire()
		t.cycle.surrender()
		race.Disable()
	}
	if race.Enabled && t.more != nil && t.more.promise != nil {
		t.more.promise.skipped(t)
	}
	w.over(t)
}

// invoke runs the body. A panic and Goexit are the task's error.
//
//go:norace
func (w *worker) invoke(t *Task) {
	t.flags &^= returned
	race.Enable()
	if race.Enabled {
		race.Acquire(unsafe.Pointer(t)) // spawn
		t.node.Acquire()
		if t.flags&recorded != 0 {
			t.cycle.acquire()
		}
		if t.flags&isRoot != 0 && t.run.stream != nil {
			race.Acquire(t.run.rt.streams.order(t.run.stream.id))
		}
	}
	defer t.caught()
	var err error
	switch body := t.body.(type) {
	case func():
		body()
	case func(*Task):
		body(t)
	case func() error:
		err = body()
	case func(*Task) error:
		err = body(t)
	}
	t.leave(err)
}

// leave is the last that the body's goroutine does for the task in sight of the race detector.
//
//go:norace
func (t *Task) leave(err error) {
	t.flags |= returned
	t.surrender()
	race.Disable()
	if err != nil {
		t.failWith(err)
	}
}

// surrender tells the race detector that what this goroutine did comes before whatever waits for the task.
//
//go:norace
func (t *Task) surrender() {
	if !race.Enabled {
		return
	}
	t.node.Surrender()
	if t.flags&recorded != 0 {
		t.cycle.surrender()
	}
	if t.joiner != nil {
		race.ReleaseMerge(unsafe.Pointer(t.joiner))
	}
	if t.more != nil && t.more.promise != nil {
		race.ReleaseMerge(unsafe.Pointer(t.more.promise))
	}
	for p := t; p != nil; p = p.parent {
		race.ReleaseMerge(unsafe.Pointer(&p.live))
		if p.run.group != nil {
			race.ReleaseMerge(unsafe.Pointer(p.run.group))
		}
	}
}

// caught makes a panic or Goexit the task's error. It runs deferred, as the body's frame goes.
//
//go:norace
func (t *Task) caught() {
	if t.flags&returned != 0 {
		return
	}
	v := recover()
	if v != nil {
		// In sight of the race detector, and before the task leaves it.
		var err error = newPanicError(v, debug.Stack())
		c, cut := v.(unwound)
		t.leave(nil)
		if cut {
			t.fail(c.cause)
		} else {
			t.failWith(err)
		}
		return
	}
	t.leave(nil)
	w := t.worker
	// Goexit: this goroutine ends when its frames are gone. Everything on its stack ends with it.
	t.failWith(ErrGoexit)
	w.slot.rests()
	w.depth--
	if t.isTraced() {
		w.slot.traceEnd(t)
	}
	p := t.parent
	w.over(t)
	if w.depth > 0 {
		p.goesOn(w) // its frames go next: what it deferred may use it
	}
	w.leaveGoexit()
}

// leaveGoexit gives the slot away when the last body on the stack of a goroutine that ends is gone.
//
//go:norace
func (w *worker) leaveGoexit() {
	if w.depth > 0 {
		return
	}
	s := w.slot
	s.returnWorker(w)
	s.rt.spare.Go(s)
	race.Enable()
}

// unwound is the panic by which a body leaves a wait that cannot return an error.
type unwound struct{ cause error }

//go:norace
func (t *Task) failWith(err error) { t.fail(t.newError(err)) }

// runOnReady runs the OnReady clause, and reports whether the body may follow at once: no hold is pending.
//
//go:norace
func (w *worker) runOnReady(t *Task) bool {
	t.flags |= readied
	atomic.StoreInt32(&t.events, 1)
	w.callOnReady(t)
	if t.isTraced() {
		w.slot.publishTrace()
	}
	return t.endOnReady()
}

// endOnReady takes OnReady's own part off events and reports whether the task goes on at once.
//
//go:norace
func (t *Task) endOnReady() bool {
	if t.flags&held != 0 && atomic.AddInt32(&t.events, -1) != 0 {
		return false
	}
	t.flags &^= held
	if l := t.errs.Load(); l != nil && l.own != nil {
		t.fail(l.own)
	}
	return true
}

//go:norace
func (w *worker) callOnReady(t *Task) {
	t.flags &^= returned
	w.slot.runs(t)
	race.Enable()
	if race.Enabled {
		race.Acquire(unsafe.Pointer(t))
		t.node.Acquire()
		if t.flags&recorded != 0 {
			t.cycle.acquire()
		}
	}
	defer t.caughtOnReady()
	t.onReady(t)
	t.flags |= returned
}

//go:norace
func (t *Task) caughtOnReady() {
	goexit := false
	if t.flags&returned == 0 {
		if v := recover(); v != nil {
			t.failWith(newPanicError(v, debug.Stack()))
		} else {
			t.failWith(ErrGoexit)
			goexit = true
		}
	}
	race.ReleaseMerge(unsafe.Pointer(t)) // to the body
	if t.flags&returned == 0 {
		t.surrender() // there will be no body
	}
	race.Disable()
	w := t.worker
	w.slot.rests()
	if goexit {
		if t.isTraced() {
			w.slot.publishTrace()
		}
		if t.endOnReady() {
			w.over(t)
		}
		w.leaveGoexit()
	}
}

// over ends the body's phase: the task goes on to its release, unless events are pending, whose end then does it.
//
//go:norace
func (w *worker) over(t *Task) {
	t.worker = nil // from now on its verbs panic
	if j := t.joiner; j != nil {
		t.joiner = nil
		j.resume()
	}
	if t.flags&held != 0 {
		if t.isTraced() {
			w.slot.publishTrace()
		}
		if atomic.AddInt32(&t.events, -1) != 0 {
			return
		}
	}
	w.slot.release(t)
}
