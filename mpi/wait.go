package mpi

import "sync"

// waiter is a goroutine that waits for a request, or for any of several.
type waiter struct{ woken chan struct{} }

// Waiters of one request are recycled: the completer lets go of the waiter with the send that wakes it.
var waiters = sync.Pool{New: func() any { return newWaiter() }}

func newWaiter() *waiter { return &waiter{make(chan struct{}, 1)} }

// wake ends the wait. Further wakes, by other requests of a Waitany, are dropped.
func (w *waiter) wake() {
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

// park blocks the calling goroutine of p until w is woken.
func (w *waiter) park(p *process) {
	p.enterWait()
	<-w.woken
	p.leaveWait()
}

// await returns once r is complete. It fails if r was freed or has a waiter already.
func (r *Request) await() error {
	if r.done.Load() {
		return nil
	}
	if err := r.checkFreed("Wait"); err != nil {
		return err
	}
	w := waiters.Get().(*waiter)
	armed, err := r.arm(w)
	if armed {
		w.park(r.proc)
	}
	waiters.Put(w)
	return err
}

// arm makes w the waiter of r. It reports false if there is nothing to wait for.
func (r *Request) arm(w *waiter) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.done.Load():
		return false, nil
	case r.mu.waiter != nil && r.mu.waiter != w: // the same twice in one Waitany is harmless
		return false, misuse("Wait", ErrRequest, "another goroutine waits for it")
	}
	r.mu.waiter = w
	return true, nil
}

// disarm undoes arm, if r is not complete yet.
func (r *Request) disarm(w *waiter) {
	r.mu.Lock()
	if r.mu.waiter == w {
		r.mu.waiter = nil
	}
	r.mu.Unlock()
}
