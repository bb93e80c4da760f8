package mpi

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
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

// open sets the limit of a room that has none. It returns the limit there was, and whether it did.
//
//go:norace
func (m *room) open(limit int) (before int, ok bool) {
	race.Disable()
	m.mu.Lock()
	before = m.limit
	ok = limit > 0 && before == 0
	if ok {
		m.limit = limit
	}
	m.mu.Unlock()
	race.Enable()
	return before, ok
}

// close takes the limit away and returns it, with a request that completes when nothing is used any more; nil is one
// that is complete.
//
//go:norace
func (m *room) close(p *process) (limit int, drained *Request) {
	race.Disable()
	m.mu.Lock()
	limit, m.limit = m.limit, 0
	if limit > 0 && m.used > 0 {
		drained = &Request{proc: p, composite: true}
		m.drained = drained
	}
	m.mu.Unlock()
	race.Enable()
	return limit, drained
}

// reserve takes n bytes of the budget, if they fit.
//
//go:norace
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
//
//go:norace
func (m *room) reserveFirst(n int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used > 0 && m.used+n > m.limit {
		return false
	}
	m.used += n
	return true
}

//go:norace
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
//
//go:norace
func copyOf(p unsafe.Pointer, n int, m *room, cost int) *copied {
	d := &copied{data: make([]byte, n), room: m, cost: cost}
	transport.Move(unsafe.Pointer(unsafe.SliceData(d.data)), p, n)
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
//
//go:norace
func (d *copied) send(p *process, op *transport.Op) *transport.Op {
	s := &copiedSend{from: d, proc: p}
	s.op.Kind, s.op.Mode, s.op.Name = transport.Send, transport.Sync, op.Name
	s.op.Ctx, s.op.Peer, s.op.Tag, s.op.ID = op.Ctx, op.Peer, op.Tag, op.ID
	s.op.Buf, s.op.Len, s.op.Owner = unsafe.Pointer(unsafe.SliceData(d.data)), len(d.data), s
	s.op.StandFor(op)
	d.sends.Add(1)
	return p.ep.Start(&s.op)
}

// OpDone implements [transport.Owner].
//
//go:norace
func (s *copiedSend) OpDone(op *transport.Op) *transport.Op {
	s.proc.trace.done(op)
	s.from.done()
	return nil
}

//go:norace
func (d *copied) done() {
	if d.sends.Add(-1) == 0 {
		d.room.release(d.cost)
	}
}
