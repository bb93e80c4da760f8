package worksharing

import (
	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// difference tells in what the tasks that a body spawned differ from those that g was recorded from; FirstTime if in
// nothing that g depends on.
func difference(g *tasks.Graph, next []tasks.Recorded) tasks.Change {
	old := g.Tasks
	i := 0
	for k := range old {
		if old[k].Combines > 0 {
			continue
		}
		if i == len(next) {
			return tasks.OtherTasks
		}
		a, b := &old[k].Recorded, &next[i]
		if !sameAccesses(a.Accesses, b.Accesses) {
			return tasks.OtherAccesses
		}
		if a.Label != b.Label || a.Priority != b.Priority || a.Cost != b.Cost || a.Final != b.Final {
			return tasks.OtherProperties
		}
		i++
	}
	if i < len(next) {
		return tasks.OtherTasks
	}
	return tasks.FirstTime
}

// replace gives g the bodies of next, which does not differ otherwise.
func replace(g *tasks.Graph, next []tasks.Recorded) {
	i := 0
	for k := range g.Tasks {
		if g.Tasks[k].Combines == 0 {
			g.Tasks[k].Recorded = next[i]
			i++
		}
	}
}

func sameAccesses(a, b deps.List) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameAccess(a[i], b[i]) {
			return false
		}
	}
	return true
}

func sameAccess(a, b deps.Access) bool {
	pa, na := a.Region()
	pb, nb := b.Region()
	if pa != pb || na != nb || a.Kind() != b.Kind() || a.IsWeak() != b.IsWeak() || a.Reduction() != b.Reduction() || a.Runs() != b.Runs() {
		return false
	}
	if a.Runs() == 1 {
		return true
	}
	for i := range a.Runs() {
		pa, na := a.Run(i)
		pb, nb := b.Run(i)
		if pa != pb || na != nb {
			return false
		}
	}
	return true
}
