package main

import (
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

// blocking is TAMPI's blocking mode: the task stands still in the middle of its body, and its worker does something
// else. The send is synchronous, so not even a buffer is needed.
var blocking = transfer{
	send: tampi.Ssend[float64],
	receive: func(t *tasks.Task, world *mpi.Comm, row []float64, from, tag int) error {
		_, err := tampi.Recv(t, world, row, from, tag)
		return err
	},
}
