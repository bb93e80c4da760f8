package worksharing_test

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

// TestLoopsInGroups: a loop that is a member of a group is waited for, and fails, with the group.
func TestLoopsInGroups(t *testing.T) {
	boom := errors.New("boom")
	rt := newRuntime(t, 2)
	require.NoError(t, rt.Run(context.Background(), func(m *tasks.Task) error {
		var sum atomic.Int64
		g := m.Group(m.Context())
		worksharing.For(m, 100, worksharing.Dynamic(7), func(_ *tasks.Task, lo, hi int) { sum.Add(int64(hi - lo)) }, tasks.InGroup(g))
		worksharing.Loop(m, 100, 9, func(_ *tasks.Task, lo, hi int) { sum.Add(int64(hi - lo)) }, nil, tasks.InGroup(g))
		assert.NoError(t, g.Wait())
		assert.EqualValues(t, 200, sum.Load())

		bad := m.Group(m.Context())
		worksharing.For(m, 10, worksharing.Schedule{}, func(*tasks.Task, int, int) { panic(boom) }, tasks.InGroup(bad))
		assert.ErrorIs(t, bad.Wait(), boom)
		return nil
	}))
}

// TestOrderedFor: with an ordered reduction the result has the same bits whatever the schedule's luck and the workers.
func TestOrderedFor(t *testing.T) {
	v := make([]float64, 1000)
	for i := range v {
		v[i] = math.Sin(float64(i)) * math.Pow(10, float64(i%13))
	}
	for _, s := range []worksharing.Schedule{worksharing.Static(0), worksharing.Dynamic(3), worksharing.Guided(2), worksharing.Adaptive()} {
		seen := map[uint64]bool{}
		for i := range 20 {
			rt := newRuntime(t, 1+i%4)
			sum := 0.0
			require.NoError(t, rt.Run(context.Background(), func(m *tasks.Task) error {
				worksharing.For(m, len(v), s, func(t *tasks.Task, lo, hi int) {
					mine := reduce.Local(t, &sum)
					for _, x := range v[lo:hi] {
						*mine += x
					}
				}, reduce.Ordered(reduce.Sum(&sum)), deps.InSlice(v))
				return nil
			}))
			seen[math.Float64bits(sum)] = true
		}
		require.Len(t, seen, 1)
	}
}
