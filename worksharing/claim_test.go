//go:build !race

package worksharing

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type span struct{ lo, hi int }

// claims returns what k collaborators that take turns get of n iterations.
func claims(n int, s Schedule, slots int) (ranges []span, by []int) {
	l := &shared{}
	l.n = n
	l.cut(s, slots)
	c := make([]claimant, l.parts)
	for i := range c {
		c[i].number = i
	}
	for left := len(c); left > 0; {
		for i := range c {
			if c[i].number < 0 {
				continue
			}
			lo, hi := l.claim(&c[i])
			if lo == hi {
				c[i].number = -1
				left--
				continue
			}
			ranges = append(ranges, span{lo, hi})
			by = append(by, i)
		}
	}
	return ranges, by
}

func TestClaimCovers(t *testing.T) {
	for slots := 1; slots <= 5; slots++ {
		for n := range 200 {
			for _, s := range []Schedule{Static(0), Static(1), Static(3), Dynamic(0), Dynamic(7), Dynamic(500), Guided(0), Guided(5), Adaptive()} {
				ranges, _ := claims(n, s, slots)
				slices.SortFunc(ranges, func(a, b span) int { return a.lo - b.lo })
				at := 0
				for _, r := range ranges {
					require.Equal(t, at, r.lo, "%v of %d, %d slots", s, n, slots)
					require.Greater(t, r.hi, r.lo)
					at = r.hi
				}
				require.Equal(t, n, at, "%v, %d slots", s, slots)
			}
		}
	}
}

func TestClaimMeansWhatOpenMPSays(t *testing.T) {
	ranges, by := claims(10, Static(0), 4)
	require.Equal(t, []span{{0, 3}, {3, 6}, {6, 8}, {8, 10}}, ranges)
	require.Equal(t, []int{0, 1, 2, 3}, by)
	ranges, by = claims(10, Static(2), 3)
	require.Equal(t, []span{{0, 2}, {2, 4}, {4, 6}, {6, 8}, {8, 10}}, ranges)
	require.Equal(t, []int{0, 1, 2, 0, 1}, by)
	ranges, _ = claims(10, Dynamic(4), 3)
	require.Equal(t, []span{{0, 4}, {4, 8}, {8, 10}}, ranges)
	ranges, _ = claims(100, Guided(8), 2)
	require.Equal(t, []span{{0, 25}, {25, 44}, {44, 58}, {58, 69}, {69, 77}, {77, 85}, {85, 93}, {93, 100}}, ranges)
	ranges, _ = claims(4, Guided(9), 2)
	require.Equal(t, []span{{0, 4}}, ranges)
}

func TestClaimOfHugeLoops(t *testing.T) {
	ranges, _ := claims(math.MaxInt, Static(0), 2)
	require.Equal(t, []span{{0, math.MaxInt/2 + 1}, {math.MaxInt/2 + 1, math.MaxInt}}, ranges)
	for _, s := range []Schedule{Static(math.MaxInt - 5), Dynamic(math.MaxInt - 5)} {
		ranges, _ = claims(math.MaxInt, s, 3)
		require.Equal(t, []span{{0, math.MaxInt - 5}, {math.MaxInt - 5, math.MaxInt}}, ranges)
	}
	ranges, _ = claims(math.MaxInt, Dynamic(math.MaxInt), 3)
	require.Equal(t, []span{{0, math.MaxInt}}, ranges)
	ranges, _ = claims(math.MaxInt, Guided(math.MaxInt/3), 3)
	require.Equal(t, math.MaxInt, ranges[len(ranges)-1].hi)
}

// TestAdaptAims: the size follows what the last range took, within bounds.
func TestAdaptAims(t *testing.T) {
	for _, c := range []struct {
		name      string
		size      int
		took      time.Duration
		low, high int
	}{
		{"the first", 0, 0, 1, 1},
		{"took next to nothing", 10, 0, 10, 10 * grow},
		{"took twice as long as it should", 1_000_000, 2 * target, 1_000_000 / shrink, 500_000}, // the clock goes on meanwhile
		{"took an hour", 1000, time.Hour, 1000 / shrink, 1000 / shrink},
		{"one took an hour", 1, time.Hour, 1, 1},
	} {
		a := claimant{size: c.size, since: time.Since(epoch) - c.took}
		got := a.adapt()
		require.GreaterOrEqual(t, got, c.low, c.name)
		require.LessOrEqual(t, got, c.high, c.name)
	}
}
