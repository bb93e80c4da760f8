package mpi

import (
	"sync"

	"github.com/gompss/gompss/internal/race"
)

// waiter is a goroutine that waits for a request, or for any of several.
type waiter struct{ woken chan struct{} }

// Waiters of one request are recycled: the completer lets go of the waiter with the send that wakes it.
var waiters = sync.Pool{New: func() any { return newWaiter() }}

//go:norace
func newWaiter() *waiter { return &waiter{make(chan struct{}, 1)} }

// wake ends the wait. Further wakes, by other requests of a Waitany, are dropped.
//
//go:norace
func (w *waiter) wake() {
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

// park blocks the calling goroutine of p until w is woken.
//
//go:norace
func (w *waiter) park(p *process) {
	race.Disable()
	p.enterWait()
	<-w.woken
	p.leaveWait()
	race.Enable()
}

// await returns once r is complete. It fails if r was freed or has a waiter already.
func (r *Request) await() error {
	if r.done.Load() {
		return nil
	}
	if err := r.checkFreed("Wait"); err != nil {
		return err
	}
	w := borrowWaiter()
	armed, err := r.arm(w)
	if armed {
		w.park(r.proc)
	}
	w.giveBack()
	return err
}

func borrowWaiter() *waiter {
	if !recycling {
		return newWaiter()
	}
	return waiters.Get().(*waiter)
}

func (w *waiter) giveBack() {
	if recycling {
		waiters.Put(w)
	}
}

// arm makes w the waiter of r. It reports false if there is nothing to wait for.
func (r *Request) arm(w *waiter) (bool, error) {
	armed, taken := r.setWaiter(w)
	if taken {
		return false, misuse("Wait", ErrRequest, "another goroutine waits for it")
	}
	return armed, nil
}

//go:norace
func (r *Request) setWaiter(w *waiter) (armed, taken bool) {
	race.Disable()
	r.mu.Lock()
	if !r.done.Load() {
		taken = r.mu.waiter != nil && r.mu.waiter != w // the same twice in one Waitany is harmless
		if !taken {
			r.mu.waiter = w
			armed = true
		}
	}
	r.mu.Unlock()
	race.Enable()
	return armed, taken
}

// disarm undoes arm, if r is not complete yet.
//
//go:norace
func (r *Request) disarm(w *waiter) {
	race.Disable()
	r.mu.Lock()
	if r.mu.waiter == w {
		r.mu.waiter = nil
	}
	r.mu.Unlock()
	race.Enable()
}
