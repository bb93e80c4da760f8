package main

import (
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

// iwait is TAMPI's non-blocking mode: the body starts the operation and is over at once, without a stack to keep; the
// block or the halo passes on when the operation is complete. tampi.Isend and tampi.Irecv do the two in one call.
var iwait = transfer{
	send: func(t *tasks.Task, world *mpi.Comm, row []float64, to, tag int) error {
		r, err := mpi.Isend(world, row, to, tag)
		if err != nil {
			return err
		}
		return tampi.Iwait(t, r, nil)
	},
	receive: func(t *tasks.Task, world *mpi.Comm, row []float64, from, tag int) error {
		r, err := mpi.Irecv(world, row, from, tag)
		if err != nil {
			return err
		}
		return tampi.Iwait(t, r, nil)
	},
}
