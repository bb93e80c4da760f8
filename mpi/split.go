package mpi

import (
	"cmp"
	"fmt"
	"slices"
)

// Dup returns a communicator of the same ranks in the same order with a communication space of its own: no message sent
// in one is received in the other. A library takes a Dup of its caller's. Collective over c; errors as for [Bcast]
// (MPI 4.1, 7.4.2).
func (c *Comm) Dup() (*Comm, error) {
	if err := c.check("Dup"); err != nil {
		return nil, err
	}
	id := make([]uint64, 1)
	if c.Rank() == 0 {
		id[0], _ = c.proc.newContexts(1)
	}
	if err := wait(c.bcast("Dup", viewOf(id), 0)); err != nil {
		return nil, err
	}
	return newComm(c.proc, id[0], c.p2p.Group, c.Rank(), c.Name()+"'"), nil
}

// Split parts c into one communicator for each colour; a rank gets that of its own colour, or nil with colour [Undefined].
// Within it ranks are ordered by key, and by their rank in c where keys are equal; keys may be any numbers. Collective
// over c. A colour below 0 other than Undefined is [ErrColour]; other errors as for [Allgather] (MPI 4.1, 7.4.2).
func (c *Comm) Split(colour, key int) (*Comm, error) {
	if err := c.check("Split"); err != nil {
		return nil, err
	}
	if colour < 0 && colour != Undefined {
		return nil, misuse("Split", ErrColour, "colour %d", colour)
	}
	me := member{Colour: int64(colour), Key: int64(key), Rank: int64(c.Rank())}
	if me.Rank == 0 { // rank 0 gives out the contexts, enough for as many colours as there can be
		first, stride := c.proc.newContexts(c.Size())
		me.First, me.Stride = first, stride
	}
	members := make([]member, c.Size())
	if err := wait(c.allgather("Split", viewOf([]member{me}), viewOf(members))); err != nil {
		return nil, err
	}
	if colour == Undefined {
		return nil, nil
	}

	id, stride := members[0].First, members[0].Stride
	slices.SortFunc(members, func(a, b member) int {
		return cmp.Or(cmp.Compare(a.Colour, b.Colour), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Rank, b.Rank))
	})
	var group []int
	rank := 0
	for i, m := range members {
		if m.Colour < me.Colour && (i == 0 || members[i-1].Colour != m.Colour) {
			id += stride // another colour before ours
		}
		if m.Colour == me.Colour {
			if m.Rank == me.Rank {
				rank = len(group)
			}
			group = append(group, c.p2p.Group[m.Rank])
		}
	}
	return newComm(c.proc, id, group, rank, fmt.Sprintf("%s/%d", c.Name(), colour)), nil
}

// member is what a rank says in Split.
type member struct {
	Colour, Key, Rank int64
	First, Stride     uint64
}
