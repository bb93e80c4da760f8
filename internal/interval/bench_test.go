package interval

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// keys returns n starts, 64 bytes apart, ascending or shuffled.
func keys(n int, order string) []uintptr {
	k := make([]uintptr, n)
	for i := range k {
		k[i] = uintptr(1<<30 + 64*i)
	}
	if order == "random" {
		rand.New(rand.NewPCG(1, 2)).Shuffle(n, func(i, j int) { k[i], k[j] = k[j], k[i] })
	}
	return k
}

// each runs a benchmark for several sizes and orders. f handles all keys of a filled map (or, if empty, of a cleared one).
func each(b *testing.B, filled bool, f func(m *Map[value], k []uintptr)) {
	for _, n := range []int{100, 10_000, 100_000} {
		for _, order := range []string{"ascending", "random"} {
			b.Run(fmt.Sprintf("n=%d/order=%s", n, order), func(b *testing.B) {
				var m Map[value]
				k := keys(n, order)
				insertAll(&m, k)
				b.ReportAllocs()
				for b.Loop() {
					if b.StopTimer(); m.Len() > 0 != filled {
						m.Clear()
						if filled {
							insertAll(&m, k)
						}
					}
					b.StartTimer()
					f(&m, k)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/interval")
			})
		}
	}
}

func insertAll(m *Map[value], k []uintptr) {
	for _, lo := range k {
		m.Insert(lo, lo+64, nil)
	}
}

func BenchmarkInsert(b *testing.B) { each(b, false, insertAll) }

func BenchmarkOverlap(b *testing.B) {
	each(b, true, func(m *Map[value], k []uintptr) {
		for _, lo := range k {
			m.Overlap(lo+8, lo+16)
		}
	})
}

func BenchmarkDelete(b *testing.B) {
	each(b, true, func(m *Map[value], k []uintptr) {
		for _, lo := range k {
			m.Delete(lo)
		}
	})
}

func BenchmarkWalk(b *testing.B) {
	each(b, true, func(m *Map[value], _ []uintptr) {
		it := m.From(0)
		for {
			if _, _, _, ok := it.Next(); !ok {
				break
			}
		}
	})
}
