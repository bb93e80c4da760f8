package worksharing_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

// TestIterReducesPartsAndTheWhole: reductions of a part and of all of an array in one iteration are combined in turn.
func TestIterReducesPartsAndTheWhole(t *testing.T) {
	const n, rounds = 1 << 16, 3
	for _, parts := range [][][2]int{
		{{n / 4, n / 2}, {0, n}}, {{0, n}, {n / 4, n / 2}}, {{0, n / 2}, {n / 2, n}, {0, n}}, {{0, n}, {0, n / 2}, {0, n}},
	} {
		for range 10 {
			rt := newRuntime(t, 4)
			a, want := make([]int, n), make([]int, n)
			for _, p := range parts {
				for i := p[0]; i < p[1]; i++ {
					want[i] += rounds
				}
			}
			require.NoError(t, rt.Run(context.Background(), func(m *tasks.Task) error {
				worksharing.Iter(m, rounds, func(m *tasks.Task) {
					for _, p := range parts {
						s := a[p[0]:p[1]]
						tasks.Spawn(m, func(r *tasks.Task) {
							for i, mine := 0, reduce.LocalSlice(r, s); i < len(mine); i++ {
								mine[i]++
							}
						}, reduce.SumSlice(s))
					}
				}, deps.InOutSlice(a))
				return nil
			}))
			require.Equal(t, want, a)
		}
	}
}
