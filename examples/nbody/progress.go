package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"
)

const (
	progressPeriod = 100 * time.Millisecond // between two drawings
	progressWidth  = 40                     // characters of a full bar
)

// progress draws a bar for work that is done in total equal parts. Parts may be added from any goroutine. The atomics
// that this takes order those goroutines in the race detector's eyes, so who hunts for missing dependencies runs with
// -quiet, or not on a terminal.
type progress struct {
	w     io.Writer
	total int64
	start time.Time
	done  atomic.Int64
	next  atomic.Int64 // nanoseconds after start, before which nothing is drawn
}

// newProgress draws on f if it is a terminal; otherwise it returns nil and nothing is ever drawn.
func newProgress(f *os.File, total int) *progress {
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &progress{w: f, total: int64(total), start: time.Now()}
}

// add counts n parts as done and redraws the bar if the last time is long enough ago.
func (p *progress) add(n int64) {
	done := p.done.Add(n)
	now := time.Since(p.start)
	next := p.next.Load()
	if int64(now) >= next && p.next.CompareAndSwap(next, int64(now+progressPeriod)) { // one drawer wins
		p.draw(done, now)
	}
}

func (p *progress) draw(done int64, now time.Duration) {
	fraction := float64(done) / float64(p.total)
	full := int(fraction * progressWidth)
	left := time.Duration(float64(now) * (1 - fraction) / fraction).Round(time.Second)
	fmt.Fprintf(p.w, "\r[%s%s] %3.0f %%  %s left \x1b[K",
		strings.Repeat("=", full), strings.Repeat(" ", progressWidth-full), 100*fraction, left)
}

// clear removes the bar. It may be called on nil.
func (p *progress) clear() {
	if p != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
