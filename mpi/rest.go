package mpi

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

// restState tells whether a rank can go on by itself. A rank is idle when
//
//	its main is blocked in this package, or has returned, or a task runtime is attached to it; and
//	every task runtime attached to it is idle.
//
// Go does not say which goroutine calls, so "main is blocked" is taken as "some goroutine of the rank is": that the others
// do not go on is checked at the end, by looking at all goroutines (deadlock.go).
type restState struct {
	// Both words: version in the upper half, count in the lower. The version moves with every change of the count, so two
	// equal readings mean that nothing happened between them.
	waits atomic.Uint64 // goroutines blocked in this package
	busy  atomic.Uint64 // attached activities that are not idle

	attached atomic.Int32
	retired  atomic.Bool // main has returned

	mu         sync.Mutex
	activities *Activity // in the order attached, linked by next
}

const (
	countMask = 1<<32 - 1
	oneMore   = 1<<32 + 1
	oneLess   = 1<<32 - 1
)

//go:norace
func (p *process) enterWait() { p.rest.waits.Add(oneMore) }

//go:norace
func (p *process) leaveWait() { p.rest.waits.Add(oneLess) }

//go:norace
func (s *restState) retire() {
	race.Disable()
	s.retired.Store(true)
	race.Enable()
}

// idle reports whether the rank is idle, and a number that changes with every change of its state.
//
//go:norace
func (s *restState) idle() (idle bool, version uint64) {
	waits, busy := s.waits.Load(), s.busy.Load()
	resting := waits&countMask > 0 || s.attached.Load() > 0 || s.retired.Load()
	return resting && busy&countMask == 0, waits>>32 + busy>>32
}

// Activity is something that calls this package on behalf of a rank and may outlive the calls of its main: a task runtime.
// While one is busy, its rank is not idle and no deadlock is reported. Safe for concurrent use; Idle and Busy cost one
// atomic operation, or none when they change nothing.
type Activity struct {
	rest    *restState
	name    string
	pending func(io.Writer)
	idle    atomic.Bool
	closed  atomic.Bool
	next    *Activity // guarded by rest.mu
}

// Attach makes a task runtime known to c's rank, as busy. pending writes what the runtime waits for, for people; it may be
// nil. No MPI counterpart.
func (c *Comm) Attach(name string, pending func(w io.Writer)) *Activity {
	return c.proc.attach(name, pending)
}

//go:norace
func (p *process) attach(name string, pending func(w io.Writer)) *Activity {
	s := &p.rest
	a := &Activity{rest: s, name: name, pending: pending}
	race.ReleaseMerge(unsafe.Pointer(a)) // to Dump
	race.Disable()
	s.mu.Lock()
	s.busy.Add(oneMore)
	s.attached.Add(1)
	*s.placeLocked(nil) = a
	s.mu.Unlock()
	race.Enable()
	return a
}

// placeLocked returns the place in the list that holds a; with nil, its end.
//
//go:norace
func (s *restState) placeLocked(a *Activity) **Activity {
	at := &s.activities
	for *at != a {
		at = &(*at).next
	}
	return at
}

// Idle says that nothing of a can go on until a message arrives.
//
//go:norace
func (a *Activity) Idle() {
	race.Disable()
	if !a.idle.Swap(true) {
		a.rest.busy.Add(oneLess)
	}
	race.Enable()
}

// Busy takes [Activity.Idle] back. A runtime calls it when a message lets something go on, before that can finish.
//
//go:norace
func (a *Activity) Busy() {
	race.Disable()
	if a.idle.Swap(false) {
		a.rest.busy.Add(oneMore)
	}
	race.Enable()
}

// Close takes a away from its rank. Calls after the first do nothing; a is not to be used otherwise any more.
//
//go:norace
func (a *Activity) Close() {
	race.Disable()
	if !a.closed.Swap(true) {
		s := a.rest
		s.mu.Lock()
		*s.placeLocked(a) = a.next
		s.attached.Add(-1)
		a.Idle()
		s.mu.Unlock()
	}
	race.Enable()
}

// all returns the activities attached.
//
//go:norace
func (s *restState) all() []*Activity {
	race.Disable()
	s.mu.Lock()
	all := make([]*Activity, s.attached.Load())
	n := 0
	for a := s.activities; a != nil; a = a.next {
		all[n] = a
		n++
	}
	s.mu.Unlock()
	race.Enable()
	return all
}

// writeTo writes what the rank's activities wait for.
func (s *restState) writeTo(w io.Writer) {
	for _, a := range s.all() {
		race.Acquire(unsafe.Pointer(a))
		state := "busy"
		if a.idle.Load() {
			state = "idle"
		}
		fmt.Fprintf(w, "  %s: %s\n", a.name, state)
		if a.pending != nil {
			a.pending(w)
		}
	}
}
