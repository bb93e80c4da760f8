package mpi

import (
	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/mpi/internal/transport"
)

// BsendOverhead is what a buffered message costs of the attached buffer on top of its data, in bytes.
const BsendOverhead = 64

// BufferAttach gives the calling rank room for size bytes of buffered messages, over all its communicators. The memory
// comes from the heap as it is needed, so there is no slice to pass. A rank has one buffer: a second is [ErrBuffer]
// (MPI 4.1, 3.6).
func BufferAttach(c *Comm, size int) error {
	if err := c.check("BufferAttach"); err != nil {
		return err
	}
	if attached, ok := c.proc.buffer.open(size); !ok {
		return misuse("BufferAttach", ErrBuffer, "%d bytes asked for, %d attached", size, attached)
	}
	return nil
}

// BufferDetach takes the buffer away, waits until all messages in it have been received, and returns its size. Bsend
// fails from the call on. Without a buffer it is [ErrBuffer] (MPI 4.1, 3.6).
func BufferDetach(c *Comm) (int, error) {
	if err := c.check("BufferDetach"); err != nil {
		return 0, err
	}
	size, r := c.proc.buffer.close(c.proc)
	if size == 0 {
		return 0, misuse("BufferDetach", ErrBuffer, "none attached")
	}
	_, err := r.Wait()
	return size, err
}

// Bsend is [Send] in buffered mode: it returns at once, whether or not a receive is posted, at the expense of the attached
// buffer. buf may be reused. Errors: [ErrBuffer] if the message and [BsendOverhead] do not fit, otherwise as for Send
// (MPI 4.1, 3.4).
func Bsend[T Elem](c *Comm, buf []T, dst, tag int) error {
	return c.bsend("Bsend", viewOf(buf), dst, tag)
}

// Ibsend is [Bsend] with a request, which is complete at once (MPI 4.1, 3.7.2).
func Ibsend[T Elem](c *Comm, buf []T, dst, tag int) (*Request, error) {
	if err := c.bsend("Ibsend", viewOf(buf), dst, tag); err != nil {
		return nil, err
	}
	return completed(c.proc, nothing, transport.Send), nil
}

func (c *Comm) bsend(verb string, v view, dst, tag int) error {
	if err := c.checkSend(verb, v, dst, tag); err != nil || dst == ProcNull {
		return err
	}
	cost := v.bytes() + BsendOverhead
	var op transport.Op
	c.fillSend(&op, verb, v, dst, tag, transport.Standard)
	v.postCopied(&op)
	race.Disable()
	ok := c.proc.bsend(&op, cost)
	race.Enable()
	if !ok {
		return misuse(verb, ErrBuffer, "%d bytes", v.bytes())
	}
	return nil
}

// bsend sends a copy of op's data at the expense of the attached buffer, if there is room.
//
//go:norace
func (p *process) bsend(op *transport.Op, cost int) bool {
	if !p.buffer.reserve(cost) {
		return false
	}
	p.trace.start(op)
	d := copyOf(op.Buf, op.Len, &p.buffer, cost)
	transport.Complete(d.send(p, op))
	d.done()
	return true
}
