package inproc

import "github.com/gompss/gompss/mpi/internal/transport"

// Limits bounds the memory that the transport spends on messages nobody waits for yet.
type Limits struct {
	Eager int // largest standard message, in bytes, that is kept so that its sender may go on; negative: none
	Room  int // bytes kept per pair of sender and receiver, each message counted as at least letterCost
}

// Network connects the ranks of one world. Safe for concurrent use.
type Network struct {
	limits Limits
	boxes  []mailbox
}

// New connects ranks ranks.
func New(ranks int, limits Limits) *Network {
	n := &Network{limits: limits, boxes: make([]mailbox, ranks)}
	for i := range n.boxes {
		n.boxes[i].init(ranks)
	}
	return n
}

// Endpoint returns rank's end.
//
//go:norace
func (n *Network) Endpoint(rank int) transport.Endpoint { return &endpoint{n, rank} }

// endpoint is one rank's view of the network.
type endpoint struct {
	net  *Network
	rank int
}

// Start implements [transport.Endpoint].
//
//go:norace
func (e *endpoint) Start(op *transport.Op) *transport.Op {
	op.Link.Context = op.Ctx.ID
	switch op.Kind {
	case transport.Send:
		return e.send(op)
	case transport.Recv, transport.Mprobe:
		return e.receive(op)
	case transport.Mrecv:
		return e.receiveTaken(op)
	default:
		return e.probe(op)
	}
}

// box returns the mailbox in which op is or was queued: the receiver's.
//
//go:norace
func (e *endpoint) box(op *transport.Op) *mailbox {
	if op.Kind == transport.Send {
		return &e.net.boxes[op.Ctx.Group[op.Peer]]
	}
	return &e.net.boxes[e.rank]
}
