package trace

import (
	"iter"
	"time"

	"github.com/gompss/gompss/internal/race"
)

// An Event is one event as readers see it.
type Event struct {
	Time  time.Duration // since New
	Rank  int
	Row   string // the stream's name
	Kind  Kind
	Label string
	ID    uint64
	Arg   uint64 // 0 unless emitted by Emit2
}

// Events yields the visible events of all ranks in the order of time; the order of a row is kept, and at equal times the
// older row comes first. It is safe while streams are written, and sees what was published when the loop began. Tests
// use it; it costs about 50 ns an event.
func (r *Recorder) Events() iter.Seq[Event] {
	return func(yield func(Event) bool) {
		if r == nil {
			return
		}
		seen := r.rec.look()
		for m := seen.merge(); ; {
			e, ok := m.next()
			if !ok {
				return
			}
			row := &seen.rows[e.row]
			out := Event{
				Time: time.Duration(e.time), Rank: row.rank, Row: row.name,
				Kind: e.kind, Label: seen.name(e.label), ID: e.id, Arg: e.arg,
			}
			if !yield(out) {
				return
			}
		}
	}
}

// sight is what was published at one moment. It refers to the chunks and copies none of them.
type sight struct {
	rows  []row
	names []string // by label
	zero  uint64   // ticks at time 0
	rate  float64  // nanoseconds per tick
	lost  uint64   // events dropped, all rows
}

// row is the published part of a stream.
type row struct {
	name   string
	rank   int
	shared bool
	cells  uint64 // how many
	lost   uint64
	head   *chunk
}

// event is a decoded event. Times are nanoseconds since New.
type event struct {
	time  int64
	id    uint64
	arg   uint64
	row   int32
	label Label
	kind  Kind
	last  bool // of its row
}

// look takes sight of the recording. Labels come last: no visible event then has a label whose name is missing.
func (rec *recording) look() *sight {
	first, n := rec.streams()
	seen := &sight{rows: make([]row, n), zero: rec.clock.zero, rate: rec.clock.rate()}
	for i, s := 0, first; i < n; i, s = i+1, s.next {
		seen.rows[i] = row{name: s.name, rank: s.rank, shared: s.shared != nil, cells: s.published.Load(), lost: s.lost.Load()}
		if seen.rows[i].cells > 0 {
			seen.rows[i].head = s.head
		}
		seen.lost += seen.rows[i].lost
	}
	seen.names = rec.labels.names()
	return seen
}

// streams returns the list of streams and its present length. Only the last one's next may still change.
//
//go:norace
func (rec *recording) streams() (first *Stream, n int) {
	race.Disable()
	rec.mu.Lock()
	if rec.last != nil {
		first, n = rec.first, rec.last.row+1
	}
	rec.mu.Unlock()
	race.Enable()
	return first, n
}

// name returns the text of a label.
func (seen *sight) name(l Label) string {
	switch {
	case int(l) < len(seen.names):
		return seen.names[l]
	case l == otherLabels:
		return "(other labels)"
	}
	return "(unknown label)"
}

// cursor walks over the events of one row.
type cursor struct {
	sight *sight
	chunk *chunk
	at    int    // next cell in chunk
	left  uint64 // cells not yet read
	event event  // the current one
}

// next moves to the next event, if there is one. Times that go backwards within a row, because its owner moved to a core
// whose counter is a little behind, are raised to the time before: the order of a row is what was emitted.
func (c *cursor) next() bool {
	if c.left == 0 {
		return false
	}
	first := c.cell()
	e := &c.event
	kind := uint8(first.word >> kindAt)
	e.kind, e.label, e.id, e.arg = Kind(kind&^hasArg), Label(first.word>>labelAt), first.word&idMask, 0
	if kind&hasArg != 0 && c.left > 0 {
		e.arg = c.cell().time
	}
	if ticks := int64(first.time - c.sight.zero); ticks > 0 {
		e.time = max(e.time, int64(float64(ticks)*c.sight.rate))
	}
	c.skipPadding()
	e.last = c.left == 0
	return true
}

// skipPadding moves to the first cell of an event, or to the end.
func (c *cursor) skipPadding() {
	for c.left > 0 && c.peek().word == 0 {
		c.cell()
	}
}

// cell moves over one cell and returns it. The caller has checked left.
func (c *cursor) cell() *cell {
	cell := c.peek()
	c.at++
	c.left--
	return cell
}

func (c *cursor) peek() *cell {
	if c.at == chunkCells {
		c.chunk, c.at = c.chunk.next, 0
	}
	return &c.chunk.cells[c.at]
}
