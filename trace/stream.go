package trace

import (
	"sync"
	"sync/atomic"

	"github.com/gompss/gompss/internal/race"
)

// The recording protocol.
//
// A stream is a list of chunks, a chunk an array of 16-byte cells. Three rules make it fast to write and safe to read:
//
//  1. Only the owner writes: the cells, the list's links and its own cursor (cells, n, tail), all as plain memory.
//  2. A cell is written once. published counts the cells, from the beginning of the list, that are written for good; the
//     owner stores it when a chunk is full and in Publish. That store publishes the cells and the links up to there.
//  3. A reader loads published first and touches nothing beyond that many cells, nor the link behind them.
//
// A cell:
//
//	time  64 bits   ticks of the recording's clock
//	word  8 bits kind | 16 bits label | 40 bits id
//
// With hasArg set in its kind the event goes on in the next cell, which holds arg in place of the time. Both lie in one
// chunk: where only one cell is left it stays zero, and readers skip zero cells.
//
// Functions here carry go:norace and use no append, map or closure, because the task runtime calls them while it is
// hidden from the race detector, and they hide their own atomics and locks, so that a visible caller gets no order
// between goroutines from the fact that both were traced. See internal/race.
const (
	chunkCells = 4096
	chunkBytes = chunkCells * 16

	hasArg  = 1 << 7
	idBits  = 40
	idMask  = 1<<idBits - 1
	labelAt = idBits
	kindAt  = idBits + 16
)

type cell struct {
	time uint64
	word uint64
}

// chunk is a link of the list. The cells are an allocation of their own, without pointers, so that the garbage collector
// does not scan them.
type chunk struct {
	cells *[chunkCells]cell
	next  *chunk
}

// A Stream is one row of the recording, such as a worker. See [Recorder.Stream] for who may use it. All methods do
// nothing on a nil Stream.
type Stream struct {
	// The owner's cursor. n == chunkCells when there is no room: before the first event, when the limit is reached, and
	// always on a shared stream, so that the fast path needs no test for these.
	cells *[chunkCells]cell
	n     uint
	ticks bool // the clock is the cycle counter

	tail   *chunk
	before uint64  // cells in the chunks before tail
	shared *shared // not nil: many writers

	rec  *recording
	name string
	rank int
	row  int     // its number in the recording
	next *Stream // guarded by rec.mu

	head      *chunk // set before the first publication
	published atomic.Uint64
	lost      atomic.Uint64 // events dropped

	_ [128]byte // owners of neighbouring streams do not share a cache line
}

// shared is the lock and the stream behind it. It owns inner while it holds mu.
type shared struct {
	mu    sync.Mutex
	inner *Stream
}

// Emit records that k happened now to the task or message id. Only the owner may call it. It costs about 10 to 20 ns and
// does not block, except on a shared stream, which takes a lock; on a nil Stream it costs one comparison.
//
//go:norace
func (s *Stream) Emit(k Kind, l Label, id uint64) {
	if s != nil {
		s.emit(k, l, id)
	}
}

// Emit2 is [Stream.Emit] with one more word, whose meaning depends on k.
//
//go:norace
func (s *Stream) Emit2(k Kind, l Label, id, arg uint64) {
	if s != nil {
		s.emit2(k, l, id, arg)
	}
}

//go:norace
func (s *Stream) emit(k Kind, l Label, id uint64) {
	n := s.n
	if n >= chunkCells {
		s.emitFull(k, l, id)
		return
	}
	c := &s.cells[n]
	c.time = s.now()
	c.word = uint64(k)<<kindAt | uint64(l)<<labelAt | id&idMask
	s.n = n + 1
}

//go:norace
func (s *Stream) emit2(k Kind, l Label, id, arg uint64) {
	n := s.n
	if n >= chunkCells-1 {
		s.emit2Full(k, l, id, arg)
		return
	}
	c, more := &s.cells[n], &s.cells[n+1]
	c.time = s.now()
	c.word = uint64(k|hasArg)<<kindAt | uint64(l)<<labelAt | id&idMask
	more.time = arg
	s.n = n + 2
}

// now returns the time in ticks of the recording's clock.
//
//go:norace
func (s *Stream) now() uint64 {
	if s.ticks {
		return cycles()
	}
	return s.rec.clock.elapsed()
}

// emitFull is emit when the current chunk has no room.
//
//go:norace
func (s *Stream) emitFull(k Kind, l Label, id uint64) {
	switch {
	case s.shared != nil:
		s.shared.lock()
		s.shared.inner.emit(k, l, id)
		s.shared.publishAndUnlock(s)
	case s.grow():
		s.emit(k, l, id)
	}
}

// emit2Full is emit2 when the current chunk has no room for two cells.
//
//go:norace
func (s *Stream) emit2Full(k Kind, l Label, id, arg uint64) {
	switch {
	case s.shared != nil:
		s.shared.lock()
		s.shared.inner.emit2(k, l, id, arg)
		s.shared.publishAndUnlock(s)
	case s.grow():
		s.emit2(k, l, id, arg)
	}
}

// grow hands over the current chunk and links a new one. It reports false, and counts one event as lost, when the limit
// is reached; from then on n stays at chunkCells and every event comes here.
//
//go:norace
func (s *Stream) grow() bool {
	race.Disable()
	ok := s.growHidden()
	race.Enable()
	return ok
}

//go:norace
func (s *Stream) growHidden() bool {
	s.n = chunkCells
	s.publishHidden()
	if s.rec.left.Load() < chunkBytes || s.rec.left.Add(-chunkBytes) < 0 {
		s.lost.Add(1)
		return false
	}
	c := &chunk{cells: new([chunkCells]cell)}
	if s.tail == nil {
		s.head = c
	} else {
		s.before += chunkCells
		s.tail.next = c
	}
	s.tail, s.cells, s.n = c, c.cells, 0
	return true
}

// Publish makes everything emitted so far visible to readers. The owner calls it when it goes idle and when it stops. It
// is one atomic store, some 2 to 10 ns. A shared stream is always published.
//
//go:norace
func (s *Stream) Publish() {
	if s == nil || s.shared != nil {
		return
	}
	race.Disable()
	s.publishHidden()
	race.Enable()
}

//go:norace
func (s *Stream) publishHidden() {
	if s.tail != nil {
		s.published.Store(s.before + uint64(s.n))
	}
}

//go:norace
func (sh *shared) lock() {
	race.Disable()
	sh.mu.Lock()
}

// publishAndUnlock publishes through the outer stream s, the one that readers know.
//
//go:norace
func (sh *shared) publishAndUnlock(s *Stream) {
	in := sh.inner
	if in.tail != nil {
		if s.head == nil {
			s.head = in.head
		}
		s.published.Store(in.before + uint64(in.n))
	}
	if lost := in.lost.Load(); lost != 0 {
		s.lost.Store(lost)
	}
	sh.mu.Unlock()
	race.Enable()
}
