package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGraphs(t *testing.T) {
	g := cholesky(4)
	require.Len(t, g.tasks, 20)
	require.Equal(t, []int{1, 2, 3}, g.tasks[0].succs)
	require.Equal(t, g.span(), g.tasks[0].level)
	require.NotEmpty(t, sparselu(4).tasks)
}

// TestPlay: no order is faster than the bound, or slower than twice it (Graham), and one slot is always busy.
func TestPlay(t *testing.T) {
	for _, g := range []*graph{cholesky(10), sparselu(10)} {
		for _, p := range policies {
			for _, slots := range []int{1, 3, 8} {
				took, _ := play(g, p, slots, 1<<20)
				bound := max(g.work()/float64(slots), g.span())
				require.GreaterOrEqual(t, took, bound*0.999999, "%s on %d", p.name, slots)
				require.LessOrEqual(t, took, 2*bound, "%s on %d", p.name, slots)
			}
			took, _ := play(g, p, 1, 16)
			require.InDelta(t, g.work(), took, 1e-6)
		}
	}
}
