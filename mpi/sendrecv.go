package mpi

import (
	"sync/atomic"

	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/mpi/internal/transport"
)

// Sendrecv sends send to rank dst with sendTag and at the same time receives into recv from rank src with recvTag; it
// returns when both are done, with the status of the receive. Ranks that exchange in a ring or in pairs cannot deadlock
// over it, whatever the size. It matches ordinary sends and receives. The buffers must not overlap. Errors as for [Send]
// and [Recv] (MPI 4.1, 3.10).
func Sendrecv[S, R Elem](c *Comm, send []S, dst, sendTag int, recv []R, src, recvTag int) (Status, error) {
	return waitFor(c.isendrecv("Sendrecv", viewOf(send), dst, sendTag, viewOf(recv), src, recvTag))
}

// Isendrecv starts [Sendrecv]. Both buffers belong to the request until it is complete (MPI 4.1, 3.10).
func Isendrecv[S, R Elem](c *Comm, send []S, dst, sendTag int, recv []R, src, recvTag int) (*Request, error) {
	return c.isendrecv("Isendrecv", viewOf(send), dst, sendTag, viewOf(recv), src, recvTag)
}

// exchange is a request of a send and a receive: the request's own operation is the receive. It completes with the later
// of the two.
type exchange struct {
	Request
	send transport.Op
	open atomic.Int32
}

//go:norace
func (c *Comm) isendrecv(verb string, send view, dst, sendTag int, recv view, src, recvTag int) (*Request, error) {
	if err := c.checkSend(verb, send, dst, sendTag); err != nil {
		return nil, err
	}
	if err := c.checkRecv(verb, recv, src, recvTag); err != nil {
		return nil, err
	}
	x := &exchange{}
	x.proc, x.composite = c.proc, true
	c.fillRecv(&x.Request, verb, recv, src, recvTag)
	c.fillSend(&x.send, verb, send, dst, sendTag, transport.Standard)
	x.op.Owner, x.send.Owner = x, x
	x.op.Result = nothing // what it stays from ProcNull

	x.withSend(&x.send)
	x.open.Store(1)
	if src != ProcNull {
		x.launch(&x.op)
	}
	if dst != ProcNull {
		x.launch(&x.send)
	}
	x.launched()
	return &x.Request, nil
}

//go:norace
func (x *exchange) launch(op *transport.Op) {
	race.Disable()
	x.open.Add(1)
	race.Enable()
	x.proc.start(op)
}

// launched ends the time in which operations are started.
//
//go:norace
func (x *exchange) launched() {
	race.Disable()
	x.OpDone(nil)
	race.Enable()
}

// OpDone implements [transport.Owner].
//
//go:norace
func (x *exchange) OpDone(op *transport.Op) *transport.Op {
	if op != nil {
		x.proc.trace.done(op)
	}
	if x.open.Add(-1) == 0 {
		x.err = x.send.Result.Err
		x.finish()
	}
	return nil
}

// waitFor completes a request that has just been started.
func waitFor(r *Request, err error) (Status, error) {
	if err != nil {
		return emptyStatus, err
	}
	return r.Wait()
}
