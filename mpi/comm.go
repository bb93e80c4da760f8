package mpi

import (
	"slices"
	"sync/atomic"

	"github.com/gompss/gompss/mpi/internal/transport"
)

// Comm is a communicator: an ordered group of ranks and a communication space of its own (MPI 4.1, chapter 7). Each rank
// has its own Comm for the same communicator. Safe for concurrent use; but concurrent sends to one peer have no order
// among them, nor have concurrent collectives, unless the caller orders them.
type Comm struct {
	proc *process
	p2p  *transport.Context
	coll *transport.Context // collectives never match point-to-point operations
	book *ledger
	*side
	blocking bool // see AsBlocking
}

// side is what the views of one rank's end of a communicator share.
type side struct {
	last  *entry // this rank's latest collective; guarded by the ledger
	freed atomic.Bool
	view  *Comm // AsBlocking
}

// Every communicator has two consecutive context numbers.
const contextsPerComm = 2

// newComm returns rank me's end of the communicator of group with the context numbers from id.
//
//go:norace
func newComm(p *process, id uint64, group []int, me int, name string) *Comm {
	c := &Comm{
		proc: p,
		p2p:  &transport.Context{ID: id, Group: group, Rank: me, Name: name},
		coll: &transport.Context{ID: id + 1, Group: group, Rank: me, Name: name},
		side: new(side),
	}
	c.book, c.last = p.world.books.find(id, len(group))
	view := *c
	view.blocking = true
	c.view = &view
	return c
}

// AsBlocking returns c for libraries that build blocking collectives on requests, as tampi does: what Ibarrier, Ibcast
// and so on start with it counts as the blocking form on this rank, and so matches blocking calls of other ranks. In all
// else it is c. It costs nothing.
func (c *Comm) AsBlocking() *Comm {
	if c == nil {
		return nil
	}
	return c.view
}

// Rank returns the calling rank's number in c, from 0 (MPI 4.1, 7.4.1).
func (c *Comm) Rank() int { return c.p2p.Rank }

// Size returns how many ranks c has (MPI 4.1, 7.4.1).
func (c *Comm) Size() int { return len(c.p2p.Group) }

// Name returns the name under which c appears in errors and dumps (MPI 4.1, 7.8).
func (c *Comm) Name() string { return c.p2p.Name }

// Free gives c up on this rank: later calls with it fail with [ErrComm], pending operations complete normally. It waits
// for nobody. The world cannot be freed (MPI 4.1, 7.4.3).
func (c *Comm) Free() error {
	if err := c.check("Free"); err != nil {
		return err
	}
	if c.p2p.ID == worldContext {
		return misuse("Free", ErrComm, "the world cannot be freed")
	}
	c.freed.Store(true)
	return nil
}

// Comparison is what [Compare] finds.
type Comparison int

const (
	Ident     Comparison = iota // the same communicator
	Congruent                   // the same ranks in the same order, another communication space
	Similar                     // the same ranks in another order
	Unequal
)

// Compare compares the groups of a and b. Local (MPI 4.1, 7.4.1).
func Compare(a, b *Comm) Comparison {
	switch {
	case a.p2p.ID == b.p2p.ID:
		return Ident
	case slices.Equal(a.p2p.Group, b.p2p.Group):
		return Congruent
	}
	as, bs := slices.Sorted(slices.Values(a.p2p.Group)), slices.Sorted(slices.Values(b.p2p.Group))
	if slices.Equal(as, bs) {
		return Similar
	}
	return Unequal
}

// check tells whether verb may use c.
func (c *Comm) check(verb string) error {
	switch {
	case c == nil:
		return misuse(verb, ErrComm, "nil")
	case c.freed.Load():
		return misuse(verb, ErrComm, "%s was freed", c.Name())
	}
	return nil
}

// checkSend tells whether verb may send v to dst with tag.
func (c *Comm) checkSend(verb string, v view, dst, tag int) error {
	if err := c.check(verb); err != nil {
		return err
	}
	switch {
	case v.elem.err != nil:
		return misuse(verb, v.elem.err, "cannot be sent")
	case dst != ProcNull && uint(dst) >= uint(c.Size()):
		return misuse(verb, ErrRank, "destination %d of %d ranks", dst, c.Size())
	case tag < 0 || tag > TagUB:
		return misuse(verb, ErrTag, "%d", tag)
	}
	return nil
}

// checkRecv tells whether verb may receive from src with tag. The view is empty for probes.
func (c *Comm) checkRecv(verb string, v view, src, tag int) error {
	if err := c.check(verb); err != nil {
		return err
	}
	switch {
	case v.elem != nil && v.elem.err != nil:
		return misuse(verb, v.elem.err, "cannot be received")
	case src != ProcNull && src != AnySource && uint(src) >= uint(c.Size()):
		return misuse(verb, ErrRank, "source %d of %d ranks", src, c.Size())
	case tag != AnyTag && (tag < 0 || tag > TagUB):
		return misuse(verb, ErrTag, "%d", tag)
	}
	return nil
}
