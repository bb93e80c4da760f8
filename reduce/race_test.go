//go:build race

package reduce

import (
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
	"github.com/stretchr/testify/require"
)

// TestTakeAndGiveAreHidden hands copies from goroutine to goroutine by means that the race detector does not see: what
// Take wrote must not be reported when the other goroutine uses the copy, nor what Parts wrote when it combines.
func TestTakeAndGiveAreHidden(t *testing.T) {
	for _, r := range []deps.Reduction{
		free[int64](prod[int64]{}), free[int64](lowest[int64]{}), free[int64](logicalAnd[int64]{}), ordered[int64](and[int64]{}),
		free[int64](NewOp("none", func(_, _ *int64) {}, nil).declared),
	} {
		item := make([]int64, 100)
		var box unsafe.Pointer
		var done uint32
		var wg sync.WaitGroup
		wg.Go(func() {
			race.Disable()
			c := openOn(r, item)
			p := c.Take(deps.NewPlace(nil, 1))
			put(&box, unsafe.Pointer(&handed{c, unsafe.Slice((*int64)(p), 100)}))
			await(&done)
			race.Enable()
			race.Acquire(unsafe.Pointer(&done)) // after the body: the engine's edge
			c.Combine(0)
		})
		wg.Go(func() {
			race.Disable()
			h := (*handed)(get(&box))
			c, private := unpack(h)
			race.Enable()
			for i := range private {
				private[i]++
			}
			race.Disable()
			c.Give(unsafe.Pointer(&private[0]))
			race.Enable()
			race.ReleaseMerge(unsafe.Pointer(&done))
			c.Parts()
			race.Disable()
			atomic.StoreUint32(&done, 1)
			race.Enable()
		})
		wg.Wait()
	}
}

type handed struct {
	copies  deps.Copies
	private []int64
}

//go:norace
func unpack(h *handed) (deps.Copies, []int64) { return h.copies, h.private }

//go:norace
func put(box *unsafe.Pointer, p unsafe.Pointer) { atomic.StorePointer(box, p) }

//go:norace
func get(box *unsafe.Pointer) unsafe.Pointer {
	for {
		if p := atomic.LoadPointer(box); p != nil {
			return p
		}
	}
}

//go:norace
func await(done *uint32) {
	for atomic.LoadUint32(done) == 0 {
	}
}

func TestCopiesAreNeverHandedOutTwice(t *testing.T) {
	c := openOn(free[int](sum[int]{}), make([]int, 1))
	seen := map[unsafe.Pointer]bool{}
	for range 10 {
		p := c.Take(nil)
		require.False(t, seen[p])
		seen[p] = true
		c.Give(p)
	}
	require.Len(t, seen, 10)
}
