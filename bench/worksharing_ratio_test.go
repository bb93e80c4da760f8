package bench

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

// BenchmarkForLoop is one task that all slots share (For) next to a task for each chunk (Loop): 10,000 iterations of a
// microsecond in chunks of 1 and of 10, nanoseconds per iteration. More schedules, and a loop without tasks, are in
// BenchmarkWorksharing.
func BenchmarkForLoop(b *testing.B) {
	const n = 10_000
	for _, workers := range []int{1, runtime.GOMAXPROCS(0)} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			one := calibrate(time.Microsecond)
			body := func(_ *tasks.Task, lo, hi int) {
				for range hi - lo {
					one.run()
				}
			}
			loop := func(name string, grain int) side {
				return side{name, n, func(t *tasks.Task) { worksharing.Loop(t, n, grain, body, nil) }}
			}
			share := func(name string, s worksharing.Schedule) side {
				return side{name, n, func(t *tasks.Task) { worksharing.For(t, n, s, body) }}
			}
			compare(b, workers, []side{
				loop("loop1", 1),
				share("for1", worksharing.Dynamic(1)),
				loop("loop10", 10),
				share("for10", worksharing.Dynamic(10)),
				share("adaptive", worksharing.Adaptive()),
			})
		})
	}
}
