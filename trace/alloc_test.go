//go:build !race

package trace

import (
	"testing"
)

func TestEmitDoesNotAllocate(t *testing.T) {
	r := New(Config{})
	s, shared := r.Stream("a"), r.Shared("b")
	s.Emit(Mark, 0, 1)
	shared.Emit(Mark, 0, 1)
	n := testing.AllocsPerRun(chunkCells/8, func() {
		s.Emit(TaskStart, 1, 2)
		s.Emit2(Edge, 1, 2, 3)
		s.Publish()
		shared.Emit(TaskStart, 1, 2)
		shared.Emit2(Edge, 1, 2, 3)
		sink = r.NextTask(1)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
