package main

import (
	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tasks"
)

// Each step needs, above a rank's first row, the row that the rank above has computed in the same step, and below its last
// row the one that the rank below has not yet computed. One message for each column of blocks brings a piece of it, so
// that the wave goes on into the next rank before the row is complete. The messages are tasks like all others: they read
// the block at the edge, or write the halo, a block of the frame.
//
// # Why no message overtakes another
//
// Tasks that nothing orders send in any order, so what goes from one rank to another at the same time must differ in its
// tag: it has the column of blocks for one. Messages of one column in different steps share the tag. Of these there is
// never more than one under way. The next one is sent by a task that reads the same block; between the two the block is
// relaxed, which takes it inout: it waits until the first send is complete, and the second waits for it. In the same way
// the receives of one column write the same halo, so they are posted one after the other. What goes up and what goes
// down has different senders and receivers, and MPI never confuses those.
//
// # Why no rank waits for ever
//
// Think of a serial program for the whole plate: in each step first all rows go up, then rank after rank relaxes its
// blocks and sends its last row down. Every message and every block has a place in that program, and a task waits only
// for what comes before its own. So of all that is not done yet, whatever comes first can be done.

// The halo goes first: a whole rank may be waiting for it.
var (
	sendType    = tasks.NewType("send", 2)
	receiveType = tasks.NewType("receive", 2)
)

// A transfer moves a row inside a task; it decides how the task waits for its message.
type transfer struct {
	send    func(t *tasks.Task, world *mpi.Comm, row []float64, to, tag int) error
	receive func(t *tasks.Task, world *mpi.Comm, row []float64, from, tag int) error
}

// spawnHalos spawns what goes before the blocks of a step: the first row goes up as it was after the last step, and both
// halos arrive. The rows are sent from where they are.
func (p *plate) spawnHalos(t *tasks.Task, world *mpi.Comm, via transfer) {
	last := len(p.blocks) - 1
	for c := 1; c < len(p.blocks[0])-1; c++ {
		if p.rank > 0 {
			p.spawnSend(t, world, via, p.blocks[1][c], p.blocks[1][c].top(), p.rank-1, c)
			p.spawnReceive(t, world, via, p.blocks[0][c], p.rank-1, c)
		}
		if p.rank < p.ranks-1 {
			p.spawnReceive(t, world, via, p.blocks[last][c], p.rank+1, c)
		}
	}
}

// spawnLastRow spawns what comes after the blocks of a step: the last row goes down.
func (p *plate) spawnLastRow(t *tasks.Task, world *mpi.Comm, via transfer) {
	if p.rank == p.ranks-1 {
		return
	}
	line := p.blocks[len(p.blocks)-2]
	for c := 1; c < len(line)-1; c++ {
		p.spawnSend(t, world, via, line[c], line[c].bottom(), p.rank+1, c)
	}
}

func (p *plate) spawnSend(t *tasks.Task, world *mpi.Comm, via transfer, b *block, row []float64, to, tag int) {
	tasks.Spawn(t, func(t *tasks.Task) error {
		return via.send(t, world, row, to, tag)
	}, sendType, deps.InSlice(b.cells))
}

func (p *plate) spawnReceive(t *tasks.Task, world *mpi.Comm, via transfer, halo *block, from, tag int) {
	tasks.Spawn(t, func(t *tasks.Task) error {
		return via.receive(t, world, halo.cells, from, tag)
	}, receiveType, deps.OutSlice(halo.cells))
}
