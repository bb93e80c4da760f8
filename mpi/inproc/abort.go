package inproc

import "github.com/gompss/gompss/mpi/internal/transport"

// Abort implements [transport.Endpoint]. An operation that is being copied is in no queue and completes normally: nobody's
// buffer changes after its operation is complete.
//
//go:norace
func (e *endpoint) Abort(cause error) *transport.Op {
	b := &e.net.boxes[e.rank]
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cause == nil {
		b.cause = cause
	}
	var failed *transport.Op
	for i := range b.posted.bins {
		for op := b.posted.bins[i].head; op != nil; op = b.posted.bins[i].head {
			failed = b.failLocked(op, failed)
		}
	}
	for _, l := range [...]*line{&b.wild, &b.order, &b.probes, &b.held} {
		for op := l.head; op != nil; op = l.head {
			failed = b.failLocked(op, failed)
		}
	}
	return failed
}

// failLocked takes op out of its queue and puts it before list; a letter is dropped, its sender went on long ago.
//
//go:norace
func (b *mailbox) failLocked(op, list *transport.Op) *transport.Op {
	b.unlinkLocked(op)
	if isLetter(op) {
		b.discardLocked(op)
		return list
	}
	op.Result.Err = b.cause
	op.Next = list
	return op
}

// Pending implements [transport.Endpoint].
//
//go:norace
func (e *endpoint) Pending() []transport.Pending {
	b := &e.net.boxes[e.rank]
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]transport.Pending, b.countLocked())
	n := 0
	for i := range b.posted.bins {
		for op := b.posted.bins[i].head; op != nil; op = op.Link.BinNext {
			all[n] = describe(op)
			n++
		}
	}
	for _, l := range [...]*line{&b.wild, &b.probes, &b.order, &b.held} {
		for op := l.head; op != nil; op = op.Link.LineNext {
			if !isLetter(op) {
				all[n] = describe(op)
				n++
			}
		}
	}
	return all[:n]
}

// countLocked returns how many operations are queued, letters included.
//
//go:norace
func (b *mailbox) countLocked() int {
	n := b.posted.n
	for _, l := range [...]*line{&b.wild, &b.probes, &b.order, &b.held} {
		for op := l.head; op != nil; op = op.Link.LineNext {
			n++
		}
	}
	return n
}

//go:norace
func describe(op *transport.Op) transport.Pending {
	return transport.Pending{
		Rank: op.Ctx.Group[op.Ctx.Rank], Verb: op.Name, Context: op.Ctx.Name,
		Peer: int(op.Peer), Tag: int(op.Tag), Bytes: op.Len, Send: op.Kind == transport.Send,
	}
}
