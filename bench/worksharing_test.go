package bench

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

// spin is a body of about d: a loop that depends on nothing but itself, as often as calibrated.
type spin int

func calibrate(d time.Duration) spin {
	best := time.Duration(1 << 62)
	for range 20 {
		start := time.Now()
		spin(1_000_000).run()
		best = min(best, time.Since(start))
	}
	return spin(float64(d) / float64(best) * 1_000_000)
}

var sink atomic.Uint64

func (n spin) run() {
	x := uint64(n)
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	if x == 0 {
		sink.Add(1)
	}
}

// byHand is a loop as Go programmers write it: a goroutine per core, an atomic cursor, a WaitGroup.
func byHand(workers, n, chunk int, body func(lo, hi int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				lo := int(next.Add(int64(chunk))) - chunk
				if lo >= n {
					return
				}
				body(lo, min(lo+chunk, n))
			}
		})
	}
	wg.Wait()
}

// BenchmarkWorksharing runs the same loop in every way in turn, so that what disturbs the machine disturbs all of them,
// and reports for each the nanoseconds per iteration, and how often the hand-written loop's that is.
func BenchmarkWorksharing(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
		cost time.Duration
	}{
		{"10000x1us", 10_000, time.Microsecond},
		{"10000x10ns", 10_000, 10 * time.Nanosecond},
		{"100x1us", 100, time.Microsecond},
	} {
		for _, workers := range []int{1, runtime.GOMAXPROCS(0)} {
			b.Run(fmt.Sprintf("%s/workers=%d", c.name, workers), func(b *testing.B) {
				one := calibrate(c.cost)
				body := func(lo, hi int) {
					for range hi - lo {
						one.run()
					}
				}
				inTask := func(_ *tasks.Task, lo, hi int) { body(lo, hi) }
				forms := []struct {
					name string
					run  func(*tasks.Task)
				}{
					{"byhand", func(*tasks.Task) { byHand(workers, c.n, 10, body) }},
					{"static", func(t *tasks.Task) { worksharing.For(t, c.n, worksharing.Static(0), inTask) }},
					{"dynamic10", func(t *tasks.Task) { worksharing.For(t, c.n, worksharing.Dynamic(10), inTask) }},
					{"guided", func(t *tasks.Task) { worksharing.For(t, c.n, worksharing.Guided(0), inTask) }},
					{"adaptive", func(t *tasks.Task) { worksharing.For(t, c.n, worksharing.Adaptive(), inTask) }},
					{"loop10", func(t *tasks.Task) { worksharing.Loop(t, c.n, 10, inTask, nil) }},
					{"loop1", func(t *tasks.Task) { worksharing.Loop(t, c.n, 1, inTask, nil) }},
				}
				took := make([]time.Duration, len(forms))
				rt, err := tasks.New(tasks.Config{Workers: workers})
				require.NoError(b, err)
				defer rt.Close()
				require.NoError(b, rt.Run(context.Background(), func(t *tasks.Task) error {
					for b.Loop() {
						for i, f := range forms {
							start := time.Now()
							f.run(t)
							wait(t)
							took[i] += time.Since(start)
						}
					}
					return nil
				}))
				b.ReportMetric(0, "ns/op") // of all forms together: of no use
				for i, f := range forms {
					b.ReportMetric(float64(took[i].Nanoseconds())/float64(b.N*c.n), f.name+"-ns/iter")
					b.ReportMetric(float64(took[i])/float64(took[0]), f.name+"/byhand")
				}
			})
		}
	}
}

// BenchmarkForChain is what a For costs besides its iterations: a chain of loops with as many empty ranges as slots.
func BenchmarkForChain(b *testing.B) {
	for _, workers := range []int{1, runtime.GOMAXPROCS(0)} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.ReportAllocs()
			run(b, tasks.Config{Workers: workers}, func(m *tasks.Task) {
				var x int
				for b.Loop() {
					for range 1000 {
						worksharing.For(m, workers, worksharing.Dynamic(1), func(*tasks.Task, int, int) {}, deps.InOut(&x))
					}
					wait(m)
				}
			})
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/For")
		})
	}
}
