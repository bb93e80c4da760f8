package inproc

import (
	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/mpi/internal/transport"
)

// send is the arrival of a message:
//
//	a receive waits        take it out, unlock, copy from buffer to buffer; both are complete
//	a matched probe waits  the message goes to the held line instead, kept or by reference
//	ready mode             refused
//	eager                  a letter is queued; the send is complete
//	otherwise              the send itself is queued and completes when a receive comes (rendezvous)
//
//go:norace
func (e *endpoint) send(op *transport.Op) *transport.Op {
	b := e.box(op)
	op.Link.Hash = hash(op.Link.Context, int32(op.Ctx.Rank), op.Tag)
	if race.Enabled && op.Mode == transport.Standard && op.Len > e.net.limits.Eager {
		op.Mode = transport.Sync // in effect, and whoever comes first
	}

	b.mu.Lock()
	if b.cause != nil {
		op.Result.Err = b.cause
		b.mu.Unlock()
		return op
	}
	r := b.findReceiveLocked(op)
	if r != nil {
		b.unlinkLocked(r)
		if r.Kind == transport.Recv {
			b.mu.Unlock()
			return deliver(op, r)
		}
	} else if op.Mode == transport.Ready {
		b.mu.Unlock()
		op.Result.Err = transport.NotPosted
		return op
	}

	m, done := op, (*transport.Op)(nil)
	if e.eagerLocked(b, op) {
		m, done = b.keepLocked(op, e.rank), op
	}
	var woken *transport.Op
	if r != nil {
		b.holdLocked(m, r)
		woken = r
	} else {
		woken = b.arriveLocked(m)
	}
	b.mu.Unlock()
	return transport.Append(done, woken)
}

// eagerLocked tells whether op may be kept so that its sender goes on.
//
//go:norace
func (e *endpoint) eagerLocked(b *mailbox, op *transport.Op) bool {
	return op.Mode == transport.Standard && op.Len <= e.net.limits.Eager &&
		b.room[e.rank]+letterCost+op.Len <= e.net.limits.Room
}

// holdLocked gives the message m, which is in no queue, to the matched probe p.
//
//go:norace
func (b *mailbox) holdLocked(m, p *transport.Op) {
	m.Link.Where = inHeld
	b.held.push(m)
	p.Message = m
	p.Result = envelope(m)
}
