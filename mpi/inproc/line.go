package inproc

import "github.com/gompss/gompss/mpi/internal/transport"

// line is a first-in first-out list of operations, linked through their own links.
type line struct{ head, tail *transport.Op }

//go:norace
func (l *line) push(op *transport.Op) {
	op.Link.LinePrev, op.Link.LineNext = l.tail, nil
	if l.tail == nil {
		l.head = op
	} else {
		l.tail.Link.LineNext = op
	}
	l.tail = op
}

//go:norace
func (l *line) remove(op *transport.Op) {
	prev, next := op.Link.LinePrev, op.Link.LineNext
	if prev == nil {
		l.head = next
	} else {
		prev.Link.LineNext = next
	}
	if next == nil {
		l.tail = prev
	} else {
		next.Link.LinePrev = prev
	}
	op.Link.LinePrev, op.Link.LineNext = nil, nil
}
