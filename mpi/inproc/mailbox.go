package inproc

import (
	"sync"

	"github.com/gompss/gompss/mpi/internal/transport"
)

// mailbox is the matching state of one rank: receives that wait for a message, and messages that wait for a receive.
//
// Invariants, whenever mu is free:
//
//	no receive in posted or wild matches a message in arrived   (whoever came second would have taken the first)
//	no probe in probes matches a message in arrived
//	arrived and order hold the same messages; order is the order of arrival
//	within a bin of posted or arrived, equal envelopes keep their order of posting or arrival
//	an operation is in exactly the queues that its Link.Where says, and in none once it is being copied or complete
//	room[s] is the sum of the letters from world rank s that are in arrived or held
//
// The four queues of operations are intrusive: nothing is allocated and no user code runs while mu is held. A copy of user
// data happens under mu only into or out of a letter, hence of at most Limits.Eager bytes.
type mailbox struct {
	mu    sync.Mutex
	cause error // set once, by Abort: every operation from then on fails with it

	posted  table // receives that name source and tag
	wild    line  // receives with a wildcard, in the order posted
	arrived table // messages, by envelope
	order   line  // the same messages, in the order of arrival
	probes  line  // probes that found no message
	held    line  // messages taken by a probe, not yet received

	seq  uint64 // the next receive's place in the order of posting, over posted and wild
	room []int  // bytes kept for each sender
	free [letterClasses]*letter

	_ [64]byte // the neighbour's lock is another rank's hot spot
}

// Where an operation is queued.
const (
	nowhere uint8 = iota
	inPosted
	inWild
	inArrived
	inProbes
	inHeld
)

//go:norace
func (b *mailbox) init(ranks int) {
	b.room = make([]int, ranks)
	b.posted.init()
	b.arrived.init()
}

// matches tells whether a receive or probe in context id with this source and tag takes the message m.
//
//go:norace
func matches(id uint64, source, tag int32, m *transport.Op) bool {
	return m.Link.Context == id &&
		(source == transport.AnySource || source == int32(m.Ctx.Rank)) &&
		(tag == transport.AnyTag || tag == m.Tag)
}

// wildcard tells whether a receive or probe leaves the source or the tag open.
//
//go:norace
func wildcard(source, tag int32) bool {
	return source == transport.AnySource || tag == transport.AnyTag
}

// findReceiveLocked returns the receive posted first among those that take the message m. The candidates are the first of
// m's own envelope and the first wildcard that fits: the lower sequence number was posted first.
//
//go:norace
func (b *mailbox) findReceiveLocked(m *transport.Op) *transport.Op {
	r := b.posted.first(m.Link.Context, int32(m.Ctx.Rank), m.Tag, m.Link.Hash)
	for w := b.wild.head; w != nil; w = w.Link.LineNext {
		if r != nil && r.Link.Seq < w.Link.Seq {
			break
		}
		if matches(w.Link.Context, w.Peer, w.Tag, m) {
			return w
		}
	}
	return r
}

// findMessageLocked returns the message that arrived first among those a receive with this envelope takes.
//
//go:norace
func (b *mailbox) findMessageLocked(id uint64, source, tag int32) *transport.Op {
	if !wildcard(source, tag) {
		return b.arrived.first(id, source, tag, hash(id, source, tag))
	}
	for m := b.order.head; m != nil; m = m.Link.LineNext {
		if matches(id, source, tag, m) {
			return m
		}
	}
	return nil
}

// unlinkLocked takes op out of the queues it is in.
//
//go:norace
func (b *mailbox) unlinkLocked(op *transport.Op) {
	switch op.Link.Where {
	case inPosted:
		b.posted.remove(op)
	case inWild:
		b.wild.remove(op)
	case inArrived:
		b.arrived.remove(op)
		b.order.remove(op)
	case inProbes:
		b.probes.remove(op)
	case inHeld:
		b.held.remove(op)
	}
	op.Link.Where = nowhere
}

// postLocked queues a receive that no message matched.
//
//go:norace
func (b *mailbox) postLocked(r *transport.Op) {
	b.seq++
	r.Link.Seq = b.seq
	if wildcard(r.Peer, r.Tag) {
		r.Link.Where = inWild
		b.wild.push(r)
		return
	}
	r.Link.Hash = hash(r.Link.Context, r.Peer, r.Tag)
	r.Link.Where = inPosted
	b.posted.push(r)
}

// arriveLocked queues a message that no receive matched, and returns the probes that waited for it.
//
//go:norace
func (b *mailbox) arriveLocked(m *transport.Op) (seen *transport.Op) {
	m.Link.Where = inArrived
	b.arrived.push(m)
	b.order.push(m)
	for p := b.probes.head; p != nil; {
		next := p.Link.LineNext
		if matches(p.Link.Context, p.Peer, p.Tag, m) {
			b.unlinkLocked(p)
			p.Result = envelope(m)
			p.Next = seen
			seen = p
		}
		p = next
	}
	return seen
}

// envelope is what a receive or probe learns about the message m.
//
//go:norace
func envelope(m *transport.Op) transport.Result {
	return transport.Result{HB: m.Origin(), Source: int32(m.Ctx.Rank), Tag: m.Tag, Len: m.Len, ID: m.ID}
}
