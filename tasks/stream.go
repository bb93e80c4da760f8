package tasks

import (
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

// Stream is a queue of functions that run one after the other, each an independent task as of [Runtime.Go], in the order
// in which they were given (nanos6_stream_spawn_function). Streams of different ids run at the same time. A Stream is a
// name: it costs nothing as long as no function is queued, and ids may come and go. A function that blocks holds its own
// stream up and no slot.
type Stream struct {
	rt *Runtime
	id int
}

// Stream returns the runtime's stream with this id.
//
//go:norace
func (rt *Runtime) Stream(id int) Stream { return Stream{rt, id} }

// Go appends body to the stream. It starts when everything before it is deeply complete and its callback has returned;
// until then it costs the memory of a task. Body, done and clauses are those of [Runtime.Go]. Errors without a done come
// out of [Stream.Synchronize], or else of Close. A failed function does not keep the next one from running. Any
// goroutine may call Go; it returns at once.
func (s Stream) Go(body func(*Task) error, done func(error), clauses ...Clause) {
	r := s.rt.independent(body, done, clauses)
	if r == nil {
		return
	}
	race.ReleaseMerge(unsafe.Pointer(r)) // to who starts it
	if s.rt.streams.push(s.id, r) {
		r.begin()
	}
}

// Synchronize waits until all functions that were appended before are deeply complete and their callbacks have returned
// (nanos6_stream_synchronize). It returns the failures of the stream's functions without a callback that were not returned
// before. Called by a body, t is its task and gives the slot away; if its run or group is cancelled first, the error is
// the cause. With a nil t the goroutine is blocked. To wait for its own stream panics.
func (s Stream) Synchronize(t *Task) error {
	s.rt.streams.checkOutside(s.rt, t, s.id, false)
	if err := s.rt.streams.wait(s.rt, t, s.id, false); err != nil {
		return err
	}
	race.Acquire(s.rt.streams.order(s.id))
	return s.rt.streams.errorsOf(s.id, false)
}

// SynchronizeStreams is [Stream.Synchronize] for all streams (nanos6_stream_synchronize_all).
func (rt *Runtime) SynchronizeStreams(t *Task) error {
	rt.streams.checkOutside(rt, t, 0, true)
	if err := rt.streams.wait(rt, t, 0, true); err != nil {
		return err
	}
	if race.Enabled {
		for i := range rt.streams.orders {
			race.Acquire(unsafe.Pointer(&rt.streams.orders[i]))
		}
	}
	return rt.streams.errorsOf(0, true)
}

// Cancel cancels what is in the stream now, as a run is cancelled: the function that runs, and those that wait for their
// turn, which are skipped. The cause, context.Canceled if it is nil, is their error. Any goroutine may call it.
func (s Stream) Cancel(cause error) {
	r, last := s.rt.streams.queued(s.id)
	for r != nil {
		r.cancel(cause)
		if r == last {
			return
		}
		r = r.after()
	}
}

// after returns the next function of the stream, at the time when r was not the last.
//
//go:norace
func (r *run) after() *run { return r.nextQueued }

// endInStream hands the stream on to its next function.
func (r *run) endInStream(err error) {
	ss := &r.rt.streams
	race.ReleaseMerge(ss.order(r.stream.id))
	if r.done != nil {
		err = nil // told
	}
	next, waits := ss.pop(r, err)
	if next != nil {
		race.Acquire(unsafe.Pointer(next))
		next.begin()
	}
	waits.end()
}

// streamWaiter is a Synchronize.
type streamWaiter struct {
	left atomic.Int32 // streams to wait for, plus one while they are counted
	x    *waiter      // the task's, or
	done chan struct{}
}

// streamWaits are the Synchronizes that wait for one function to end.
type streamWaits struct{ first *streamWait }

type streamWait struct {
	w    *streamWaiter
	next *streamWait
}

//go:norace
func (l streamWaits) end() {
	race.Disable()
	for k := l.first; k != nil; k = k.next {
		if k.w.left.Add(-1) == 0 {
			if k.w.x != nil {
				k.w.x.resume()
			} else {
				close(k.w.done)
			}
		}
	}
	race.Enable()
}

// checkOutside panics if t belongs to a function of the stream.
//
//go:norace
func (ss *streams) checkOutside(rt *Runtime, t *Task, id int, all bool) {
	if t == nil {
		return
	}
	t.current("Synchronize")
	r := t.run
	for r.group != nil {
		r = r.group.up
	}
	if r.rt == rt && r.stream != nil && (all || r.stream.id == id) {
		panic("tasks: Synchronize of a stream by one of its own functions, \"" + r.root.Label() + "\"")
	}
}

// wait waits for the last functions of a stream, or of all.
//
//go:norace
func (ss *streams) wait(rt *Runtime, t *Task, id int, all bool) error {
	race.Disable()
	w := &streamWaiter{}
	if t != nil {
		w.x = newWaiter(t)
	} else {
		w.done = make(chan struct{})
	}
	w.left.Store(1)
	ss.enlist(w, id, all)
	cut := false
	switch {
	case w.left.Add(-1) == 0:
	case t == nil:
		<-w.done
	case t.run.rt == rt:
		cut = t.wait(w.x, waitStream, nil)
	default:
		t.run.rt.outside.Add(1) // seen from here another runtime is outside
		cut = t.wait(w.x, waitStream, nil)
		t.run.rt.outside.Add(-1)
	}
	race.Enable()
	if cut {
		return t.run.why()
	}
	return nil
}
