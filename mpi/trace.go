package mpi

import (
	"github.com/gompss/gompss/mpi/internal/transport"
	"github.com/gompss/gompss/trace"
)

// tracer records one rank's messages on the row "messages" of its rank. The zero tracer records nothing, at the price of
// one comparison for each operation.
type tracer struct {
	rec *trace.Recorder
	row *trace.Stream
}

func newTracer(rec *trace.Recorder, rank int) tracer {
	if rec == nil {
		return tracer{}
	}
	rec = rec.Rank(rank)
	return tracer{rec, rec.Shared("messages")}
}

// start records that op is posted and numbers it. A send's number travels with the message, so that the trace can join
// both ends.
//
//go:norace
func (t *tracer) start(op *transport.Op) {
	if t.rec == nil || op.Kind == transport.Probe || op.Kind == transport.Mprobe {
		return
	}
	op.ID = t.rec.NextMessage(1)
	kind := trace.MsgRecv
	if op.Kind == transport.Send {
		kind = trace.MsgSend
	}
	peer := -1
	if op.Peer >= 0 {
		peer = op.Ctx.Group[op.Peer]
	}
	t.row.Emit2(kind, t.rec.Label(op.Name), op.ID, trace.PackMessage(peer, int(op.Tag), op.Len))
}

// done records that op is complete. Operations that moved nothing leave their start without an end.
//
//go:norace
func (t *tracer) done(op *transport.Op) {
	if op.ID == 0 || op.Result.Err != nil || op.Result.Cancelled {
		return
	}
	switch op.Kind {
	case transport.Send:
		t.row.Emit2(trace.MsgSendDone, 0, op.ID, 0)
	case transport.Recv, transport.Mrecv:
		t.row.Emit2(trace.MsgRecvDone, 0, op.Result.ID, op.ID)
	}
}
