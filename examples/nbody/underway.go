package main

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tasks"
)

// underway is what runs now, for those who ask what the program waits for.
var underway inventory

type inventory struct {
	mu    sync.Mutex
	ranks []inventoryRank
}

type inventoryRank struct {
	world *mpi.Comm
	rt    *tasks.Runtime
}

// add enters a rank and returns how to take it out.
func (v *inventory) add(world *mpi.Comm, rt *tasks.Runtime) (remove func()) {
	entry := inventoryRank{world, rt}
	v.mu.Lock()
	v.ranks = append(v.ranks, entry)
	v.mu.Unlock()
	return func() {
		v.mu.Lock()
		v.ranks = slices.DeleteFunc(v.ranks, func(r inventoryRank) bool { return r == entry })
		v.mu.Unlock()
	}
}

// dump writes what every rank's messages and tasks wait for. The communicator knows the runtimes whose tasks wait in
// tampi, so those appear under the messages as well.
func (v *inventory) dump(w io.Writer) {
	v.mu.Lock()
	ranks := slices.Clone(v.ranks)
	v.mu.Unlock()
	if len(ranks) == 0 {
		fmt.Fprintln(w, "no ranks under way")
		return
	}
	slices.SortFunc(ranks, func(a, b inventoryRank) int { return a.world.Rank() - b.world.Rank() })
	ranks[0].world.Dump(w) // all ranks of the world
	for _, r := range ranks {
		fmt.Fprintf(w, "tasks of rank %d: ", r.world.Rank())
		r.rt.Dump(w)
	}
}
