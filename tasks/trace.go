package tasks

import (
	"fmt"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/tracing"
	"github.com/gompss/gompss/trace"
)

// Recording. Every slot has a row of its own and writes it while it holds the row's stream, so nothing here is shared
// but the blocks of task numbers. With tracing off a task costs a few tests of a bit: whoever has the task looks at
// isTraced and calls the functions below only then. Slots without a task at hand look at their stream.

// isTraced tells whether what happens to t is recorded. What stands in for a taskwait on is not: it has no number.
//
//go:norace
func (t *Task) isTraced() bool { return tracing.Built && t.flags&traced != 0 }

//go:norace
func (rt *Runtime) newStream(id int) *trace.Stream {
	if id < 0 {
		return rt.cfg.Trace.Stream("outside")
	}
	return rt.cfg.Trace.Stream(fmt.Sprintf("worker %d", id))
}

// idBlock numbers tasks without sharing a counter for each.
type idBlock struct{ next, left uint64 }

const idsPerBlock = 256

//go:norace
func (b *idBlock) take(r *trace.Recorder) uint64 {
	if b.left == 0 {
		b.next, b.left = r.NextTask(idsPerBlock), idsPerBlock
	}
	b.left--
	b.next++
	return b.next - 1
}

// labelCache remembers the number of the label that a slot asked for last; labels come in runs.
type labelCache struct {
	name  string
	label trace.Label
}

//go:norace
func (s *slot) label(name string) trace.Label {
	c := &s.labels[len(name)%len(s.labels)]
	if c.name != name || c.label == 0 {
		c.name, c.label = name, s.rt.cfg.Trace.Label(name)
	}
	return c.label
}

//go:norace
func (s *slot) traceCreate(t, parent *Task) {
	s.number(t)
	if s.tr == nil {
		return
	}
	var p uint64
	if parent != nil {
		p = parent.id
	}
	s.tr.Emit2(trace.TaskCreate, s.label(t.Label()), t.id, p)
}

//go:norace
func (s *slot) traceReady(t *Task) {
	if s.tr != nil {
		s.tr.Emit(trace.TaskReady, 0, t.id)
	}
}

//go:norace
func (s *slot) traceStart(t *Task) {
	if s.tr != nil {
		s.tr.Emit(trace.TaskStart, s.label(t.Label()), t.id)
	}
	s.observe(EventBegins, t)
}

//go:norace
func (s *slot) traceEnd(t *Task) {
	s.observe(EventEnds, t)
	if s.tr != nil {
		s.tr.Emit(trace.TaskEnd, 0, t.id)
	}
}

//go:norace
func (s *slot) traceReleased(t *Task) {
	if t.flags&waitChildren == 0 {
		s.observe(EventReleased, t)
	}
	s.publishTrace()
}

//go:norace
func (s *slot) traceDone(t *Task) {
	s.observe(EventDone, t)
	if s.tr != nil {
		s.tr.Emit(trace.TaskDone, 0, t.id)
		s.tr.Publish()
	}
}

//go:norace
func (s *slot) traceBlock(t *Task, why reason) {
	s.observe(EventPauses, t)
	if s.tr != nil {
		s.tr.Emit(trace.TaskBlock, s.label(why.String()), t.id)
		s.tr.Publish()
	}
}

//go:norace
func (s *slot) traceResume(t *Task) {
	if s.tr != nil {
		s.tr.Emit(trace.TaskResume, 0, t.id)
	}
	s.observe(EventResumes, t)
}

//go:norace
func (s *slot) traceEdge(before, after *deps.Node) {
	b, a := taskOf(before), taskOf(after)
	if !a.isTraced() || !b.isTraced() {
		return
	}
	s.tr.Emit2(trace.Edge, 0, a.id, b.id)
}

//go:norace
func (s *slot) traceIdle(begins bool) {
	if !tracing.Built || s.tr == nil || s.idleFrom == begins {
		return
	}
	s.idleFrom = begins
	if begins {
		s.tr.Emit(trace.IdleBegin, 0, 0)
	} else {
		s.tr.Emit(trace.IdleEnd, 0, 0)
	}
}

// publishTrace makes what the slot recorded visible to readers. When Run returns, all its tasks can be read: so a slot
// publishes before a task leaves it, done, blocked, or to go on elsewhere, and before it goes idle.
//
//go:norace
func (s *slot) publishTrace() {
	if tracing.Built && s.tr != nil {
		s.tr.Publish()
	}
}
