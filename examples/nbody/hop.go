package main

import (
	"github.com/gompss/gompss/examples/nbody/gravity"
	"github.com/gompss/gompss/mpi"
)

// A hop is what one place in the ring's buffers does in one shift: the block there goes to the next rank, and another one
// comes from the previous rank. Shares differ by up to a block, so at the last place there may be nothing to send, or
// nothing to receive. Then the slice is nil, which is no access, and the peer is ProcNull, who takes and gives nothing.
//
// # Tags
//
// A message is tagged with the number of its block among the blocks of all ranks. MPI keeps the order of messages only
// between sends that are themselves ordered, which tasks are not unless their accesses say so; this is why it is enough:
//
//   - in one step a block passes from a rank to the next at most once, so equal tags belong to different steps;
//   - a rank's own block is sent, then updated, then sent again;
//   - a foreign block travels through the same place of the same buffer in every step. It is received there, sent from
//     there, then received there again.
//
// So of two sends, or two receives, with equal tags the later one starts when the earlier is complete. The place i would
// not do as a tag: the last send of a step, from a scratch buffer, and the first of the next, from the rank's own
// block, have no item in common, and neither have sends from place i when not every share reaches that far.
type hop[F gravity.Float] struct {
	send, recv       []F
	dst, src         int
	sendTag, recvTag int
}

// hops returns the hops of shift.
func (n *nbody[F]) hops(send, recv []gravity.Points[F], shift int) []hop[F] {
	me := n.share.rank
	out, in := n.held(shift), n.held(shift+1)
	firstOut, _ := n.blocksOf(n.source(me, shift))
	firstIn, _ := n.blocksOf(n.source(me, shift+1))
	hops := make([]hop[F], max(out, in))
	for i := range hops {
		h := &hops[i]
		h.dst, h.src = mpi.ProcNull, mpi.ProcNull
		if i < out {
			h.send, h.dst, h.sendTag = send[i].Message(), n.next(me), firstOut+i
		}
		if i < in {
			h.recv, h.src, h.recvTag = recv[i].Message(), n.previous(me), firstIn+i
		}
	}
	return hops
}
