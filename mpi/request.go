package mpi

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/mpi/internal/transport"
)

// Request is an operation that has been started (MPI 4.1, 3.7). The buffer of the operation belongs to the request until
// it is complete: not to be written before a send is, not to be touched before a receive is.
//
// A request is completed by at most one waiting goroutine at a time and one [Request.OnDone]; a second waiter gets
// [ErrRequest]. Otherwise all methods are safe for concurrent use. Once complete, a request keeps its status, and
// waiting again returns it again. A nil *Request is MPI's REQUEST_NULL: complete, with the empty status.
type Request struct {
	op     transport.Op
	proc   *process
	shadow shadow // race builds
	size   int    // bytes of an element, to count what came

	// composite requests consist of several operations, or none, and complete when whoever runs them calls finish.
	// err is then their result; it is written before done.
	composite bool
	err       error

	// done publishes op.Result and err: whoever reads true may read them, and the operation is nobody else's any more.
	// Written once, under mu.
	done  atomic.Bool
	freed atomic.Bool

	mu struct {
		sync.Mutex
		waiter *waiter
		hook   func(*Request)
	}
}

// start posts the request's operation, and completes whatever that completes.
//
//go:norace
func (r *Request) start() {
	r.op.Owner = (*single)(r)
	r.proc.start(&r.op)
}

// start posts op of p, and completes whatever that completes.
//
//go:norace
func (p *process) start(op *transport.Op) {
	p.post(op)
	race.Disable()
	p.trace.start(op)
	transport.Complete(p.ep.Start(op))
	race.Enable()
}

// single is a request of one operation, as the transport sees it: what it calls is no business of users of Request.
type single Request

// OpDone implements [transport.Owner].
//
//go:norace
func (s *single) OpDone(op *transport.Op) *transport.Op {
	r := (*Request)(s)
	r.proc.trace.done(op)
	r.finish()
	return nil
}

// finish completes the request. Its last act on r itself is to unlock: a blocking call may recycle r as soon as it has
// seen done, so the waiter is woken through what was read under the lock.
//
//go:norace
func (r *Request) finish() {
	r.mu.Lock()
	w, hook := r.mu.waiter, r.mu.hook
	r.mu.waiter = nil
	r.done.Store(true)
	r.mu.Unlock()
	if w != nil {
		w.wake()
	}
	if hook != nil {
		r.tell(hook)
	}
}

// OnDone arranges that f runs exactly once when r is complete: at once, on the caller, if it already is, and otherwise on
// whichever goroutine completes it. f must not block; it may start operations. Inside f and afterwards [Request.Wait]
// and [Request.Status] return at once. It panics if r has an OnDone already. For a nil r, f runs at once.
//
// It is the hook by which a task runtime binds requests to tasks. No MPI counterpart.
func (r *Request) OnDone(f func(*Request)) {
	if r == nil {
		f(nil)
		return
	}
	taken, done := r.setHook(f)
	switch {
	case taken:
		panic("mpi: second OnDone on a request")
	case done:
		r.observed()
		f(r)
	}
}

// setHook makes f the callback, unless there is one: then it is taken. If r is done, f is the caller's to call.
//
//go:norace
func (r *Request) setHook(f func(*Request)) (taken, done bool) {
	r.hooking()
	race.Disable()
	r.mu.Lock()
	taken = r.mu.hook != nil
	if !taken {
		r.mu.hook = f
	}
	done = r.done.Load()
	r.mu.Unlock()
	race.Enable()
	return taken, done
}

// Wait waits until r is complete, and returns its status and error. Cost: nothing to speak of if r is complete, otherwise
// a parked goroutine (MPI 4.1, 3.7.3).
func (r *Request) Wait() (st Status, err error) {
	if r == nil {
		return emptyStatus, nil
	}
	if err = r.await(); err != nil {
		return emptyStatus, err
	}
	r.observed()
	err = r.result(&st)
	return st, err
}

// Test returns r's status and error if it is complete, and whether it is. It never waits (MPI 4.1, 3.7.3).
func (r *Request) Test() (st Status, done bool, err error) {
	if r == nil {
		return emptyStatus, true, nil
	}
	if !r.done.Load() {
		return emptyStatus, false, r.checkFreed("Test")
	}
	r.observed()
	err = r.result(&st)
	return st, true, err
}

// Status returns r's status if it is complete, and the empty status if not. Its error is in [Status.Err]
// (MPI 4.1, 3.7.6, Request_get_status).
func (r *Request) Status() Status {
	st, _, _ := r.Test()
	return st
}

// Free gives r up: the operation goes on, nobody may wait for it any more. Its buffer is never given back as far as the
// caller can tell, so this is for sends whose arrival shows in other ways (MPI 4.1, 3.7.3).
func (r *Request) Free() error {
	if r == nil {
		return nil
	}
	if r.freed.Swap(true) {
		return misuse("Free", ErrRequest, "freed before")
	}
	return nil
}

// Cancel takes a receive back. If a message has already matched it, the receive completes normally instead, and
// [Status.Cancelled] tells which. Either way r is to be waited for as usual. Only receives can be cancelled: sends,
// collectives and exchanges return [ErrRequest] (MPI 4.1, 3.8.4).
func (r *Request) Cancel() error {
	if r == nil {
		return nil
	}
	if err := r.checkFreed("Cancel"); err != nil {
		return err
	}
	if r.composite || r.op.Kind == transport.Send {
		return misuse("Cancel", ErrRequest, "%s cannot be cancelled", r.op.Name)
	}
	if !r.done.Load() {
		r.takeBack()
	}
	return nil
}

//go:norace
func (r *Request) takeBack() {
	race.Disable()
	transport.Complete(r.proc.ep.Cancel(&r.op))
	race.Enable()
}

func (r *Request) checkFreed(verb string) error {
	if r.freed.Load() {
		return misuse(verb, ErrRequest, "freed")
	}
	return nil
}

// result stores what a complete request came to in st, and returns its error. It fills st in place: copying a status that
// has just been written costs more than making it.
func (r *Request) result(st *Status) error {
	res := &r.op.Result
	switch {
	case r.err != nil:
		*st = failedStatus(r.err)
	case res.Err == transport.NotPosted:
		*st = failedStatus(misuse(r.op.Name, ErrNotPosted, "rank %d, tag %d", r.op.Peer, r.op.Tag))
	case res.Err != nil:
		*st = failedStatus(res.Err)
	case res.Cancelled:
		*st = Status{Source: AnySource, Tag: AnyTag, Cancelled: true}
	case r.op.Kind == transport.Send:
		*st = emptyStatus
	case r.op.Kind == transport.Recv || r.op.Kind == transport.Mrecv:
		st.Source, st.Tag, st.Cancelled = int(res.Source), int(res.Tag), false
		st.Bytes = min(res.Len, r.op.Len)
		st.Count = wholes(st.Bytes, r.size)
		st.Err = nil
		if res.Len > r.op.Len {
			st.Err = fmt.Errorf("mpi: %s: %w: %d bytes from rank %d with tag %d, room for %d", r.op.Name, ErrTruncate, res.Len, res.Source, res.Tag, r.op.Len)
		}
	default:
		*st = Status{Source: int(res.Source), Tag: int(res.Tag), Count: res.Len, Bytes: res.Len}
	}
	return st.Err
}

// completed returns a request that was never started: its operation had nothing to do.
//
//go:norace
func completed(p *process, res transport.Result, kind transport.Kind) *Request {
	r := &Request{proc: p}
	r.op.Kind = kind
	r.op.Result = res
	r.done.Store(true)
	return r
}

// The requests of blocking calls are recycled: nobody but the call has ever seen them.
var requests = sync.Pool{New: func() any { return new(Request) }}

//go:norace
func borrowRequest(p *process) *Request {
	if !recycling {
		return &Request{proc: p}
	}
	r := requests.Get().(*Request)
	r.proc = p
	return r
}

// giveBack recycles a complete request. mu stays as it is: its last unlock may still be under way.
//
//go:norace
func (r *Request) giveBack() {
	if !recycling {
		return
	}
	r.op = transport.Op{}
	r.proc = nil
	r.done.Store(false)
	requests.Put(r)
}

// call runs the request of a blocking call to its end and recycles it.
func (r *Request) call(st *Status) error {
	r.start()
	_ = r.await()
	r.observed()
	err := r.result(st)
	r.giveBack()
	return err
}
