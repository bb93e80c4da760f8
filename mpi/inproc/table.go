package inproc

import "github.com/gompss/gompss/mpi/internal/transport"

// table is a hash table of operations by exact envelope. Operations are chained through their own links and each chain
// keeps the order of insertion, so the first with an envelope is the oldest with it.
type table struct {
	bins []bin // a power of two of them
	n    int
}

type bin struct{ head, tail *transport.Op }

//go:norace
func (t *table) init() { t.bins = make([]bin, 16) }

// hash spreads envelopes over 32 bits. Tags and sources are mostly small and consecutive, hence the final mixing.
//
//go:norace
func hash(context uint64, source, tag int32) uint32 {
	h := context*0x9e3779b97f4a7c15 + uint64(uint32(source))<<32 + uint64(uint32(tag))
	h *= 0xff51afd7ed558ccd
	return uint32(h >> 32)
}

// peerOf is the source in op's envelope: a receive names it, a message has its sender.
//
//go:norace
func peerOf(op *transport.Op) int32 {
	if op.Kind == transport.Send {
		return int32(op.Ctx.Rank)
	}
	return op.Peer
}

//go:norace
func (t *table) bin(h uint32) *bin { return &t.bins[h&uint32(len(t.bins)-1)] }

// first returns the oldest operation with this envelope, whose hash is h.
//
//go:norace
func (t *table) first(context uint64, source, tag int32, h uint32) *transport.Op {
	if t.n == 0 {
		return nil
	}
	for op := t.bin(h).head; op != nil; op = op.Link.BinNext {
		if op.Link.Hash == h && op.Tag == tag && op.Link.Context == context && peerOf(op) == source {
			return op
		}
	}
	return nil
}

// push adds op, whose Link.Hash is set.
//
//go:norace
func (t *table) push(op *transport.Op) {
	if t.n >= 2*len(t.bins) {
		t.grow()
	}
	t.n++
	t.bin(op.Link.Hash).push(op)
}

//go:norace
func (b *bin) push(op *transport.Op) {
	op.Link.BinPrev, op.Link.BinNext = b.tail, nil
	if b.tail == nil {
		b.head = op
	} else {
		b.tail.Link.BinNext = op
	}
	b.tail = op
}

//go:norace
func (t *table) remove(op *transport.Op) {
	b := t.bin(op.Link.Hash)
	prev, next := op.Link.BinPrev, op.Link.BinNext
	if prev == nil {
		b.head = next
	} else {
		prev.Link.BinNext = next
	}
	if next == nil {
		b.tail = prev
	} else {
		next.Link.BinPrev = prev
	}
	op.Link.BinPrev, op.Link.BinNext = nil, nil
	t.n--
}

// grow quadruples the bins. Operations with equal envelopes come from one chain and are moved in its order, so they
// keep theirs.
//
//go:norace
func (t *table) grow() {
	old := t.bins
	t.bins = make([]bin, 4*len(old))
	for i := range old {
		for op := old[i].head; op != nil; {
			next := op.Link.BinNext
			t.bin(op.Link.Hash).push(op)
			op = next
		}
	}
}
