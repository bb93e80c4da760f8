package mpi

import "github.com/gompss/gompss/mpi/internal/transport"

// Recv receives into buf the first message from rank src of c with tag, and returns when it is there. src may be
// [AnySource], tag may be [AnyTag]; the status tells what came. The message may be shorter than buf; the rest of buf is
// left alone. A longer message is consumed, its head is stored, and the error is [ErrTruncate].
//
// Of the messages that fit, the one that was sent first is taken, per sender; of several receives that fit one message,
// the one posted first takes it. From [ProcNull] comes an empty message at once. Errors: [ErrTruncate], [ErrComm],
// [ErrType], [ErrRank], [ErrTag], or the cause for which the world was cancelled. Cost: one copy, no allocation
// (MPI 4.1, 3.2.4).
func Recv[T Elem](c *Comm, buf []T, src, tag int) (st Status, err error) {
	err = c.recv("Recv", viewOf(buf), src, tag, &st)
	return st, err
}

// Irecv starts [Recv] and returns at once. buf belongs to the request until it is complete (MPI 4.1, 3.7.2).
func Irecv[T Elem](c *Comm, buf []T, src, tag int) (*Request, error) {
	return c.irecv("Irecv", viewOf(buf), src, tag)
}

func (c *Comm) recv(verb string, v view, src, tag int, st *Status) error {
	if err := c.checkRecv(verb, v, src, tag); err != nil {
		*st = emptyStatus
		return err
	}
	if src == ProcNull {
		*st = Status{Source: ProcNull, Tag: AnyTag}
		return nil
	}
	r := borrowRequest(c.proc)
	c.fillRecv(r, verb, v, src, tag)
	return r.call(st)
}

//go:norace
func (c *Comm) irecv(verb string, v view, src, tag int) (*Request, error) {
	if err := c.checkRecv(verb, v, src, tag); err != nil {
		return nil, err
	}
	if src == ProcNull {
		return completed(c.proc, nothing, transport.Recv), nil
	}
	r := &Request{proc: c.proc}
	c.fillRecv(r, verb, v, src, tag)
	r.start()
	return r, nil
}

// fillRecv writes the envelope and buffer of a receive into r.
//
//go:norace
func (c *Comm) fillRecv(r *Request, verb string, v view, src, tag int) {
	r.size = v.elem.size
	r.op.Kind, r.op.Name = transport.Recv, verb
	r.op.Ctx, r.op.Peer, r.op.Tag = c.p2p, int32(src), int32(tag)
	r.op.Buf, r.op.Len = v.ptr, v.bytes()
}
