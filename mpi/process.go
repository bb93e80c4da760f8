package mpi

import (
	"io"

	"github.com/gompss/gompss/mpi/internal/transport"
)

// Process names a rank of a running world, so that a library can keep something per rank. Processes are comparable; the
// zero Process names none. It is what MPI calls the process, without the communicator that gives it a rank.
type Process struct{ p *process }

// Process returns the rank that calls on c belong to.
func (c *Comm) Process() Process { return Process{c.proc} }

// Process returns the rank that started r, none for a nil r.
func (r *Request) Process() Process {
	if r == nil {
		return Process{}
	}
	return Process{r.proc}
}

// Attach makes a task runtime known to the rank, as [Comm.Attach] does.
func (p Process) Attach(name string, pending func(w io.Writer)) *Activity {
	return p.p.attach(name, pending)
}

// Claim is [Request.OnDone] for a task runtime that is handed any request: where OnDone panics, it returns [ErrRequest],
// as it does if r was freed, and f will not run.
func (r *Request) Claim(f func(*Request)) error {
	if r == nil {
		f(nil)
		return nil
	}
	if err := r.checkFreed("Wait"); err != nil {
		return err
	}
	taken, done := r.setHook(f)
	switch {
	case taken:
		return misuse("Wait", ErrRequest, "another task waits for it")
	case done:
		r.observed()
		f(r)
	}
	return nil
}

// String describes the operation, for reports: "Irecv from 3, tag 7, 8 bytes". It may be called at any time.
//
//go:norace
func (r *Request) String() string {
	if r == nil {
		return "nil request"
	}
	if r.composite || r.op.Ctx == nil {
		if r.op.Name == "" {
			return "a collective"
		}
		return r.op.Name
	}
	op := &r.op
	return PendingOp{Op: op.Name, Comm: op.Ctx.Name, Peer: int(op.Peer), Tag: int(op.Tag), Bytes: op.Len, Send: op.Kind == transport.Send}.verb()
}
