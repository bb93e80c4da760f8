package inproc

import "github.com/gompss/gompss/mpi/internal/transport"

// receive is the arrival of a receive or a matched probe: it takes the first message that fits, or is queued.
//
//go:norace
func (e *endpoint) receive(op *transport.Op) *transport.Op {
	b := &e.net.boxes[e.rank]
	b.mu.Lock()
	if b.cause != nil {
		op.Result.Err = b.cause
		b.mu.Unlock()
		return op
	}
	m := b.findMessageLocked(op.Link.Context, op.Peer, op.Tag)
	if m == nil {
		b.postLocked(op)
		b.mu.Unlock()
		return nil
	}
	b.unlinkLocked(m)
	if op.Kind == transport.Mprobe {
		b.holdLocked(m, op)
		b.mu.Unlock()
		return op
	}
	return b.takeUnlock(m, op)
}

// receiveTaken receives a message that a matched probe took.
//
//go:norace
func (e *endpoint) receiveTaken(op *transport.Op) *transport.Op {
	b := &e.net.boxes[e.rank]
	b.mu.Lock()
	if b.cause != nil { // Abort has failed the message already
		op.Result.Err = b.cause
		b.mu.Unlock()
		return op
	}
	m := op.Message
	b.unlinkLocked(m)
	return b.takeUnlock(m, op)
}

// takeUnlock receives the message m, which is in no queue any more, into r, and unlocks the mailbox: after the copy for
// a letter, which then goes back to the mailbox, and before it for a rendezvous.
//
//go:norace
func (b *mailbox) takeUnlock(m, r *transport.Op) *transport.Op {
	if isLetter(m) {
		fill(r, m)
		b.discardLocked(m)
		b.mu.Unlock()
		return r
	}
	b.mu.Unlock()
	return deliver(m, r)
}

// probe is the arrival of a probe: it looks at the first message that fits, or is queued.
//
//go:norace
func (e *endpoint) probe(op *transport.Op) *transport.Op {
	b := &e.net.boxes[e.rank]
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cause != nil {
		op.Result.Err = b.cause
		return op
	}
	if m := b.findMessageLocked(op.Link.Context, op.Peer, op.Tag); m != nil {
		op.Result = envelope(m)
		return op
	}
	op.Link.Where = inProbes
	b.probes.push(op)
	return nil
}

// Iprobe implements [transport.Endpoint].
//
//go:norace
func (e *endpoint) Iprobe(ctx *transport.Context, source, tag int32) (transport.Result, bool) {
	b := &e.net.boxes[e.rank]
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cause != nil {
		return transport.Result{Err: b.cause}, false
	}
	m := b.findMessageLocked(ctx.ID, source, tag)
	if m == nil {
		return transport.Result{}, false
	}
	return envelope(m), true
}

// Improbe implements [transport.Endpoint].
//
//go:norace
func (e *endpoint) Improbe(ctx *transport.Context, source, tag int32) (*transport.Op, transport.Result, bool) {
	b := &e.net.boxes[e.rank]
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cause != nil {
		return nil, transport.Result{Err: b.cause}, false
	}
	m := b.findMessageLocked(ctx.ID, source, tag)
	if m == nil {
		return nil, transport.Result{}, false
	}
	b.unlinkLocked(m)
	m.Link.Where = inHeld
	b.held.push(m)
	return m, envelope(m), true
}

// Cancel implements [transport.Endpoint].
//
//go:norace
func (e *endpoint) Cancel(op *transport.Op) *transport.Op {
	b := e.box(op)
	b.mu.Lock()
	defer b.mu.Unlock()
	if op.Link.Where == nowhere || op.Link.Where == inHeld {
		return nil
	}
	b.unlinkLocked(op)
	op.Result.Cancelled = true
	return op
}
