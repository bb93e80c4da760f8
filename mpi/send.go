package mpi

import "github.com/gompss/gompss/mpi/internal/transport"

// Send sends buf to rank dst of c with tag, in standard mode: it returns once buf may be reused, which for a message of at
// most [Config].EagerLimit bytes is usually at once, and otherwise when the receive has taken it. A correct program does
// not depend on which. buf is only read.
//
// Messages from one goroutine to one rank in one communicator arrive in the order sent. To [ProcNull] nothing is sent.
// Errors: [ErrComm], [ErrType], [ErrRank], [ErrTag], or the cause for which the world was cancelled. Cost: one copy if the
// receive is posted, two if it is not; no allocation (MPI 4.1, 3.2.1).
func Send[T Elem](c *Comm, buf []T, dst, tag int) error {
	return c.send("Send", viewOf(buf), dst, tag, transport.Standard)
}

// Ssend is [Send] in synchronous mode: it returns only when the matching receive has taken the message
// (MPI 4.1, 3.4).
func Ssend[T Elem](c *Comm, buf []T, dst, tag int) error {
	return c.send("Ssend", viewOf(buf), dst, tag, transport.Sync)
}

// Rsend is [Send] in ready mode: the matching receive must be posted already. Where MPI leaves the opposite undefined,
// here it is [ErrNotPosted] and nothing is sent (MPI 4.1, 3.4).
func Rsend[T Elem](c *Comm, buf []T, dst, tag int) error {
	return c.send("Rsend", viewOf(buf), dst, tag, transport.Ready)
}

// Isend starts [Send] and returns at once. buf belongs to the request until it is complete (MPI 4.1, 3.7.2).
func Isend[T Elem](c *Comm, buf []T, dst, tag int) (*Request, error) {
	return c.isend("Isend", viewOf(buf), dst, tag, transport.Standard)
}

// Issend starts [Ssend]: the request completes when the receive has taken the message (MPI 4.1, 3.7.2).
func Issend[T Elem](c *Comm, buf []T, dst, tag int) (*Request, error) {
	return c.isend("Issend", viewOf(buf), dst, tag, transport.Sync)
}

// Irsend starts [Rsend]. If no receive is posted, the request completes with [ErrNotPosted] (MPI 4.1, 3.7.2).
func Irsend[T Elem](c *Comm, buf []T, dst, tag int) (*Request, error) {
	return c.isend("Irsend", viewOf(buf), dst, tag, transport.Ready)
}

func (c *Comm) send(verb string, v view, dst, tag int, mode transport.Mode) error {
	if err := c.checkSend(verb, v, dst, tag); err != nil || dst == ProcNull {
		return err
	}
	r := borrowRequest(c.proc)
	c.fillSend(&r.op, verb, v, dst, tag, mode)
	var st Status
	return r.call(&st)
}

//go:norace
func (c *Comm) isend(verb string, v view, dst, tag int, mode transport.Mode) (*Request, error) {
	if err := c.checkSend(verb, v, dst, tag); err != nil {
		return nil, err
	}
	if dst == ProcNull {
		return completed(c.proc, nothing, transport.Send), nil
	}
	r := &Request{proc: c.proc}
	c.fillSend(&r.op, verb, v, dst, tag, mode)
	r.start()
	return r, nil
}

// fillSend writes the envelope and data of a send into op.
//
//go:norace
func (c *Comm) fillSend(op *transport.Op, verb string, v view, dst, tag int, mode transport.Mode) {
	op.Kind, op.Mode, op.Name = transport.Send, mode, verb
	op.Ctx, op.Peer, op.Tag = c.p2p, int32(dst), int32(tag)
	op.Buf, op.Len = v.ptr, v.bytes()
}
