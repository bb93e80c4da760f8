package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/trace"
)

// result is what a run computed. The process of rank 0 has it, others have nil.
type result struct {
	cells    []float64 // of the whole plate, row by row
	steps    int       // made
	residual float64
}

// runTasks runs a form with tasks on all ranks, each with a runtime of its own.
func runTasks(ctx context.Context, cfg *config, via transfer, rec *trace.Recorder, stderr io.Writer) (*result, error) {
	var res *result
	err := mpi.Run(ctx, mpi.Config{Ranks: cfg.ranks, Trace: rec}, func(ctx context.Context, world *mpi.Comm) error {
		rt, err := tasks.New(tasks.Config{Workers: cfg.workersPerRank(), Trace: rec.Rank(world.Rank())})
		if err != nil {
			return err
		}
		defer dumpOnQuit(stderr, func(w io.Writer) { dump(w, world, rt) })()
		p := newPlate(cfg, world.Rank(), world.Size())
		steps := 0
		err = rt.Run(ctx, func(t *tasks.Task) (err error) {
			steps, err = p.simulate(t, world, via)
			return err
		})
		if err := errors.Join(err, rt.Close()); err != nil {
			return err
		}
		cells, err := gather(world, p)
		if world.Rank() == 0 {
			res = &result{cells, steps, p.residual}
		}
		return err
	})
	return res, err
}

// gather returns the cells of all ranks on rank 0. Ranks may have different numbers of rows, which mpi.Gather does not
// allow.
func gather(world *mpi.Comm, p *plate) ([]float64, error) {
	const tag = 0 // the columns of blocks are numbered from 1
	if p.rank > 0 {
		return nil, mpi.Send(world, p.cells(), 0, tag)
	}
	all := make([]float64, p.cfg.rows*p.cfg.cols)
	next := all[copy(all, p.cells()):]
	for rank := 1; rank < p.ranks; rank++ {
		st, err := mpi.Recv(world, next, rank, tag)
		if err != nil {
			return nil, err
		}
		next = next[mpi.GetCount[float64](st):]
	}
	return all, nil
}

// dump writes what a rank's tasks wait for, and on rank 0 also what messages are pending on all ranks.
func dump(w io.Writer, world *mpi.Comm, rt *tasks.Runtime) {
	var text bytes.Buffer // in one piece: the other ranks write at the same time
	if world.Rank() == 0 {
		world.Dump(&text)
	}
	fmt.Fprintf(&text, "tasks of rank %d: ", world.Rank())
	rt.Dump(&text)
	_, _ = text.WriteTo(w)
}
