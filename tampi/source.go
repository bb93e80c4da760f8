package tampi

import (
	"sync"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tasks"
)

// source is one rank's messages as seen by one runtime: it tells the rank when the runtime waits for nothing else, so
// that ranks that wait for each other are noticed (mpi.Activity).
type source struct {
	rt       *tasks.Runtime
	proc     mpi.Process
	activity *mpi.Activity
	next     *source
}

func (s *source) Quiet() { s.known(); s.activity.Idle() }
func (s *source) Busy()  { s.known(); s.activity.Busy() }

// known tells the race detector that the activity was made before it is used. The runtime calls hidden from it.
func (s *source) known() {
	race.Enable()
	race.Acquire(unsafe.Pointer(s))
	race.Disable()
}

// Done is called when no run is under way: the rank is then what its main is.
func (s *source) Done() {
	sources.remove(s)
	s.known()
	race.Enable() // Close is seen by the detector like any other caller's
	s.activity.Close()
	race.Disable()
}

// sources are those in use: one for each rank of the process that has tasks in messages.
var sources sourceList

type sourceList struct {
	mu   sync.Mutex
	head *source
}

// sourceOf returns the source of r's rank for t's runtime. It is hidden from the race detector: that two tasks send
// does not order them.
//
//go:norace
func sourceOf(t *tasks.Task, p mpi.Process) *source {
	rt := t.Runtime()
	race.Disable()
	s := sources.find(rt, p)
	race.Enable()
	if s != nil {
		return s
	}
	fresh := &source{rt: rt, proc: p, activity: p.Attach("tasks", rt.Dump)}
	race.ReleaseMerge(unsafe.Pointer(fresh))
	race.Disable()
	s = sources.add(fresh)
	race.Enable()
	if s != fresh {
		fresh.activity.Close() // another task was faster
	}
	return s
}

//go:norace
func (l *sourceList) find(rt *tasks.Runtime, p mpi.Process) *source {
	l.mu.Lock()
	s := l.findLocked(rt, p)
	l.mu.Unlock()
	return s
}

//go:norace
func (l *sourceList) findLocked(rt *tasks.Runtime, p mpi.Process) *source {
	for s := l.head; s != nil; s = s.next {
		if s.rt == rt && s.proc == p {
			return s
		}
	}
	return nil
}

// add puts s into the list unless there is one like it, and returns the one that is there.
//
//go:norace
func (l *sourceList) add(s *source) *source {
	l.mu.Lock()
	old := l.findLocked(s.rt, s.proc)
	if old == nil {
		s.next = l.head
		l.head = s
		old = s
	}
	l.mu.Unlock()
	return old
}

//go:norace
func (l *sourceList) remove(s *source) {
	l.mu.Lock()
	for at := &l.head; *at != nil; at = &(*at).next {
		if *at == s {
			*at = s.next
			break
		}
	}
	l.mu.Unlock()
}
