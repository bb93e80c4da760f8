package reduce

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
)

// What the engine does with a scope, in small.

func openOn[T any](r deps.Reduction, item []T) deps.Copies {
	var e T
	return r.Open(unsafe.Pointer(unsafe.SliceData(item)), uintptr(len(item))*unsafe.Sizeof(e))
}

func free[T any, O operator[T]](op O) deps.Reduction    { return anyOrder[T, O]{op} }
func ordered[T any, O operator[T]](op O) deps.Reduction { return placeOrder[T, O]{op} }

// take returns the copy as a slice of n.
func take[T any](c deps.Copies, place *deps.Place, n int) []T {
	race.Disable()
	p := c.Take(place)
	race.Enable()
	return unsafe.Slice((*T)(p), n)
}

func give[T any](c deps.Copies, copy []T) {
	race.Disable()
	c.Give(unsafe.Pointer(unsafe.SliceData(copy)))
	race.Enable()
}

// contribute runs body for every i < tasks, each with a copy, on some goroutines, which hold several copies at once and
// give them back in another order than they took them.
func contribute[T any](c deps.Copies, n, tasks int, place func(i int) *deps.Place, body func(i int, private []T)) {
	var next atomic.Int32
	var wg sync.WaitGroup
	for g := range 3 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 1))
			var held [][]T
			for {
				i := int(next.Add(1)) - 1
				if i >= tasks {
					break
				}
				var p *deps.Place
				if place != nil {
					p = place(i)
				}
				held = append(held, take[T](c, p, n))
				body(i, held[len(held)-1])
				for len(held) > r.IntN(3) {
					k := r.IntN(len(held))
					give(c, held[k])
					held[k] = held[len(held)-1]
					held = held[:len(held)-1]
				}
			}
			for _, h := range held {
				give(c, h)
			}
		})
	}
	wg.Wait()
}

// combine runs all parts, on several goroutines.
func combine(c deps.Copies) {
	var next atomic.Int32
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for parts := c.Parts(); ; {
				part := int(next.Add(1)) - 1
				if part >= parts {
					return
				}
				c.Combine(part)
			}
		})
	}
	wg.Wait()
}
