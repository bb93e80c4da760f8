package trace

import (
	"testing"
	"time"
	"unsafe"
)

// Recorded times are those of Go's monotonic clock.
func TestClock(t *testing.T) {
	r := New(Config{})
	t.Logf("cycle counter: %v, %.6f ns per tick", r.rec.clock.ticks, r.rec.clock.rate())
	s := r.Stream("row")
	var want []time.Duration
	for range 20 {
		time.Sleep(2 * time.Millisecond)
		before := time.Since(r.rec.clock.start)
		s.Emit(Mark, 0, 1)
		want = append(want, before, time.Since(r.rec.clock.start))
	}
	s.Publish()
	const slack = 20 * time.Microsecond
	for e := range r.Events() {
		if e.Time < want[0]-slack || e.Time > want[1]+slack {
			t.Errorf("event at %v, really between %v and %v", e.Time, want[0], want[1])
		}
		want = want[2:]
	}
}

// What the costs in doc.go rest on: cells are 16 bytes, chunks 64 KiB.
func TestSizes(t *testing.T) {
	if unsafe.Sizeof(cell{}) != 16 || unsafe.Sizeof([chunkCells]cell{}) != chunkBytes {
		t.Error("sizes")
	}
}
