//go:build !race

package worksharing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

// TestForAllocations: a loop costs three, however many ranges and collaborators it has and whatever its accesses.
func TestForAllocations(t *testing.T) {
	var x, y int
	nothing := func(*tasks.Task, int, int) {}
	for _, workers := range []int{1, 8} {
		for _, s := range []worksharing.Schedule{worksharing.Static(1), dynamic, worksharing.Guided(0), worksharing.Adaptive()} {
			rt := newRuntime(t, workers)
			require.NoError(t, run(t, rt, func(m *tasks.Task) {
				batch := func() {
					for range 20 {
						worksharing.For(m, 500, s, nothing, deps.In(&x), deps.InOut(&y))
						_ = m.Wait()
					}
				}
				for range 20 {
					batch()
				}
				assert.InDelta(t, 3, testing.AllocsPerRun(20, batch)/20, 0.2, "%v with %d workers", s, workers)
			}))
		}
	}
}
