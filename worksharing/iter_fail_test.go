package worksharing_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

// TestRandomFailuresSkipTheSameTasks: in a recorded loop exactly those tasks run that run when the same loop is spawned.
// Commutative and concurrent tasks are left out: whether one that runs after a failed one of the same group is skipped depends
// on when it was spawned; and reductions, whose scopes a recorded loop closes in every iteration.
func TestRandomFailuresSkipTheSameTasks(t *testing.T) {
	boom := errors.New("boom")
	rts := []*tasks.Runtime{newRuntime(t, 1), newRuntime(t, 3)}
	for seed := range fewer(1500) {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		n, unroll := 2+r.IntN(6), 1+r.IntN(3)
		var steps []step
		for range 1 + r.IntN(7) {
			s := randomStep(r)
			s.kind = r.IntN(3)
			steps = append(steps, s)
		}
		fails := make([]bool, n*len(steps))
		for i := range fails {
			fails[i] = r.IntN(8) == 0
		}
		ran := func(recorded bool) []bool {
			m := make([]int64, cells)
			ran := make([]bool, n*len(steps))
			spawn := func(t *tasks.Task, index func(*tasks.Task) int) {
				for k, s := range steps {
					var all deps.List
					own := m[s.lo:s.hi]
					switch s.kind {
					case 0, 2:
						all = deps.List{deps.InSlice(m[s.from:s.to]), deps.InOutSlice(own)}
					case 1:
						all = deps.List{deps.InSlice(m[s.from:s.to]), deps.OutSlice(own)}
					}
					tasks.Spawn(t, func(t *tasks.Task) error {
						at := index(t)*len(steps) + k
						ran[at] = true
						if fails[at] {
							return boom
						}
						return nil
					}, all)
				}
			}
			_ = run(t, rts[seed%len(rts)], func(t *tasks.Task) {
				if recorded {
					worksharing.Iter(t, n, func(t *tasks.Task) { spawn(t, worksharing.Index) }, deps.InOutSlice(m), worksharing.Unroll(unroll))
					return
				}
				for i := range n {
					spawn(t, func(*tasks.Task) int { return i })
				}
			})
			return ran
		}
		require.Equal(t, ran(false), ran(true), "seed %d, %d iterations, unroll %d: %s\nfails: %v", seed, n, unroll, fmt.Sprintf("%+v", steps), fails)
	}
}
