package tasks

import (
	"fmt"

	"github.com/gompss/gompss/internal/race"
)

// Slots come and go while tasks run. A slot is in use, and counted in idleSlots.total, or disabled. Slots with a number
// below the target are wanted; one that is in use and not wanted leaves as soon as it has no body: when a task ends or
// blocks, when it lies down, or at once if it is idle. Whether it is wanted is decided under the lock of the idle slots,
// so a slot that leaves and a SetWorkers that wants it back cannot miss each other.
//
// Slot 0 is always wanted. Nothing that is queued can be left behind: a slot that leaves puts its own queue into the
// common one, then looks round like one that lies down (see idle.go), and slot 0 is idle, so it can be woken, or looks
// round itself before it is.
//
// A disabled slot keeps its row in the trace, its counts and its free tasks; it goes on with them when it is wanted again.

// SetWorkers makes n the number of slots (enable and disable CPUs). Any goroutine may call it at any time, a body too;
// of concurrent calls one is the last. New slots take work at once. A slot too many runs its task to the end, or until
// the body blocks, and takes no other; what was queued in it goes to the others. SetWorkers does not wait for that. The
// bound on creation stays as it is.
//
// An n below 1 or above 65536 is an error, and so is any but 1 with [Config].Serial or Pick. After Close it returns
// [ErrClosed].
//
// Cost: a lock, and for each new slot a goroutine. Slots keep their memory, a few KiB each, when they are disabled.
//
//go:norace
func (rt *Runtime) SetWorkers(n int) error {
	if n < 1 || n > maxWorkers {
		return fmt.Errorf("tasks: SetWorkers(%d): want 1 to %d", n, maxWorkers)
	}
	if n != 1 && (rt.cfg.Serial || rt.cfg.Pick != nil) {
		return fmt.Errorf("tasks: SetWorkers(%d): a runtime with Config.Serial or Config.Pick has one slot", n)
	}
	race.Disable()
	open := rt.enter() // Close waits meanwhile
	if open {
		rt.resize(n)
		rt.leave()
	}
	race.Enable()
	if !open {
		return ErrClosed
	}
	return nil
}

//go:norace
func (rt *Runtime) resize(n int) {
	rt.resizing.Lock()
	rt.makeSlots(n)
	rt.spare.Keep(n)
	l := &rt.idle
	l.mu.Lock()
	rt.target.Store(int32(n))
	for at := &l.head; *at != nil; {
		if s := *at; s.leaving() {
			*at = s.nextIdle
			s.isIdle = false
			l.n.Add(-1)
			s.disableLocked()
		} else {
			at = &s.nextIdle
		}
	}
	var wanted *slot
	for _, s := range rt.allSlots() {
		if s.disabled && !s.leaving() {
			s.disabled = false
			l.total.Add(1)
			s.nextIdle = wanted
			wanted = s
		}
	}
	if wanted != nil {
		rt.busyLocked()
	}
	l.mu.Unlock()
	rt.resizing.Unlock()
	for wanted != nil {
		s := wanted
		wanted = s.nextIdle
		s.nextIdle = nil
		s.hunting = true
		rt.searching.Add(1)
		rt.spare.Go(s)
	}
	rt.checkIdle() // the last slot that was not idle may be gone
}

// makeSlots sees to it that there are n slots, the new ones disabled.
//
//go:norace
func (rt *Runtime) makeSlots(n int) {
	old := rt.allSlots()
	if n <= len(old) {
		return
	}
	more := make([]*slot, n)
	for i := range old {
		more[i] = old[i]
	}
	race.Enable() // the recorder's lock is no part of ours
	for i := len(old); i < n; i++ {
		s := rt.newSlot(i)
		s.disabled = true
		s.traceIdle(true)
		s.publishTrace()
		more[i] = s
	}
	race.Disable()
	rt.slots.Store(&more)
}

// allSlots returns the slots that there ever were, by number.
//
//go:norace
func (rt *Runtime) allSlots() []*slot { return *rt.slots.Load() }

// leaving tells whether the slot is not wanted any more. That is for sure under the lock of the idle slots only.
//
//go:norace
func (s *slot) leaving() bool { return s.id >= int(s.rt.target.Load()) }

//go:norace
func (s *slot) disableLocked() {
	s.disabled = true
	s.rt.idle.total.Add(-1)
}

// retire takes a slot without a body out of use; then it is not the caller's any more, and w is over. It reports false
// if the slot is wanted again.
//
//go:norace
func (s *slot) retire(w *worker) bool {
	rt := s.rt
	if t := s.succ; t != nil {
		s.succ = nil
		s.enqueue(t)
	}
	for s.ready.Len() > 0 {
		if t, _ := s.ready.Steal(); t != nil { // the oldest: it goes first in the common queue
			rt.back.push(t)
		}
	}
	l := &rt.idle
	l.mu.Lock()
	if !s.leaving() {
		l.mu.Unlock()
		return false
	}
	s.traceIdle(true)
	s.publishTrace()
	s.running = nil
	s.returnWorker(w)
	searched := s.hunting
	s.hunting = false
	s.disableLocked()
	l.mu.Unlock()
	if searched {
		rt.searching.Add(-1)
	}
	rt.lookRound()
	return true
}

// lookRound does for a slot that was disabled what one does that lies down.
//
//go:norace
func (rt *Runtime) lookRound() {
	if rt.visibleWork() {
		rt.notify()
	}
	rt.checkIdle()
}

// SlotState is what a slot is doing. The names are those of [SlotState.String].
type SlotState uint8

const (
	SlotRunning  SlotState = iota // runs a body, or looks for one
	SlotIdle                      // waits for work
	SlotLeaving                   // runs a body, and is disabled when that ends or blocks
	SlotDisabled                  // not in use; see [Runtime.SetWorkers]
)

// String returns "running", "idle", "leaving" or "disabled".
//
//go:norace
func (s SlotState) String() string {
	switch s {
	case SlotRunning:
		return "running"
	case SlotIdle:
		return "idle"
	case SlotLeaving:
		return "leaving"
	case SlotDisabled:
		return "disabled"
	}
	return fmt.Sprintf("SlotState(%d)", uint8(s))
}

// Slots returns the state of every slot that there ever was, by its number, which is also that of its row in a trace.
// It may be called at any time by any goroutine; the states are of one moment.
//
//go:norace
func (rt *Runtime) Slots() []SlotState {
	race.Disable()
	l := &rt.idle
	l.mu.Lock()
	slots := rt.allSlots()
	states := make([]SlotState, len(slots))
	for i, s := range slots {
		switch {
		case s.disabled:
			states[i] = SlotDisabled
		case s.isIdle:
			states[i] = SlotIdle
		case s.leaving():
			states[i] = SlotLeaving
		}
	}
	l.mu.Unlock()
	race.Enable()
	return states
}
