//go:build !race

package deps

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFreshItems checks that a domain whose items are all history stays small, however many it has seen.
func TestFreshItems(t *testing.T) {
	const live = 100
	p := newProgram()
	arena := make([]int64, 1_000_000)
	var free, running []*Node
	largest := 0
	for i := range arena {
		var n *Node
		if k := len(free); k > 0 {
			n, free = free[k-1], free[:k-1]
		} else {
			n = new(Node)
		}
		n.Init(p.root, 1)
		a := InOut(&arena[i])
		n.Declare(&a, false)
		require.True(t, n.Register(p.mb))
		running = append(running, n)
		if len(running) == live {
			p.finish(running[0])
			running = append(running[:0], running[1:]...)
		}
		for n := p.mb.TakeFree(); n != nil; n = n.Link {
			free = append(free, n)
		}
		largest = max(largest, len(p.root.domain.entries))
	}
	assert.LessOrEqual(t, largest, 1024)
	assert.LessOrEqual(t, len(free), 1024, "tasks are kept only until the next sweep")
}
