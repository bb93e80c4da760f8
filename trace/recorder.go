package trace

import (
	"sync"
	"sync/atomic"

	"github.com/gompss/gompss/internal/race"
)

// defaultLimit is the memory a recording may take when Config says nothing: 64 Mi cells.
const defaultLimit = 1 << 30

// Config says how to record. The zero Config is a good one.
type Config struct {
	// Limit is how many bytes of events are kept in memory, over all streams; 0 means 1 GiB. Streams take it in chunks
	// of 64 KiB, one with the first event and one whenever the last is full; a limit below that grants one chunk. When
	// it is used up new events are dropped: each stream keeps its oldest ones. The number lost is shown in every output.
	Limit int
}

// A Recorder records one process: all its in-process ranks. A Recorder value is a view of the recording for one rank,
// see [Recorder.Rank]. All methods are safe for concurrent use, and on a nil Recorder they do nothing and return zero
// values, so a program passes nil to switch tracing off.
type Recorder struct {
	rec  *recording
	rank int
}

// recording is what the views share.
type recording struct {
	clock  clock
	labels labels
	left   atomic.Int64 // bytes of Limit not yet taken by a chunk; below zero when a request failed

	mu          sync.Mutex // guards the list of streams; Stream.next and Stream.row are written under it
	first, last *Stream    // in order of creation

	_        [128]byte // the two counters below are written often, by everyone
	tasks    atomic.Uint64
	messages atomic.Uint64
	_        [128]byte
}

// New starts a recording and returns its view for rank 0. Time zero is now. The first New of a process reads two small
// kernel files to choose the clock; any New takes some microseconds.
func New(cfg Config) *Recorder {
	rec := &recording{clock: newClock()}
	if cfg.Limit <= 0 {
		cfg.Limit = defaultLimit
	}
	rec.left.Store(int64(max(cfg.Limit, chunkBytes)))
	return &Recorder{rec: rec}
}

// Rank returns a view of the same recording whose streams belong to the given rank, a process in the timeline.
func (r *Recorder) Rank(rank int) *Recorder {
	if r == nil {
		return nil
	}
	return &Recorder{rec: r.rec, rank: rank}
}

// Stream adds a row to the view's rank and returns it. The stream has one owner at a time, the only one that may call
// its methods; ownership moves between goroutines only with a happens-before edge that the caller provides. Rows are
// never removed: keep one per worker, not one per task. It costs a lock and one small allocation; the first chunk is
// taken with the first event.
//
//go:norace
func (r *Recorder) Stream(name string) *Stream {
	if r == nil {
		return nil
	}
	return r.rec.add(&Stream{rec: r.rec, name: name, rank: r.rank, n: chunkCells, ticks: r.rec.clock.ticks})
}

// Shared adds a row that many goroutines may write at the same time: each event takes a lock and is visible at once.
//
//go:norace
func (r *Recorder) Shared(name string) *Stream {
	if r == nil {
		return nil
	}
	inner := &Stream{rec: r.rec, n: chunkCells, ticks: r.rec.clock.ticks}
	return r.rec.add(&Stream{rec: r.rec, name: name, rank: r.rank, n: chunkCells, shared: &shared{inner: inner}})
}

//go:norace
func (rec *recording) add(s *Stream) *Stream {
	race.Disable()
	rec.mu.Lock()
	if rec.last == nil {
		rec.first = s
	} else {
		s.row = rec.last.row + 1
		rec.last.next = s
	}
	rec.last = s
	rec.mu.Unlock()
	race.Enable()
	return s
}

// NextTask reserves n consecutive task numbers, unique in the recording, and returns the first, which is never 0. n must
// be at least 1. It is one atomic addition on a word that all ranks share: workers that spawn many tasks reserve some
// dozens at a time. Numbers have 40 bits in the recording.
//
//go:norace
func (r *Recorder) NextTask(n int) uint64 {
	if r == nil {
		return 0
	}
	return reserve(&r.rec.tasks, n)
}

// NextMessage is [Recorder.NextTask] for messages, which are numbered on their own.
//
//go:norace
func (r *Recorder) NextMessage(n int) uint64 {
	if r == nil {
		return 0
	}
	return reserve(&r.rec.messages, n)
}

// reserve hides its atomic from the race detector: that two tasks drew numbers must not look like an order between them.
//
//go:norace
func reserve(counter *atomic.Uint64, n int) uint64 {
	if n < 1 {
		panic("trace: reserving less than one number")
	}
	race.Disable()
	last := counter.Add(uint64(n))
	race.Enable()
	return last - uint64(n) + 1
}
