package deque

import (
	"sync"
	"sync/atomic"
	"testing"
)

// BenchmarkPushPop is the owner alone: depth=1 takes the path of a last element, depth=8 the other one.
func BenchmarkPushPop(b *testing.B) {
	for _, c := range []struct {
		name  string
		depth int
	}{{"depth=1", 1}, {"depth=8", 8}} {
		b.Run(c.name, func(b *testing.B) {
			d, it := new(Deque[item]), new(item)
			for range c.depth - 1 {
				d.Push(it)
			}
			for b.Loop() {
				d.Push(it)
				d.Pop()
			}
		})
	}
}

func BenchmarkPopEmpty(b *testing.B) {
	d := new(Deque[item])
	for b.Loop() {
		d.Pop()
	}
}

// BenchmarkSteal is a push and a steal, without rivals.
func BenchmarkSteal(b *testing.B) {
	d, it := new(Deque[item]), new(item)
	for b.Loop() {
		d.Push(it)
		d.Steal()
	}
}

// BenchmarkBatch moves half of 64 elements to another deque; ns/element is per element moved, pushing it included.
func BenchmarkBatch(b *testing.B) {
	d, into, it := new(Deque[item]), new(Deque[item]), new(item)
	for b.Loop() {
		for d.Len() < 64 {
			d.Push(it)
		}
		d.StealBatch(into, 32)
		for v := it; v != nil; v, _ = into.Steal() {
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(32*b.N), "ns/element")
}

// BenchmarkContended is the owner's push and pop while a thief does nothing but steal.
func BenchmarkContended(b *testing.B) {
	d, it := new(Deque[item]), new(item)
	var stop atomic.Bool
	var thief sync.WaitGroup
	thief.Go(func() {
		for !stop.Load() {
			d.Steal()
		}
	})
	for b.Loop() {
		d.Push(it)
		d.Pop()
	}
	stop.Store(true)
	thief.Wait()
}
