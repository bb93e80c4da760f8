package reduce

import (
	"fmt"
	"sync"
	"testing"
	"unsafe"

	"github.com/gompss/gompss/deps"
)

// BenchmarkCombine combines copies of a MiB of float64. Bytes per second are of the copies.
//
//	serial    all parts on one goroutine
//	parallel  the parts dealt to two goroutines
//	op        a user's operator, serial
//	naive     the loop one would write: copy by copy, element by element, through a function value
func BenchmarkCombine(b *testing.B) {
	const n = 1 << 17
	add := NewOp("add", func(into, from *float64) { *into += *from }, nil)
	for _, k := range []int{1, 2, 4, 8} {
		item := make([]float64, n)
		builtin := taken(sum[float64]{}, item, k)
		user := taken(add.declared, item, k)
		run := func(name string, combine func()) {
			b.Run(fmt.Sprintf("%s/%d-copies", name, k), func(b *testing.B) {
				b.SetBytes(int64(8 * n * k))
				for b.Loop() {
					combine()
				}
			})
		}
		serial := func(c deps.Copies) func() {
			return func() {
				for part := range c.Parts() {
					c.Combine(part)
				}
			}
		}
		run("serial", serial(builtin))
		run("parallel", func() {
			var wg sync.WaitGroup
			for first := range 2 {
				wg.Go(func() {
					for part := first; part < builtin.Parts(); part += 2 {
						builtin.Combine(part)
					}
				})
			}
			wg.Wait()
		})
		run("op", serial(user))
		all := builtin.(*copies[float64]).all
		run("naive", func() { naive(item, all, add.declared.combine) })
	}
}

//go:noinline
func naive[T any](item []T, all [][]T, f func(into, from *T)) {
	for _, c := range all {
		for i := range item {
			f(&item[i], &c[i])
		}
	}
}

func taken[T any](op operator[T], item []T, k int) deps.Copies {
	var e T
	c := open(op, unsafe.Pointer(&item[0]), uintptr(len(item))*unsafe.Sizeof(e), false)
	for range k {
		c.Take(nil)
	}
	c.Parts()
	return c
}

func BenchmarkTakeGive(b *testing.B) {
	var x float64
	c := open[float64](sum[float64]{}, unsafe.Pointer(&x), 8, false)
	b.Run("alone", func(b *testing.B) {
		for b.Loop() {
			c.Give(c.Take(nil))
		}
	})
	b.Run("all cores", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				c.Give(c.Take(nil))
			}
		})
	})
}

func BenchmarkOpen(b *testing.B) {
	var x float64
	for b.Loop() {
		c := open[float64](sum[float64]{}, unsafe.Pointer(&x), 8, false)
		c.Give(c.Take(nil))
		c.Combine(c.Parts() - 1)
	}
}
