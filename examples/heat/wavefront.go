package main

import (
	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

var (
	relaxType    = tasks.NewType("relax", 0)
	residualType = tasks.NewType("residual", 1)
)

// simulate makes the steps on one rank. Nothing separates one step from the next: a block is relaxed as soon as its four
// neighbours allow, so waves of several steps run over the plate, and over the ranks, one behind the other. Only a
// tolerance makes the rank wait, for the number that decides whether to go on.
func (p *plate) simulate(t *tasks.Task, world *mpi.Comm, via transfer) (steps int, err error) {
	for steps < p.cfg.steps && t.Context().Err() == nil { // tasks of a cancelled run are skipped, but spawned all the same
		p.spawnHalos(t, world, via)
		p.inner(func(r, c int, _ *block) { p.spawnRelax(t, r, c) })
		p.spawnLastRow(t, world, via)
		steps++
		if !p.cfg.measures(steps) {
			continue
		}
		p.spawnResidual(t, world)
		if p.cfg.tolerance > 0 {
			if err := t.WaitOn(deps.In(&p.residual)); err != nil {
				break // Wait returns it, with others there may be
			}
			if p.residual <= p.cfg.tolerance {
				break
			}
		}
	}
	return steps, t.Wait()
}

// spawnRelax declares five blocks. Tasks are spawned in the serial order, and that alone tells the old values from the
// new: the tasks that write the blocks above and to the left come before this one, those below and to the right after.
func (p *plate) spawnRelax(t *tasks.Task, r, c int) {
	b := p.blocks[r][c]
	tasks.Spawn(t, func() { p.relax(r, c) }, relaxType,
		deps.InSlice(p.blocks[r-1][c].cells), deps.InSlice(p.blocks[r][c-1].cells),
		deps.InSlice(p.blocks[r][c+1].cells), deps.InSlice(p.blocks[r+1][c].cells),
		deps.InOutSlice(b.cells), deps.Out(&b.change))
}

// spawnResidual agrees with the other ranks on the largest change of a cell. The residual orders these tasks among each
// other, as MPI demands of collectives; a maximum is exact, so it does not depend on the number of ranks.
func (p *plate) spawnResidual(t *tasks.Task, world *mpi.Comm) {
	accesses := deps.List{deps.Out(&p.residual)}
	p.inner(func(_, _ int, b *block) { accesses = append(accesses, deps.In(&b.change)) })
	tasks.Spawn(t, func(t *tasks.Task) error {
		all := []float64{p.largestChange()}
		err := tampi.Allreduce(t, world, mpi.InPlace[float64](), all, mpi.Max)
		p.residual = all[0]
		return err
	}, residualType, accesses)
}
