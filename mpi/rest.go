package mpi

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
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
	activities []*Activity
}

const (
	countMask = 1<<32 - 1
	oneMore   = 1<<32 + 1
	oneLess   = 1<<32 - 1
)

func (p *process) enterWait() { p.rest.waits.Add(oneMore) }
func (p *process) leaveWait() { p.rest.waits.Add(oneLess) }

func (s *restState) retire() { s.retired.Store(true) }

// idle reports whether the rank is idle, and a number that changes with every change of its state.
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
}

// Attach makes a task runtime known to c's rank, as busy. pending writes what the runtime waits for, for people; it may be
// nil. No MPI counterpart.
func (c *Comm) Attach(name string, pending func(w io.Writer)) *Activity {
	return c.proc.attach(name, pending)
}

func (p *process) attach(name string, pending func(w io.Writer)) *Activity {
	s := &p.rest
	a := &Activity{rest: s, name: name, pending: pending}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy.Add(oneMore)
	s.attached.Add(1)
	s.activities = append(s.activities, a)
	return a
}

// Idle says that nothing of a can go on until a message arrives.
func (a *Activity) Idle() {
	if !a.idle.Swap(true) {
		a.rest.busy.Add(oneLess)
	}
}

// Busy takes [Activity.Idle] back. A runtime calls it when a message lets something go on, before that can finish.
func (a *Activity) Busy() {
	if a.idle.Swap(false) {
		a.rest.busy.Add(oneMore)
	}
}

// Close takes a away from its rank. Calls after the first do nothing; a is not to be used otherwise any more.
func (a *Activity) Close() {
	if a.closed.Swap(true) {
		return
	}
	s := a.rest
	s.mu.Lock()
	defer s.mu.Unlock()
	s.activities = slices.DeleteFunc(s.activities, func(b *Activity) bool { return a == b })
	s.attached.Add(-1)
	a.Idle()
}

// writeTo writes what the rank's activities wait for.
func (s *restState) writeTo(w io.Writer) {
	s.mu.Lock()
	activities := slices.Clone(s.activities)
	s.mu.Unlock()
	for _, a := range activities {
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
