package mpi

import (
	"sync/atomic"

	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/mpi/inproc"
	"github.com/gompss/gompss/mpi/internal/transport"
)

// world is one Run: its ranks and what they share because they live in one process.
type world struct {
	cfg   Config
	procs []*process
	books library // of the communicators' collectives
	omens omens   // race builds
}

// process is a rank of the world, MPI's process.
type process struct {
	world *world
	rank  int
	ep    transport.Endpoint
	trace tracer

	contexts atomic.Uint64 // context numbers this rank has given out
	buffer   room          // of buffered sends
	forward  room          // of broadcasts and scatters that run ahead of their receivers

	rest restState // for the deadlock check
}

// forwardRoom is how many bytes one rank keeps for broadcasts whose receivers have not arrived. The first payload always
// fits.
const forwardRoom = 4 << 20

// worldContext is the first context number of the world communicator.
const worldContext = 0

func newWorld(cfg Config) *world {
	w := &world{cfg: cfg}
	net := inproc.New(cfg.Ranks, cfg.limits())
	for rank := range cfg.Ranks {
		p := &process{world: w, rank: rank, ep: net.Endpoint(rank), trace: newTracer(cfg.Trace, rank)}
		p.forward.limit = forwardRoom
		w.procs = append(w.procs, p)
	}
	return w
}

// communicator returns rank's end of the world communicator.
func (w *world) communicator(rank int) *Comm {
	group := make([]int, len(w.procs))
	for i := range group {
		group[i] = i
	}
	return newComm(w.procs[rank], worldContext, group, rank, "world")
}

// abort fails everything that is pending and everything to come.
//
//go:norace
func (w *world) abort(cause error) {
	w.failing()
	race.Disable()
	for _, p := range w.procs {
		transport.Complete(p.ep.Abort(cause))
	}
	race.Enable()
}

// newContexts returns the first of n communicators' context numbers. Rank r gives out the numbers congruent to r, so no
// two ranks give out the same and none needs to ask another.
//
//go:norace
func (p *process) newContexts(n int) (first, stride uint64) {
	stride = uint64(len(p.world.procs)) * contextsPerComm
	race.Disable()
	k := p.contexts.Add(uint64(n)) - uint64(n) + 1
	race.Enable()
	return k*stride + uint64(p.rank)*contextsPerComm, stride
}
