package spare

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The Runners here are //go:norace like those of the runtime: in race builds nothing orders them after the test.

// counted is a Runner that tells when it ran.
type counted struct{ wg sync.WaitGroup }

//go:norace
func (c *counted) Run() { c.wg.Done() }

// blocked is a Runner that waits until it is let go.
type blocked struct {
	running sync.WaitGroup
	gate    chan struct{}
}

//go:norace
func (b *blocked) Run() {
	b.running.Done()
	<-b.gate
}

func TestRunsEveryRunnerOnce(t *testing.T) {
	for _, idle := range []int{-1, 0, 1, 64} {
		p, c := New(idle), new(counted)
		var callers sync.WaitGroup
		c.wg.Add(4 * 1000)
		for range 4 {
			callers.Go(func() {
				for range 1000 {
					p.Go(c)
				}
			})
		}
		callers.Wait()
		c.wg.Wait() // a Runner that ran twice makes it panic
		p.Close()
	}
}

// TestNeverWaitsForThoseInside blocks more Runners than the pool keeps, each started while the others wait.
func TestNeverWaitsForThoseInside(t *testing.T) {
	p, b := New(2), &blocked{gate: make(chan struct{})}
	defer p.Close()
	b.running.Add(100)
	for range 100 {
		p.Go(b)
	}
	b.running.Wait()
	close(b.gate)
}

// nested starts itself again from inside, on a pool that is full with it.
type nested struct {
	p    *Pool
	left int
	done chan struct{}
}

//go:norace
func (n *nested) Run() {
	if n.left--; n.left == 0 {
		close(n.done)
		return
	}
	n.p.Go(n)
}

func TestGoFromInside(t *testing.T) {
	n := &nested{p: New(1), left: 1000, done: make(chan struct{})}
	defer n.p.Close()
	n.p.Go(n)
	<-n.done
}

func TestCloseLeavesNoGoroutine(t *testing.T) {
	settle(t, 0) // the goroutines of earlier tests and of ants' own pool
	before := runtime.NumGoroutine()
	for range 10 {
		p, b := New(8), &blocked{gate: make(chan struct{})}
		b.running.Add(20)
		for range 20 {
			p.Go(b)
		}
		b.running.Wait()
		p.Close()
		p.Close()
		require.GreaterOrEqual(t, runtime.NumGoroutine(), before+20, "Close must not wait for those that run")
		close(b.gate)
	}
	settle(t, before)
}

// settle waits until no more than want goroutines are left; with want == 0, until their number stays.
func settle(t *testing.T, want int) {
	t.Helper()
	last, same := -1, 0
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		n := runtime.NumGoroutine()
		if want > 0 && n <= want {
			return
		}
		if same++; n != last {
			last, same = n, 0
		}
		if want == 0 && same == 20 {
			return
		}
	}
	buf := make([]byte, 1<<16)
	t.Fatalf("%d goroutines, want %d\n%s", last, want, buf[:runtime.Stack(buf, true)])
}

func TestGoAfterClose(t *testing.T) {
	p, c := New(4), new(counted)
	p.Close()
	c.wg.Add(1)
	p.Go(c)
	c.wg.Wait()
}

// BenchmarkRoundTrip wakes a goroutine and waits for its answer. With stack=16KB the Runner needs more stack than a new
// goroutine has, as task bodies do.
func BenchmarkRoundTrip(b *testing.B) {
	shallow := &pingpong{back: make(chan struct{})}
	for _, c := range []struct {
		name string
		f    Runner
		back chan struct{}
	}{{"stack=0", shallow, shallow.back}, {"stack=16KB", deep{shallow}, shallow.back}} {
		b.Run(c.name+"/via=pool", func(b *testing.B) {
			b.ReportAllocs()
			p := New(4)
			defer p.Close()
			for b.Loop() {
				p.Go(c.f)
				<-c.back
			}
		})
		b.Run(c.name+"/via=go", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				go c.f.Run()
				<-c.back
			}
		})
	}
}

type pingpong struct{ back chan struct{} }

func (p *pingpong) Run() { p.back <- struct{}{} }

type deep struct{ *pingpong }

func (d deep) Run() { useStack(16); d.pingpong.Run() }

//go:noinline
func useStack(kilobytes int) byte {
	var frame [1024]byte
	frame[kilobytes] = 1
	if kilobytes > 0 {
		frame[0] = useStack(kilobytes - 1)
	}
	return frame[0] + frame[kilobytes]
}
