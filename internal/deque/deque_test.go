package deque

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

type item struct{ seq int }

// tiny returns a deque whose first ring has two cells, so that wrapping, growing and sweeping happen at once.
func tiny() *Deque[item] {
	d := new(Deque[item])
	d.ring.Store(newRing[item](2))
	return d
}

func TestOrderAtBothEnds(t *testing.T) {
	d, items := new(Deque[item]), make([]item, 5)
	require.Nil(t, d.Pop())
	require.Nil(t, d.Peek())
	for i := range items {
		d.Push(&items[i])
	}
	require.Equal(t, 5, d.Len())
	require.Same(t, &items[4], d.Peek())
	require.Same(t, &items[4], d.Pop())
	v, retry := d.Steal()
	require.Same(t, &items[0], v)
	require.False(t, retry)
	require.Same(t, &items[3], d.Pop())
	require.Same(t, &items[2], d.Pop())
	require.Same(t, &items[1], d.Pop())
	require.Nil(t, d.Pop())
	v, retry = d.Steal()
	require.Nil(t, v)
	require.False(t, retry)
	require.Zero(t, d.Len())
}

func TestStealBatchTakesTheOlderHalfInOrder(t *testing.T) {
	for _, c := range []struct{ have, limit, want int }{
		{0, 8, 0}, {1, 8, 1}, {2, 8, 1}, {3, 8, 2}, {10, 8, 5}, {10, 3, 3}, {10, 0, 0}, {400, 1000, 200},
	} {
		t.Run(fmt.Sprintf("have=%d/limit=%d", c.have, c.limit), func(t *testing.T) {
			from, into, items := tiny(), tiny(), make([]item, c.have)
			for i := range items {
				items[i].seq = i
				from.Push(&items[i])
			}
			first, n := from.StealBatch(into, c.limit)
			require.Equal(t, c.want, n)
			require.Equal(t, c.have-c.want, from.Len())
			require.Equal(t, max(c.want-1, 0), into.Len())
			if n > 0 {
				require.Equal(t, 0, first.seq)
			}
			for i := 1; i < n; i++ {
				v, _ := into.Steal()
				require.Equal(t, i, v.seq)
			}
		})
	}
}

// TestCellsAreSwept holds the deque to what it says about memory: nothing but its elements is reachable from its ring
// once the owner found it empty or the ring full.
func TestCellsAreSwept(t *testing.T) {
	d, items := tiny(), make([]item, 100)
	for i := range items {
		d.Push(&items[i])
		if i%3 == 0 {
			d.Steal()
		}
	}
	for d.Len() > 10 {
		d.Steal()
	}
	for d.Pop() != nil {
	}
	for i, c := range d.ring.Load().cells {
		require.Nil(t, c, "cell %d", i)
	}
}

func TestRingGrowsOnlyWhenFull(t *testing.T) {
	d, it := tiny(), new(item)
	for range 1000 { // two elements at most, while the indices run far
		d.Push(it)
		d.Push(it)
		d.Steal()
		d.Pop()
	}
	require.EqualValues(t, 2, d.ring.Load().size())
}

func TestNoAllocations(t *testing.T) {
	d, into, it := new(Deque[item]), new(Deque[item]), new(item)
	d.Push(it)
	into.Push(it)
	into.Pop()
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		d.Push(it)
		d.Push(it)
		d.StealBatch(into, 2)
		d.Pop()
		into.Pop()
	}))
}

func TestThiefAndOwnerWordsShareNoLine(t *testing.T) {
	var d Deque[item]
	require.GreaterOrEqual(t, unsafe.Offsetof(d.top), uintptr(128))
	require.GreaterOrEqual(t, unsafe.Offsetof(d.bottom)-unsafe.Offsetof(d.top), uintptr(128))
	require.GreaterOrEqual(t, unsafe.Sizeof(d)-unsafe.Offsetof(d.swept), uintptr(128))
}

// TestStress lets an owner and thieves loose on a tiny deque. Every element comes out exactly once, and each thief sees
// ascending elements. The bookkeeping of the test is visible to the race detector, the deque's cells are not: a race
// build that reports one means that a function lost its //go:norace.
func TestStress(t *testing.T) {
	total := 200_000
	if testing.Short() {
		total = 20_000
	}
	for _, procs := range []int{1, 2, 3, 4, 8} {
		for _, batch := range []int{1, 7} {
			t.Run(fmt.Sprintf("procs=%d/batch=%d", procs, batch), func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				stress(t, total, max(procs-1, 1), batch)
			})
		}
	}
}

func stress(t *testing.T, total, thieves, batch int) {
	d, items, taken := tiny(), make([]item, total), make([]atomic.Int32, total)
	for i := range items {
		items[i].seq = i
	}
	var left atomic.Int64
	left.Store(int64(total))
	take := func(v *item) {
		taken[v.seq].Add(1)
		left.Add(-1)
	}

	var wg sync.WaitGroup
	for range thieves {
		wg.Go(func() {
			mine, last := tiny(), -1
			ascending := func(v *item) {
				if v.seq <= last {
					t.Errorf("stole %d after %d", v.seq, last)
				}
				last = v.seq
				take(v)
			}
			for left.Load() > 0 {
				v, n := d.StealBatch(mine, batch)
				if v == nil {
					runtime.Gosched()
					continue
				}
				if mine.Len() != n-1 {
					t.Errorf("a batch of %d left %d in the thief's deque", n, mine.Len())
				}
				for ; v != nil; v, _ = mine.Steal() {
					ascending(v)
				}
			}
		})
	}

	rng, deadline := rand.New(rand.NewPCG(1, uint64(thieves))), time.Now().Add(time.Minute)
	for next := 0; left.Load() > 0; {
		for range rng.IntN(6) {
			if next < total {
				d.Push(&items[next])
				next++
			}
		}
		for range rng.IntN(6) {
			seen, v := d.Peek(), d.Pop()
			if v != nil {
				if v != seen {
					t.Errorf("Pop gave %d after Peek showed another", v.seq)
				}
				take(v)
			}
		}
		if next == total {
			runtime.Gosched()
			if time.Now().After(deadline) {
				t.Errorf("%d elements were lost", left.Swap(0))
			}
		}
	}
	wg.Wait()
	for i := range taken {
		if n := taken[i].Load(); n != 1 {
			t.Fatalf("element %d came out %d times", i, n)
		}
	}
	require.Nil(t, d.Pop())
}

// FuzzAgainstSlice runs one operation per input byte on the deque and on a slice.
func FuzzAgainstSlice(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 2, 0, 3, 0, 0, 4, 1, 1, 1})
	f.Fuzz(func(t *testing.T, ops []byte) {
		d, into, items := tiny(), tiny(), make([]item, len(ops)*2)
		var model []*item
		same := func(want, got *item) {
			t.Helper()
			if want != got {
				t.Fatalf("want %v, got %v", want, got)
			}
		}
		for i, op := range ops {
			switch op % 6 {
			case 0, 1: // push one or two
				for j := range int(op%6) + 1 {
					items[2*i+j].seq = 2*i + j
					d.Push(&items[2*i+j])
					model = append(model, &items[2*i+j])
				}
			case 2:
				same(last(model), d.Peek())
				same(last(model), d.Pop())
				model = model[:max(len(model)-1, 0)]
			case 3:
				v, retry := d.Steal()
				if retry {
					t.Fatal("retry without a rival")
				}
				same(oldest(model), v)
				model = model[min(len(model), 1):]
			case 4:
				limit := int(op / 6)
				v, n := d.StealBatch(into, limit)
				if want := min(limit, (len(model)+1)/2); n != want {
					t.Fatalf("batch of %d, want %d", n, want)
				}
				for range n {
					same(oldest(model), v)
					model = model[1:]
					v, _ = into.Steal()
				}
				same(nil, v)
			case 5:
				for range int(op/6) % 8 {
					same(last(model), d.Pop())
					model = model[:max(len(model)-1, 0)]
				}
			}
			if d.Len() != len(model) {
				t.Fatalf("length %d, want %d", d.Len(), len(model))
			}
		}
		live := int64(0)
		for _, c := range d.ring.Load().cells {
			if c != nil {
				live++
			}
		}
		if most := d.bottom.Load() - d.swept; live > most {
			t.Fatalf("%d cells in use outside [swept, bottom) of %d", live, most)
		}
	})
}

func oldest(s []*item) *item {
	if len(s) == 0 {
		return nil
	}
	return s[0]
}

func last(s []*item) *item {
	if len(s) == 0 {
		return nil
	}
	return s[len(s)-1]
}
