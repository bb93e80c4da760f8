package bench

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/tasks"
)

// side is one of several ways to do the same, or nearly.
type side struct {
	name  string
	units int // what the time is divided by
	run   func(*tasks.Task)
}

// compare runs the sides in turns, so that what disturbs the machine disturbs all of them, and reports for each the
// nanoseconds per unit that a tenth of the rounds stay below (others on the machine only add), how often the first side's
// that is, and the allocations per unit. Each side is waited for.
func compare(b *testing.B, workers int, sides []side) {
	took := make([][]time.Duration, len(sides))
	allocated := make([]uint64, len(sides))
	run(b, tasks.Config{Workers: workers}, func(m *tasks.Task) {
		for _, s := range sides {
			s.run(m) // warm
			wait(m)
		}
		for b.Loop() {
			for i, s := range sides {
				start := time.Now()
				s.run(m)
				wait(m)
				took[i] = append(took[i], time.Since(start))
			}
		}
		for i, s := range sides {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s.run(m)
			wait(m)
			runtime.ReadMemStats(&after)
			allocated[i] = after.Mallocs - before.Mallocs
		}
	})
	b.ReportMetric(0, "ns/op") // of all sides together: of no use
	first := 0.0
	for i, s := range sides {
		slices.Sort(took[i])
		unit := float64(took[i][len(took[i])/10].Nanoseconds()) / float64(s.units)
		if i == 0 {
			first = unit
		}
		b.ReportMetric(unit, s.name+"-ns")
		b.ReportMetric(unit/first, s.name+"/"+sides[0].name)
		b.ReportMetric(float64(allocated[i])/float64(s.units), s.name+"-allocs")
	}
}

// TestCompare: every side runs as often as the others, and a ratio of a side to itself is one.
func TestCompare(t *testing.T) {
	var runs [2]int
	r := testing.Benchmark(func(b *testing.B) {
		count := func(i int) func(*tasks.Task) {
			return func(m *tasks.Task) { tasks.Spawn(m, func() { runs[i]++ }) }
		}
		compare(b, 1, []side{{"a", 1, count(0)}, {"b", 1, count(1)}})
	})
	require.Equal(t, runs[0], runs[1])
	require.Equal(t, 1.0, r.Extra["a/a"])
	require.Contains(t, r.Extra, "b/a")
}
