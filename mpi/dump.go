package mpi

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gompss/gompss/mpi/internal/transport"
)

// Dump writes who waits for what: for each rank of the world whether it is idle, its pending operations, and what the task
// runtimes attached to it wait for. It may be called at any time, from any goroutine; ranks go on meanwhile, so lines need
// not belong to the same instant.
func (c *Comm) Dump(w io.Writer) { c.proc.world.dump(w) }

func (w *world) dump(out io.Writer) {
	pending := w.pending()
	for rank, p := range w.procs {
		state := "running"
		if idle, _ := p.rest.idle(); p.rest.retired.Load() {
			state = "finished"
		} else if idle {
			state = "idle"
		}
		fmt.Fprintf(out, "rank %d: %s\n", rank, state)
		for _, op := range pending {
			if op.Rank == rank {
				fmt.Fprintf(out, "  %s\n", op.verb())
			}
		}
		p.rest.writeTo(out)
	}
}

// PendingOp is an operation that waits for its other side.
type PendingOp struct {
	Rank  int    // in the world
	Op    string // the MPI verb, such as Ssend, or the collective it belongs to
	Comm  string // name of the communicator
	Peer  int    // rank in the communicator, or AnySource
	Tag   int    // or AnyTag; of collectives, their number in the communicator
	Bytes int    // length of the message or the receive buffer
	Send  bool   // the operation sends
}

// String describes op, as in "rank 0: Ssend to 1, tag 7, 8 bytes".
func (op PendingOp) String() string { return fmt.Sprintf("rank %d: %s", op.Rank, op.verb()) }

func (op PendingOp) verb() string {
	way, peer, tag, where := "from", fmt.Sprint(op.Peer), fmt.Sprint(op.Tag), ""
	if op.Send {
		way = "to"
	}
	if op.Peer == AnySource {
		peer = "any rank"
	}
	if op.Tag == AnyTag {
		tag = "any"
	}
	if op.Comm != "world" {
		where = " in " + op.Comm
	}
	return fmt.Sprintf("%s %s %s, tag %s, %d bytes%s", op.Op, way, peer, tag, op.Bytes, where)
}

// pending returns all operations that wait, by rank.
func (w *world) pending() []PendingOp {
	var all []PendingOp
	for _, p := range w.procs {
		for _, op := range p.ep.Pending() {
			all = append(all, pendingOp(op))
		}
	}
	slices.SortStableFunc(all, func(a, b PendingOp) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), strings.Compare(a.Op, b.Op), cmp.Compare(a.Peer, b.Peer), cmp.Compare(a.Tag, b.Tag))
	})
	return all
}

func pendingOp(op transport.Pending) PendingOp {
	return PendingOp{op.Rank, op.Verb, op.Context, op.Peer, op.Tag, op.Bytes, op.Send}
}
