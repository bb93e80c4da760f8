package mpi

import (
	"sync/atomic"

	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/mpi/internal/transport"
)

// Probe waits for a message from src with tag and returns its status without receiving it: [Status.Bytes] and [GetCount]
// give its length. The next receive with the same source and tag takes that message, unless another goroutine took it
// meanwhile: concurrent receivers use [Mprobe]. Errors as for [Recv] (MPI 4.1, 3.8.1).
func Probe(c *Comm, src, tag int) (st Status, err error) {
	if done, st, err := c.beginProbe("Probe", src, tag); done {
		return st, err
	}
	r := borrowRequest(c.proc)
	c.fillProbe(&r.op, "Probe", transport.Probe, src, tag)
	err = r.call(&st)
	return st, err
}

// ProbeRequest starts [Probe]: the request completes, with the message's status, when there is a message to receive. It
// is how a probe is bound to a task, and has no MPI counterpart: [Iprobe] looks and returns.
//
//go:norace
func ProbeRequest(c *Comm, src, tag int) (*Request, error) {
	if done, _, err := c.beginProbe("Probe", src, tag); done {
		if err != nil {
			return nil, err
		}
		return completed(c.proc, nothing, transport.Probe), nil
	}
	r := &Request{proc: c.proc}
	c.fillProbe(&r.op, "Probe", transport.Probe, src, tag)
	r.start()
	return r, nil
}

// Iprobe returns the status of a message from src with tag that could be received now, and whether there is one
// (MPI 4.1, 3.8.1).
func Iprobe(c *Comm, src, tag int) (Status, bool, error) {
	if done, st, err := c.beginProbe("Iprobe", src, tag); done {
		return st, err == nil, err
	}
	race.Disable()
	res, ok := c.proc.ep.Iprobe(c.p2p, int32(src), int32(tag))
	race.Enable()
	c.proc.observed(&res)
	return probed(res, ok)
}

// Message is a message that a matched probe took: no other receive or probe sees it any more. It is received once, with
// [Mrecv] or [Imrecv] (MPI 4.1, 3.8.2).
type Message struct {
	c     *Comm
	op    *transport.Op // nil: the message from ProcNull
	res   transport.Result
	taken atomic.Bool
}

// Mprobe waits for a message from src with tag and takes it, so that concurrent receivers each get their own. Among
// waiting receives it has its place like any other. A message that is never received is dropped at the end of the world,
// and a sender that waits for it waits until then. Errors as for [Recv] (MPI 4.1, 3.8.2).
func Mprobe(c *Comm, src, tag int) (*Message, Status, error) {
	if done, st, err := c.beginProbe("Mprobe", src, tag); done {
		if err != nil {
			return nil, st, err
		}
		return &Message{c: c, res: nothing}, st, nil
	}
	r := &Request{proc: c.proc}
	c.fillProbe(&r.op, "Mprobe", transport.Mprobe, src, tag)
	r.start()
	st, err := r.Wait()
	if err != nil {
		return nil, st, err
	}
	return &Message{c: c, op: r.op.Message, res: r.op.Result}, st, nil
}

// Improbe takes a message from src with tag if one could be received now, and returns whether there was one
// (MPI 4.1, 3.8.2).
func Improbe(c *Comm, src, tag int) (*Message, Status, bool, error) {
	if done, st, err := c.beginProbe("Improbe", src, tag); done {
		if err != nil {
			return nil, st, false, err
		}
		return &Message{c: c, res: nothing}, st, true, nil
	}
	race.Disable()
	op, res, ok := c.proc.ep.Improbe(c.p2p, int32(src), int32(tag))
	race.Enable()
	c.proc.observed(&res)
	st, ok, err := probed(res, ok)
	if !ok {
		return nil, st, false, err
	}
	return &Message{c: c, op: op, res: res}, st, true, nil
}

// Mrecv receives m into buf. It never waits long: the message is there. Errors: [ErrMessage] if m was received before,
// otherwise as for [Recv] (MPI 4.1, 3.8.3).
func Mrecv[T Elem](m *Message, buf []T) (Status, error) {
	return waitFor(m.receive("Mrecv", viewOf(buf)))
}

// Imrecv starts [Mrecv] (MPI 4.1, 3.8.3).
func Imrecv[T Elem](m *Message, buf []T) (*Request, error) {
	return m.receive("Imrecv", viewOf(buf))
}

//go:norace
func (m *Message) receive(verb string, v view) (*Request, error) {
	switch {
	case m == nil:
		return nil, misuse(verb, ErrMessage, "nil")
	case v.elem.err != nil:
		return nil, misuse(verb, v.elem.err, "cannot be received")
	case m.taken.Swap(true):
		return nil, misuse(verb, ErrMessage, "rank %d, tag %d", m.res.Source, m.res.Tag)
	case m.op == nil:
		return completed(m.c.proc, nothing, transport.Mrecv), nil
	}
	r := &Request{proc: m.c.proc}
	m.c.fillRecv(r, verb, v, int(m.res.Source), int(m.res.Tag))
	r.op.Kind, r.op.Message = transport.Mrecv, m.op
	r.start()
	return r, nil
}

// beginProbe checks a probe's arguments. It reports true if there is nothing to probe: a wrong argument, or ProcNull.
func (c *Comm) beginProbe(verb string, src, tag int) (bool, Status, error) {
	if err := c.checkRecv(verb, view{}, src, tag); err != nil {
		return true, emptyStatus, err
	}
	return src == ProcNull, Status{Source: ProcNull, Tag: AnyTag}, nil
}

//go:norace
func (c *Comm) fillProbe(op *transport.Op, verb string, kind transport.Kind, src, tag int) {
	op.Kind, op.Name = kind, verb
	op.Ctx, op.Peer, op.Tag = c.p2p, int32(src), int32(tag)
}

func probed(res transport.Result, ok bool) (Status, bool, error) {
	if !ok {
		return emptyStatus, false, res.Err
	}
	return Status{Source: int(res.Source), Tag: int(res.Tag), Count: res.Len, Bytes: res.Len}, true, nil
}
