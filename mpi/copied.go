package mpi

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/mpi/internal/transport"
)

// A copied send is one whose caller has gone on: the data is a private copy that lives until the last send from it is
// complete. Buffered sends and the forwarding of broadcasts are made of it.

// room is a budget of bytes for copies.
type room struct {
	mu      sync.Mutex
	limit   int
	used    int
	drained *Request // completes when nothing is used any more
}

// reserve takes n bytes of the budget, if they fit.
func (m *room) reserve(n int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used+n > m.limit {
		return false
	}
	m.used += n
	return true
}

// reserveFirst is reserve, but whatever comes first fits.
func (m *room) reserveFirst(n int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used > 0 && m.used+n > m.limit {
		return false
	}
	m.used += n
	return true
}

func (m *room) release(n int) {
	m.mu.Lock()
	m.used -= n
	var r *Request
	if m.used == 0 {
		r, m.drained = m.drained, nil
	}
	m.mu.Unlock()
	if r != nil {
		r.finish()
	}
}

// copied is data copied out of a user's buffer, at the expense of a room.
type copied struct {
	data  []byte
	room  *room
	cost  int
	sends atomic.Int32 // open, plus one while more may come
}

// copyOf copies n bytes from p; the caller has reserved cost in m, and calls done after the last send.
func copyOf(p unsafe.Pointer, n int, m *room, cost int) *copied {
	d := &copied{data: make([]byte, n), room: m, cost: cost}
	copy(d.data, unsafe.Slice((*byte)(p), n))
	d.sends.Store(1)
	return d
}

// copiedSend is one send from a copy.
type copiedSend struct {
	op   transport.Op
	from *copied
	proc *process
}

// send starts a send of the copy with the envelope and number of op. It returns the operations complete by it.
func (d *copied) send(p *process, op *transport.Op) *transport.Op {
	s := &copiedSend{from: d, proc: p}
	s.op.Kind, s.op.Mode, s.op.Name = transport.Send, transport.Sync, op.Name
	s.op.Ctx, s.op.Peer, s.op.Tag, s.op.ID = op.Ctx, op.Peer, op.Tag, op.ID
	s.op.Buf, s.op.Len, s.op.Owner = unsafe.Pointer(unsafe.SliceData(d.data)), len(d.data), s
	d.sends.Add(1)
	return p.ep.Start(&s.op)
}

// OpDone implements [transport.Owner].
func (s *copiedSend) OpDone(op *transport.Op) *transport.Op {
	s.proc.trace.done(op)
	s.from.done()
	return nil
}

func (d *copied) done() {
	if d.sends.Add(-1) == 0 {
		d.room.release(d.cost)
	}
}
