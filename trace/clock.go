package trace

import "time"

// clock is the time base of a recording. Cells hold its raw ticks, readers convert them.
//
// Reading the processor's cycle counter costs half of time.Since, the largest part of an event. It is used where the
// kernel itself keeps time by it (see counterTrusted): then it runs at a constant rate, goes on in sleep states and agrees
// between cores. Its rate is measured over the life of the recording, against Go's monotonic clock. Elsewhere ticks
// are nanoseconds from time.Since.
type clock struct {
	ticks bool // cells hold cycle counts
	start time.Time
	zero  uint64 // the counter at start
}

// settle is the shortest time over which the counter's rate is measured: two readings, each good to some 50 ns, give it
// to 20 parts in a million.
const settle = 5 * time.Millisecond

func newClock() clock {
	c := clock{start: time.Now()}
	if counterTrusted() {
		c.ticks = true
		c.zero, c.start = simultaneous()
	}
	return c
}

// elapsed returns the ticks, in nanoseconds, when the counter is not used.
//
//go:norace
func (c *clock) elapsed() uint64 { return uint64(time.Since(c.start)) }

// rate returns the nanoseconds per tick. A recording younger than settle makes it wait for the rest.
func (c *clock) rate() float64 {
	if !c.ticks {
		return 1
	}
	time.Sleep(settle - time.Since(c.start))
	ticks, now := simultaneous()
	if ticks <= c.zero {
		return 1 // the counter stood still or was reset: the virtual machine moved
	}
	return float64(now.Sub(c.start)) / float64(ticks-c.zero)
}

// simultaneous reads both clocks at one moment: of some tries it keeps the one that the counter shows to be the shortest.
func simultaneous() (ticks uint64, now time.Time) {
	shortest := ^uint64(0)
	for range 40 {
		before := cycles()
		t := time.Now()
		after := cycles()
		if d := after - before; d < shortest {
			shortest, ticks, now = d, before+d/2, t
		}
	}
	return ticks, now
}
