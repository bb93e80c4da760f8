package inproc

import (
	"math/bits"
	"unsafe"

	"github.com/gompss/gompss/mpi/internal/transport"
)

// letter is an eager message: a send operation without an owner whose buffer is the letter's own copy of the data.
// Letters are recycled by the mailbox they arrive in, one free list for each power of two.
type letter struct {
	op     transport.Op // first, so that a pointer to it is a pointer to the letter
	data   []byte
	sender int // world rank
	next   *letter
	class  uint8
}

const (
	smallLetter   = 64 // bytes of data in class 0
	letterClasses = 11 // up to 64 KiB; longer ones are left to the garbage collector

	// letterCost is charged for a letter on top of its data, so that empty messages cannot pile up for ever either.
	letterCost = 256
)

//go:norace
func classOf(n int) uint8 {
	if n <= smallLetter {
		return 0
	}
	return uint8(bits.Len(uint(n-1)) - bits.Len(uint(smallLetter-1)))
}

// isLetter tells an eager message from a rendezvous: every operation of a caller has an owner.
//
//go:norace
func isLetter(m *transport.Op) bool { return m.Owner == nil }

// keepLocked copies the message m of world rank sender into a letter.
//
//go:norace
func (b *mailbox) keepLocked(m *transport.Op, sender int) *transport.Op {
	class := classOf(m.Len)
	var l *letter
	if class < letterClasses && b.free[class] != nil {
		l = b.free[class]
		b.free[class] = l.next
		l.next = nil
	} else {
		l = &letter{class: class}
		if class < letterClasses {
			l.data = make([]byte, smallLetter<<class)
		} else {
			l.data = make([]byte, m.Len)
		}
	}
	b.room[sender] += letterCost + m.Len
	l.sender = sender
	l.op.Kind = transport.Send
	l.op.Peer, l.op.Tag, l.op.Ctx = m.Peer, m.Tag, m.Ctx
	l.op.Buf, l.op.Len = unsafe.Pointer(unsafe.SliceData(l.data)), m.Len
	l.op.Name, l.op.ID = m.Name, m.ID
	l.op.Link.Context, l.op.Link.Hash = m.Link.Context, m.Link.Hash
	l.op.StandFor(m)
	transport.Move(l.op.Buf, m.Buf, m.Len)
	return &l.op
}

// discardLocked recycles the letter m once its data has been copied out or is not wanted.
//
//go:norace
func (b *mailbox) discardLocked(m *transport.Op) {
	l := (*letter)(unsafe.Pointer(m))
	b.room[l.sender] -= letterCost + m.Len
	l.op.Ctx = nil
	if l.class < letterClasses {
		l.next = b.free[l.class]
		b.free[l.class] = l
	}
}
