package tasks

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Idling: a slot without work looks round for a moment, then lies down in a list and its goroutine goes away. A slot
// in the list costs nothing. Two patterns keep work and sleepers from missing each other; both rely on Go's atomics
// being sequentially consistent.
//
// Submit (notify):        1. put the task where others can see it
//
//  2. read the number of idle slots: none → done
//
//  3. searching 0 → 1 by compare-and-swap: failed → done, whoever searches will see the task
//
//  4. take a slot off the list and give it a goroutine, which starts out searching
//
// Lie down (search):      1. put the slot in the list (the number goes up)
//
//  2. searching −1
//
//  3. look at all places where others put work; if there is any, take the slot off the list and go on
//     searching, unless a submitter took it first
//
// If a submitter reads "no idle slot" at 2, the sleeper's number went up later, so its look round at 3 comes after the
// task was put. If the submitter fails at 3 because somebody searches, that slot lowers searching later, and looks
// round after that. A slot that finds work while searching and lowers searching to zero submits on behalf of those who
// failed at 3 meanwhile (found).
type idleSlots struct {
	n     atomic.Int32
	total atomic.Int32 // slots in use, idle or not; see cpus.go
	mu    sync.Mutex   // guards changes of both, and what slots say about themselves: isIdle, disabled
	head  *slot
	// quiet is whether the Sources were told that nothing goes on; under mu.
	quiet bool
}

// searchRounds is how often a slot looks round before it lies down. It is chosen, not measured: enough to bridge the gap
// between two tasks, few enough to be idle soon.
const searchRounds = 24

// push puts s into the list. If s is not wanted any more it is disabled instead, and push reports false.
//
//go:norace
func (l *idleSlots) push(s *slot) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.leaving() {
		s.disableLocked()
		return false
	}
	s.nextIdle = l.head
	s.isIdle = true
	l.head = s
	l.n.Add(1)
	return true
}

// all tells whether all slots are idle. Whoever makes it so by lying down, or by taking a slot out of use, looks at it
// after that.
//
//go:norace
func (l *idleSlots) all() bool { return l.n.Load() == l.total.Load() }

// remove takes s off the list, unless somebody was faster.
//
//go:norace
func (l *idleSlots) remove(s *slot) bool {
	l.mu.Lock()
	was := s.isIdle
	if was {
		at := &l.head
		for *at != s {
			at = &(*at).nextIdle
		}
		*at = s.nextIdle
		s.isIdle = false
		l.n.Add(-1)
		s.rt.busyLocked()
	}
	l.mu.Unlock()
	return was
}

// notify sees to it that somebody looks for the work that was just put where all can see it.
//
//go:norace
func (rt *Runtime) notify() {
	if rt.idle.n.Load() == 0 || rt.searching.Load() != 0 || !rt.searching.CompareAndSwap(0, 1) {
		return
	}
	l := &rt.idle
	l.mu.Lock()
	s := l.head
	if s == nil {
		l.mu.Unlock()
		rt.searching.Add(-1)
		return
	}
	l.head = s.nextIdle
	s.isIdle = false
	l.n.Add(-1)
	rt.busyLocked()
	l.mu.Unlock()
	s.hunting = true
	rt.spare.Go(s)
}

// busyLocked takes back what the Sources were told when all slots were idle. The list is locked.
//
//go:norace
func (rt *Runtime) busyLocked() {
	if rt.idle.quiet {
		rt.idle.quiet = false
		rt.sources.tell(sourceBusy)
	}
}

// found ends a search that found work.
//
//go:norace
func (s *slot) found() {
	s.hunting = false
	if s.rt.searching.Add(-1) == 0 {
		s.rt.notify()
	}
	s.traceIdle(false)
}

// search looks for work elsewhere. It returns a task; or again, for a task that is now among the slot's own; or
// neither, after the slot became idle and w is no longer its worker.
//
//go:norace
func (s *slot) search(w *worker) (t *Task, again bool) {
	rt := s.rt
	if !s.hunting {
		s.hunting = true
		rt.searching.Add(1)
	}
	for i := 0; i < searchRounds; i++ {
		if t := s.elsewhere(); t != nil {
			s.found()
			return t, false
		}
		if rt.front.n.Load() > 0 || rt.back.n.Load() > 0 {
			return nil, true
		}
		if i == 0 {
			s.traceIdle(true)
		}
		runtime.Gosched()
	}
	if c := rt.catchUp(false); c != nil { // nothing is ready: let a creator that is ahead go on
		s.found()
		return c, false
	}
	s.publishTrace()
	s.running = nil // or it would keep what a root task refers to
	s.returnWorker(w)
	s.hunting = false
	stays := rt.idle.push(s)
	rt.searching.Add(-1)
	if !stays {
		rt.lookRound()
		return nil, false
	}
	if rt.visibleWork() || rt.stalled() {
		if !rt.idle.remove(s) {
			return nil, false
		}
		if v := s.takeWorker(); v != w {
			// Meanwhile others had the slot, left w on a blocked body's stack, and lay down again.
			s.returnWorker(v)
			rt.spare.Go(s)
			return nil, false
		}
		if c := rt.catchUp(true); c != nil {
			return c, false
		}
		return nil, true
	}
	if rt.idle.all() {
		rt.allIdle()
	}
	return nil, false
}

// elsewhere takes work from other slots, then tasks of low priority.
//
//go:norace
func (s *slot) elsewhere() *Task {
	if t := s.steal(); t != nil {
		return t
	}
	if rt := s.rt; rt.prio.top.Load() > noPriority {
		return rt.prio.pop(noPriority)
	}
	return nil
}

// steal takes work from another slot.
//
//go:norace
func (s *slot) steal() *Task {
	slots := s.rt.allSlots()
	if n := len(slots); n > 1 {
		s.random ^= s.random << 13
		s.random ^= s.random >> 17
		s.random ^= s.random << 5
		at := int(s.random % uint32(n))
		for i := 0; i < n; i++ {
			v := slots[at]
			if at++; at == n {
				at = 0
			}
			if v == s {
				continue
			}
			if t, k := v.ready.StealBatch(&s.ready, stealMax); t != nil {
				s.stats.stolen += uint64(k)
				return t
			}
		}
	}
	return nil
}

// stealMax bounds what a thief takes at once. Moving one task between cores costs about four cache lines; what is
// next to it in the queue comes cheaper.
const stealMax = 32

// visibleWork tells whether there is anything that a searching slot would find.
//
//go:norace
func (rt *Runtime) visibleWork() bool {
	if rt.front.n.Load() > 0 || rt.back.n.Load() > 0 || rt.prio.top.Load() > noPriority {
		return true
	}
	for _, s := range rt.allSlots() {
		if s.ready.Len() > 0 {
			return true
		}
	}
	return false
}

// stalled tells whether all slots are idle and nothing is pending while a creator waits for its children: then it is to
// go on. The last slot to lie down sees it: the creator was in the list before it gave its own slot away. (With a message
// or timer pending, lookAfter decides.)
//
//go:norace
func (rt *Runtime) stalled() bool {
	return rt.ahead.n.Load() > 0 && rt.idle.all() && rt.outside.Load() == 0 && rt.inside.Load() == 0
}

// allIdle is called when the last slot lay down. If that is still so, nothing of this runtime goes on until somebody
// outside acts. Whoever acts first queues the task, then lowers the count of what is pending; so if nothing is pending
// and then nothing is queued, nothing will be.
//
//go:norace
func (rt *Runtime) allIdle() {
	l := &rt.idle
	l.mu.Lock()
	// The runs come first: one that starts later is not meant, one that is starting shows in what is read below.
	rt.mu.Lock()
	runs := rt.mu.runs
	rt.mu.Unlock()
	if !l.all() || rt.outside.Load() != 0 {
		l.mu.Unlock()
		return
	}
	inside := rt.inside.Load()
	ahead := rt.ahead.n.Load() > 0 // who takes a creator off the list makes it visible first, or is no idle slot
	if rt.visibleWork() || !l.all() {
		l.mu.Unlock()
		return
	}
	stuck := false
	switch {
	case runs == nil:
		rt.sources.tell(sourceDone)
	case inside > 0:
		if !l.quiet {
			l.quiet = true
			rt.sources.tell(sourceQuiet)
		}
	default:
		stuck = true
	}
	l.mu.Unlock()
	switch {
	case !stuck:
	case ahead: // what was pending when the last slot lay down ended without making a task ready
		if c := rt.catchUp(true); c != nil {
			rt.enqueueFront(c)
		}
	default:
		rt.deadlock(runs)
	}
}
