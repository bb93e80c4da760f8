package bench

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

// graphs are bodies of loops whose tasks do nothing, with the number of tasks in an iteration.
var graphs = []struct {
	name string
	size int
	make func() func(t *tasks.Task)
}{
	{"chains", 1024, func() func(t *tasks.Task) {
		a := make([]int64, 1024)
		return func(t *tasks.Task) {
			for i := range a {
				tasks.Spawn(t, nothing, deps.InOut(&a[i]))
			}
		}
	}},
	{"heat", 32 * 32, func() func(t *tasks.Task) {
		const n = 32
		var a [n + 2][n + 2]int64 // one sentinel for each block, and the border
		return func(t *tasks.Task) {
			for i := 1; i <= n; i++ {
				for j := 1; j <= n; j++ {
					tasks.Spawn(t, nothing, deps.InOut(&a[i][j]),
						deps.In(&a[i-1][j]), deps.In(&a[i][j-1]), deps.In(&a[i][j+1]), deps.In(&a[i+1][j]))
				}
			}
		}
	}},
	{"cg", 5*64 + 4, func() func(t *tasks.Task) {
		const n = 64
		var x, r, p, q [n]int64
		var rr, pq, alpha, beta float64
		return func(t *tasks.Task) {
			for i := range n {
				tasks.Spawn(t, nothing, deps.Out(&q[i]), deps.In(&p[max(i-1, 0)]), deps.In(&p[i]), deps.In(&p[min(i+1, n-1)]))
			}
			for i := range n {
				tasks.Spawn(t, nothing, deps.In(&p[i]), deps.In(&q[i]), reduce.Sum(&pq))
			}
			tasks.Spawn(t, nothing, deps.InOut(&pq), deps.In(&rr), deps.Out(&alpha))
			for i := range n {
				tasks.Spawn(t, nothing, deps.In(&alpha), deps.In(&p[i]), deps.InOut(&x[i]))
				tasks.Spawn(t, nothing, deps.In(&alpha), deps.In(&q[i]), deps.InOut(&r[i]), reduce.Sum(&rr))
			}
			tasks.Spawn(t, nothing, deps.InOut(&rr), deps.Out(&beta))
			for i := range n {
				tasks.Spawn(t, nothing, deps.In(&beta), deps.In(&r[i]), deps.InOut(&p[i]))
			}
		}
	}},
}

// BenchmarkIter compares a loop that spawns all its tasks with one that recorded them, by turns, and reports the better of
// each: the time that a task takes from the loop's start to its end, with the recording, and what it allocates.
func BenchmarkIter(b *testing.B) {
	for _, g := range graphs {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", g.name, workers), func(b *testing.B) {
				const iterations = 200
				rt, err := tasks.New(tasks.Config{Workers: workers})
				require.NoError(b, err)
				defer rt.Close()
				body := g.make()
				spawn := func(t *tasks.Task) {
					for range iterations {
						body(t)
					}
				}
				iter := func(t *tasks.Task) { worksharing.Iter(t, iterations, body) }
				best := [2]time.Duration{1 << 62, 1 << 62}
				var allocs [2]uint64
				for range b.N {
					for i, loop := range []func(*tasks.Task){spawn, iter} {
						runtime.GC()
						var before, after runtime.MemStats
						runtime.ReadMemStats(&before)
						start := time.Now()
						err := rt.Run(context.Background(), func(t *tasks.Task) error {
							loop(t)
							return nil
						})
						best[i] = min(best[i], time.Since(start))
						runtime.ReadMemStats(&after)
						allocs[i] = after.Mallocs - before.Mallocs
						require.NoError(b, err)
					}
				}
				n := float64(g.size * iterations)
				b.ReportMetric(float64(best[0])/n, "spawn-ns/task")
				b.ReportMetric(float64(best[1])/n, "iter-ns/task")
				b.ReportMetric(float64(best[0])/float64(best[1]), "spawn/iter")
				b.ReportMetric(float64(allocs[0])/n, "spawn-allocs/task")
				b.ReportMetric(float64(allocs[1])/n, "iter-allocs/task")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
