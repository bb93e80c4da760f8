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

// spoil goes through a loop of in, out and inout as the rules for failures say, and returns which bodies run: not those that
// read a cell which a task has written that failed or was skipped, unless an out has overwritten it.
func spoil(steps []step, fails []bool) (ran []bool) {
	var bad [cells]bool
	ran = make([]bool, len(fails))
	for at := range ran {
		s := steps[at%len(steps)]
		skip := false
		for k := range bad {
			own := k >= s.lo && k < s.hi && s.kind != 1
			read := k >= s.from && k < s.to
			skip = skip || bad[k] && (own || read)
		}
		ran[at] = !skip
		for k := s.lo; k < s.hi; k++ {
			bad[k] = skip || fails[at]
		}
	}
	return ran
}

// TestRandomFailuresSkipDependents: in a recorded loop exactly those tasks are skipped that depend on a failed one.
func TestRandomFailuresSkipDependents(t *testing.T) {
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
		m := make([]int64, cells)
		ran := make([]bool, n*len(steps))
		_ = run(t, rts[seed%len(rts)], func(t *tasks.Task) {
			worksharing.Iter(t, n, func(t *tasks.Task) {
				for k, s := range steps {
					own := deps.InOutSlice(m[s.lo:s.hi])
					if s.kind == 1 {
						own = deps.OutSlice(m[s.lo:s.hi])
					}
					tasks.Spawn(t, func(t *tasks.Task) error {
						at := worksharing.Index(t)*len(steps) + k
						ran[at] = true
						if fails[at] {
							return boom
						}
						return nil
					}, deps.InSlice(m[s.from:s.to]), own)
				}
			}, deps.InOutSlice(m), worksharing.Unroll(unroll))
		})
		require.Equal(t, spoil(steps, fails), ran, "seed %d, %d iterations, unroll %d: %s\nfails: %v", seed, n, unroll, fmt.Sprintf("%+v", steps), fails)
	}
}
