package trace

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
)

// Messages overlap, and slices on one line of a timeline must not. So each rank has lanes: a send or receive takes the
// lowest free one when it is posted and gives it back when it completes. 64 lanes fit in a word; what finds none free is
// counted and not drawn.
//
// A send and the receive that matched it find each other by the message's number. A transfer is remembered from its post
// until it is complete and, if a send, has been received: memory is that of the messages in flight.

const lanes = 64

// transfer is a send or a receive.
type transfer struct {
	rank     int
	lane     int // -1 = none
	id       uint64
	label    Label
	recv     bool
	from, to int64
	over     bool // complete; to is valid
	matched  bool // its message has been received
	peer     int
	tag      int
	bytes    int
}

type posted struct {
	rank int
	id   uint64
}

type transfers struct {
	sends map[uint64]*transfer // by message
	recvs map[posted]*transfer
	busy  map[int]uint64 // lanes by rank
}

func newTransfers() transfers {
	return transfers{sends: map[uint64]*transfer{}, recvs: map[posted]*transfer{}, busy: map[int]uint64{}}
}

func (x *transfers) step(e *event, rank int, to observer) {
	switch e.kind {
	case MsgSend:
		if old := x.sends[e.id]; old != nil {
			x.finish(old, e.time, to)
		}
		x.sends[e.id] = x.post(e, rank)
	case MsgSendDone:
		if s := x.sends[e.id]; s != nil {
			x.finish(s, e.time, to)
			if s.matched {
				delete(x.sends, e.id)
			}
		}
	case MsgRecv:
		key := posted{rank, e.id}
		if old := x.recvs[key]; old != nil {
			x.finish(old, e.time, to)
		}
		x.recvs[key] = x.post(e, rank)
	case MsgRecvDone:
		x.received(e, rank, to)
	}
}

// post begins a transfer.
func (x *transfers) post(e *event, rank int) *transfer {
	t := &transfer{rank: rank, lane: -1, id: e.id, label: e.label, recv: e.kind == MsgRecv, from: e.time}
	t.peer, t.tag, t.bytes = UnpackMessage(e.arg)
	if free := ^x.busy[rank]; free != 0 {
		t.lane = bits.TrailingZeros64(free)
		x.busy[rank] |= 1 << t.lane
	}
	return t
}

// finish ends a transfer and tells the observer, once.
func (x *transfers) finish(t *transfer, now int64, to observer) {
	if t.over {
		return
	}
	t.over, t.to = true, now
	if t.lane >= 0 {
		x.busy[t.rank] &^= 1 << t.lane
	}
	to.messaged(t)
}

// received ends a receive and pairs it with its send. The size and peer of the message are the send's, if that was seen.
func (x *transfers) received(e *event, rank int, to observer) {
	key := posted{rank, e.arg}
	if e.arg == 0 {
		key.id = e.id
	}
	r, s := x.recvs[key], x.sends[e.id]
	delete(x.recvs, key)
	if r == nil {
		r = &transfer{rank: rank, lane: -1, recv: true, from: e.time, peer: -1, tag: -1}
	}
	r.id = e.id
	r.matched = e.id != 0
	if s != nil {
		r.peer, r.tag, r.bytes = s.rank, s.tag, s.bytes
	}
	x.finish(r, e.time, to)
	if s == nil {
		return
	}
	to.delivered(s, r)
	if s.matched = true; s.over {
		delete(x.sends, e.id)
	}
}

// cut ends what is in flight at the end of the recording.
func (x *transfers) cut(now int64, to observer) {
	rest := slices.AppendSeq(slices.Collect(maps.Values(x.sends)), maps.Values(x.recvs))
	slices.SortFunc(rest, func(a, b *transfer) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.rank, b.rank), cmp.Compare(a.lane, b.lane), cmp.Compare(a.id, b.id))
	})
	for _, t := range rest {
		x.finish(t, now, to)
	}
}
