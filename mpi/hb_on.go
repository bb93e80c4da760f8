//go:build race

package mpi

import (
	"runtime"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/mpi/internal/transport"
)

// In race builds this package hides its own synchronisation from the detector (see internal/race) and shows it what MPI
// promises, and nothing else:
//
//	a message    what was done before its send was started comes before the completion of its receive, and before that of
//	             a probe that found it. If the send waits for its receive in any case — synchronous, or larger than
//	             Config.EagerLimit — what was done before the receive was started comes before the send's completion
//	a buffer     is read by a send and written by a receive at some time between the operation's start and its completion
//	a collective what its messages and local steps on one rank order
//	OnDone       what was done before it was called comes before the callback
//	a failure    of the world, what its cause did comes before the completion of what it fails
//
// The detector knows what is ordered by goroutine, but who completes an operation is a goroutine that happened to arrive
// second: it must neither show its own past to the operation's owner nor learn the owner's. So whatever is done on behalf of
// an operation — the use of a buffer, a callback, a round of a collective — is done aside: by a goroutine of its own,
// which knows only what it acquires.

// recycling is off: the detector would remember what was ordered by way of a request's memory.
const recycling = false

// shadow is what a request keeps for the detector. The bytes serve by their addresses: what was released on hook is what
// OnDone's caller had done, on told what the callback did.
type shadow struct {
	also       *transport.Op // the request's second operation
	seen       int32         // operations of a collective whose messages are known
	hook, told byte
}

// omens is what a world keeps for the detector, addresses as well: its failure, and the use of buffers, which ends with
// the world at the latest.
type omens struct{ failure, loans byte }

// runner is something to be done aside.
type runner interface{ run() }

// excursion is a goroutine that runs something aside.
type excursion struct {
	what     runner
	over     chan struct{}
	returned bool
	panicked any
}

// aside runs x on a goroutine that begins without any order and waits for it, also without an order. A panic or Goexit
// of x goes on here; then the caller is hidden once.
//
//go:norace
func aside(x runner) {
	e := &excursion{what: x, over: make(chan struct{}, 1)}
	race.Disable()
	go e.run()
	<-e.over
	race.Enable()
	if e.returned {
		return
	}
	race.Enable()
	if e.panicked == nil {
		runtime.Goexit()
	}
	panic(e.panicked)
}

//go:norace
func (e *excursion) run() {
	defer e.end()
	e.what.run()
	e.returned = true
}

//go:norace
func (e *excursion) end() {
	if !e.returned {
		e.panicked = recover()
	}
	race.Disable()
	e.over <- struct{}{}
	race.Enable()
}

// post tells the detector that op is about to be started, with its buffer.
//
//go:norace
func (p *process) post(op *transport.Op) {
	op.Post()
	if op.Len > 0 {
		aside(&loan{op, p.world})
	}
}

// loan is the use of op's buffer.
type loan struct {
	op *transport.Op
	w  *world
}

func (l *loan) run() {
	op := l.op
	race.Acquire(unsafe.Pointer(op))
	if op.Kind == transport.Send {
		l.readByOperation()
		// With the message, because its receiver may say that it has come: then a buffer of which the request was given
		// up may be used again.
		race.ReleaseMerge(unsafe.Pointer(op))
	} else {
		l.writtenByOperation()
		race.ReleaseMerge(unsafe.Pointer(&op.Buf))
	}
	race.ReleaseMerge(unsafe.Pointer(&l.w.omens.loans))
}

// The detector's reports show these names.

//go:noinline
func (l *loan) readByOperation() { race.ReadRange(l.op.Buf, l.op.Len) }

//go:noinline
func (l *loan) writtenByOperation() { race.WriteRange(l.op.Buf, l.op.Len) }

// postCopied tells the detector that op is about to be started from a copy of v.
//
//go:norace
func (v view) postCopied(op *transport.Op) {
	if n := v.bytes(); n > 0 {
		race.ReadRange(v.ptr, n)
	}
	op.Post()
}

// withSend makes op the request's second operation.
//
//go:norace
func (r *Request) withSend(op *transport.Op) { r.shadow.also = op }

// observed tells the detector that the caller has seen that r is complete.
//
//go:norace
func (r *Request) observed() {
	observe(&r.op)
	if r.shadow.also != nil {
		observe(r.shadow.also)
	}
	if r.err != nil || r.op.Result.Err != nil {
		r.proc.observedFailure()
	}
}

//go:norace
func observe(op *transport.Op) {
	race.Acquire(unsafe.Pointer(op))
	race.Acquire(unsafe.Pointer(&op.Buf))
	if op.Result.HB != nil {
		race.Acquire(unsafe.Pointer(op.Result.HB))
	}
}

// observed is observed for a message that a probe saw.
//
//go:norace
func (p *process) observed(res *transport.Result) {
	if res.HB != nil {
		race.Acquire(unsafe.Pointer(res.HB))
	}
	if res.Err != nil {
		p.observedFailure()
	}
}

//go:norace
func (p *process) observedFailure() { race.Acquire(unsafe.Pointer(&p.world.omens.failure)) }

// failing tells the detector that the world is about to fail by what the caller has done.
//
//go:norace
func (w *world) failing() { race.ReleaseMerge(unsafe.Pointer(&w.omens.failure)) }

// ended tells the detector that no buffer is in use any more.
//
//go:norace
func (w *world) ended() { race.Acquire(unsafe.Pointer(&w.omens.loans)) }

// hooking tells the detector that the caller is about to hand over a callback.
//
//go:norace
func (r *Request) hooking() { race.ReleaseMerge(unsafe.Pointer(&r.shadow.hook)) }

// tell calls back.
//
//go:norace
func (r *Request) tell(hook func(*Request)) {
	aside(&callback{r, hook})
	if r.within() {
		race.Enable()
		race.Acquire(unsafe.Pointer(&r.shadow.told))
		race.Disable()
	}
}

// within tells whether the goroutine that completes r can know that it does: it sends to its own rank, or cancels. It may
// then rely on the callback's being over.
//
//go:norace
func (r *Request) within() bool {
	switch {
	case r.composite || r.op.Result.Err != nil:
		return false
	case r.op.Kind == transport.Send:
		return int(r.op.Peer) == r.op.Ctx.Rank
	}
	return r.op.Result.Cancelled || int(r.op.Result.Source) == r.op.Ctx.Rank
}

type callback struct {
	r    *Request
	hook func(*Request)
}

//go:norace
func (c *callback) run() {
	race.Acquire(unsafe.Pointer(&c.r.shadow.hook))
	c.r.observed()
	c.hook(c.r)
	race.ReleaseMerge(unsafe.Pointer(&c.r.shadow.told))
}

// round is a round of a collective, or its end.
type round struct {
	k     *collective
	begin func(*collective) *transport.Op
	done  *transport.Op
}

// posted tells the detector that k is about to be launched.
//
//go:norace
func (k *collective) posted() { race.ReleaseMerge(unsafe.Pointer(&k.op)) }

// first runs the rounds from the first one.
//
//go:norace
func (k *collective) first() *transport.Op {
	x := &round{k: k, begin: (*collective).lendAndRun}
	aside(x)
	return x.done
}

// next goes on after a round.
//
//go:norace
func (k *collective) next() *transport.Op {
	x := &round{k: k, begin: (*collective).advance}
	aside(x)
	return x.done
}

//go:norace
func (x *round) run() {
	race.Acquire(unsafe.Pointer(&x.k.op))
	race.Disable()
	x.k.learn()
	x.done = x.begin(x.k)
	race.Enable()
}

// learn acquires what the messages tell that k received since the last call. Called hidden.
//
//go:norace
func (k *collective) learn() {
	n := k.used.Load()
	race.Enable()
	for ; k.shadow.seen < n; k.shadow.seen++ {
		if op := &k.ops[k.shadow.seen]; op.Kind == transport.Recv && op.Result.HB != nil {
			race.Acquire(unsafe.Pointer(op.Result.HB))
		}
	}
	race.Disable()
}

// lendAndRun shows the detector the use of all buffers before it runs k: they are k's until it is complete.
//
//go:norace
func (k *collective) lendAndRun() *transport.Op {
	race.Enable()
	for i := range k.steps {
		switch s := &k.steps[i]; s.verb {
		case send, relay:
			reads(s.to, s.n)
		case recv:
			writes(s.to, s.n)
		case fold:
			reads(s.from, s.n*k.size)
			writes(s.to, s.n*k.size)
		case move:
			reads(s.from, s.n)
			writes(s.to, s.n)
		}
	}
	race.Disable()
	return k.run()
}

//go:norace
func reads(p unsafe.Pointer, n int) {
	if n > 0 {
		race.ReadRange(p, n)
	}
}

//go:norace
func writes(p unsafe.Pointer, n int) {
	if n > 0 {
		race.WriteRange(p, n)
	}
}

// show tells the detector what this round did, to the next ones and whoever sees that k is complete. Called hidden.
//
//go:norace
func (k *collective) show() {
	race.Enable()
	race.ReleaseMerge(unsafe.Pointer(&k.op))
	race.ReleaseMerge(unsafe.Pointer(&k.proc.world.omens.loans))
	race.Disable()
}
