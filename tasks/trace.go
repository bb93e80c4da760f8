package tasks

import (
	"fmt"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/trace"
)

// Recording. Every slot has a row of its own and writes it while it holds the row's stream, so nothing here is shared
// but the blocks of task numbers. With tracing off each call is one comparison with nil.

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
	if s.tr == nil {
		return
	}
	t.id = s.ids.take(s.rt.cfg.Trace)
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
}

//go:norace
func (s *slot) traceEnd(t *Task) {
	if s.tr != nil {
		s.tr.Emit(trace.TaskEnd, 0, t.id)
	}
}

//go:norace
func (s *slot) traceDone(t *Task) {
	if s.tr != nil {
		s.tr.Emit(trace.TaskDone, 0, t.id)
		s.tr.Publish() // before the parent hears of it: when Run returns, all its tasks can be read
	}
}

//go:norace
func (s *slot) traceBlock(t *Task, why reason) {
	if s.tr != nil {
		s.tr.Emit(trace.TaskBlock, s.label(why.String()), t.id)
	}
}

//go:norace
func (s *slot) traceResume(t *Task) {
	if s.tr != nil {
		s.tr.Emit(trace.TaskResume, 0, t.id)
	}
}

//go:norace
func (s *slot) traceEdge(before, after *deps.Node) {
	b, a := taskOf(before), taskOf(after)
	s.tr.Emit2(trace.Edge, 0, a.id, b.id)
}

//go:norace
func (s *slot) traceIdle(begins bool) {
	if s.tr == nil || s.idleFrom == begins {
		return
	}
	s.idleFrom = begins
	if begins {
		s.tr.Emit(trace.IdleBegin, 0, 0)
	} else {
		s.tr.Emit(trace.IdleEnd, 0, 0)
	}
}

// publishTrace makes what the slot recorded visible to readers, before the slot goes idle.
//
//go:norace
func (s *slot) publishTrace() {
	if s.tr != nil {
		s.tr.Publish()
	}
}
