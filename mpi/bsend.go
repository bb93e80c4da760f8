package mpi

import "github.com/gompss/gompss/mpi/internal/transport"

// BsendOverhead is what a buffered message costs of the attached buffer on top of its data, in bytes.
const BsendOverhead = 64

// BufferAttach gives the calling rank room for size bytes of buffered messages, over all its communicators. The memory
// comes from the heap as it is needed, so there is no slice to pass. A rank has one buffer: a second is [ErrBuffer]
// (MPI 4.1, 3.6).
func BufferAttach(c *Comm, size int) error {
	if err := c.check("BufferAttach"); err != nil {
		return err
	}
	b := &c.proc.buffer
	b.mu.Lock()
	defer b.mu.Unlock()
	if size <= 0 || b.limit > 0 {
		return misuse("BufferAttach", ErrBuffer, "%d bytes asked for, %d attached", size, b.limit)
	}
	b.limit = size
	return nil
}

// BufferDetach takes the buffer away, waits until all messages in it have been received, and returns its size. Bsend
// fails from the call on. Without a buffer it is [ErrBuffer] (MPI 4.1, 3.6).
func BufferDetach(c *Comm) (int, error) {
	if err := c.check("BufferDetach"); err != nil {
		return 0, err
	}
	b := &c.proc.buffer
	b.mu.Lock()
	size := b.limit
	if size == 0 {
		b.mu.Unlock()
		return 0, misuse("BufferDetach", ErrBuffer, "none attached")
	}
	b.limit = 0
	var r *Request
	if b.used > 0 {
		r = &Request{proc: c.proc, composite: true}
		b.drained = r
	}
	b.mu.Unlock()
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
	if !c.proc.buffer.reserve(cost) {
		return misuse(verb, ErrBuffer, "%d bytes", v.bytes())
	}
	var op transport.Op
	c.fillSend(&op, verb, v, dst, tag, transport.Standard)
	c.proc.trace.start(&op)
	d := copyOf(v.ptr, v.bytes(), &c.proc.buffer, cost)
	transport.Complete(d.send(c.proc, &op))
	d.done()
	return nil
}
