package reduce_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
)

// TestManyReductionsOfOneTask: a task with so many accesses that they are sorted to find out which ones overlap.
func TestManyReductionsOfOneTask(t *testing.T) {
	const n = 40
	for name, order := range map[string]func(i int) int{
		"ascending":  func(i int) int { return i },
		"descending": func(i int) int { return n - 1 - i },
		"scattered":  func(i int) int { return i * 7 % n },
	} {
		for _, ordered := range []bool{false, true} {
			var sums [n]int
			var reads, writes [n]int
			var all deps.List
			for i := range n {
				s := reduce.Sum(&sums[order(i)])
				if ordered {
					s = reduce.Ordered(s)
				}
				all = append(all, s, deps.In(&reads[order(i)]), deps.InOut(&writes[order(i)]))
			}
			all = append(all, all[:3]...) // one of each twice
			require.NoError(t, runOn(t, 2, func(m *tasks.Task) error {
				for range 5 {
					tasks.Spawn(m, func(r *tasks.Task) {
						for i := range n {
							*reduce.Local(r, &sums[i]) += i
							writes[i]++
						}
					}, all)
				}
				return nil
			}))
			for i := range n {
				require.Equal(t, 5*i, sums[i], "%s", name)
				require.Equal(t, 5, writes[i], "%s", name)
			}
		}
	}
}

// TestManyAccessesMixed: as few accesses do, many panic if one of them is on what another one reduces.
func TestManyAccessesMixed(t *testing.T) {
	var sums [40]int
	var all deps.List
	for i := range sums {
		all = append(all, reduce.Sum(&sums[i]))
	}
	product, read, part := reduce.Prod(&sums[9]), deps.InSlice(sums[7:9]), reduce.SumSlice(sums[4:6])
	for _, other := range []deps.Access{product, read, part} {
		for _, list := range []deps.List{append(slices.Clip(all), other), append(deps.List{other}, all...)} {
			require.NoError(t, runOn(t, 1, func(m *tasks.Task) error {
				assert.Panics(t, func() { tasks.Spawn(m, func() {}, list) }, "%v", other)
				return nil
			}))
		}
	}
}
