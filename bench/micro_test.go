package bench

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/tasks"
)

func run(t testing.TB, cfg tasks.Config, main func(*tasks.Task)) {
	rt, err := tasks.New(cfg)
	require.NoError(t, err)
	defer rt.Close()
	require.NoError(t, rt.Run(context.Background(), func(m *tasks.Task) error { main(m); return nil }))
}

// TestMicro checks that every pattern makes as many tasks as it says, in the order that its sums prove.
func TestMicro(t *testing.T) {
	patterns := Micro
	if race.Enabled || testing.Short() {
		patterns = Micro[4:5] // the others have a million tasks
	}
	for _, p := range patterns {
		t.Run(p.Name, func(t *testing.T) {
			rt, err := tasks.New(tasks.Config{Workers: 2})
			require.NoError(t, err)
			defer rt.Close()
			require.NoError(t, rt.Run(context.Background(), func(m *tasks.Task) error {
				r := p.Run(m, true)
				if p.Name == "M5" && r.Value != 75_025 {
					return fmt.Errorf("fib(25) = %d", r.Value)
				}
				return r.Check()
			}))
			require.EqualValues(t, p.Tasks, rt.Stats().Spawned)
		})
	}
}

// BenchmarkMicro reports ns/task and the allocations of one whole pattern. Peers: docs/performance.md.
func BenchmarkMicro(b *testing.B) {
	for _, p := range Micro {
		for _, workers := range []int{1, runtime.GOMAXPROCS(0)} {
			b.Run(fmt.Sprintf("%s/workers=%d", p.Name, workers), func(b *testing.B) {
				b.ReportAllocs()
				run(b, tasks.Config{Workers: workers}, func(m *tasks.Task) {
					p.Run(m, false) // warm
					for b.Loop() {
						p.Run(m, false)
					}
				})
				n := float64(b.N) * float64(p.Tasks)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/n, "ns/task")
			})
		}
	}
}

// BenchmarkMEM is the memory of an outstanding task: M1 with every task created before a gate opens.
func BenchmarkMEM(b *testing.B) {
	const n = 1_000_000
	for b.Loop() {
		gate := make(chan bool)
		run(b, tasks.Config{Workers: 1, Throttle: -1}, func(m *tasks.Task) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			for range n {
				tasks.Spawn(m, nothing)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/n, "bytes/task")
			close(gate)
		})
	}
}
