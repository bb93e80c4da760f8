package main

import (
	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// The critical path leads from each potrf over one trsm and one syrk to the next, so these are not to wait behind the
// many gemm that could run as well.
var (
	potrfType = tasks.NewType("potrf", 3)
	trsmType  = tasks.NewType("trsm", 2)
	syrkType  = tasks.NewType("syrk", 1)
	gemmType  = tasks.NewType("gemm", 0)
)

// factorTasks is factorSerial with a task for each kernel, which says what tiles it reads and changes. The order of all
// kernels on one tile stays what it is there, so the factor has the same bits.
//
// A potrf that fails marks its tile. Kernels that read the tile are skipped, mark what they would have written in turn,
// and the error comes out of the run once, however many they were.
func factorTasks(t *tasks.Task, a *matrix) {
	for k := range a.tiles {
		akk := a.tiles[k][k]
		tasks.Spawn(t, func() error { return a.potrf(k) }, potrfType, deps.InOutSlice(akk.cells))
		for i := k + 1; i < len(a.tiles); i++ {
			aik := a.tiles[i][k]
			tasks.Spawn(t, func() { trsm(aik, akk) }, trsmType, deps.InSlice(akk.cells), deps.InOutSlice(aik.cells))
		}
		for i := k + 1; i < len(a.tiles); i++ {
			aik, aii := a.tiles[i][k], a.tiles[i][i]
			for j := k + 1; j < i; j++ {
				ajk, aij := a.tiles[j][k], a.tiles[i][j]
				tasks.Spawn(t, func() { gemm(aij, aik, ajk) }, gemmType,
					deps.InSlice(aik.cells), deps.InSlice(ajk.cells), deps.InOutSlice(aij.cells))
			}
			tasks.Spawn(t, func() { syrk(aii, aik) }, syrkType, deps.InSlice(aik.cells), deps.InOutSlice(aii.cells))
		}
	}
}
