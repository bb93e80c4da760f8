package deque

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// call is one operation of a history: it took effect at one instant between begin and end.
type call struct {
	op         byte // p(ush), P(op), S(teal)
	arg        int  // the element pushed or taken; -1 for none
	begin, end int64
}

func (c call) String() string { return fmt.Sprintf("%c(%d)@%d..%d", c.op, c.arg, c.begin, c.end) }

// apply runs c on a model, oldest element first, and tells whether a sequential deque could have answered so.
func (c call) apply(q string) (string, bool) {
	e := string(rune('a' + c.arg))
	switch {
	case c.op == 'p':
		return q + e, true
	case c.arg < 0:
		return q, q == ""
	case c.op == 'P':
		return strings.TrimSuffix(q, e), strings.HasSuffix(q, e)
	default:
		return strings.TrimPrefix(q, e), strings.HasPrefix(q, e)
	}
}

// linearizable searches for an order of the calls that respects real time and the model (Wing and Gong, with a memory
// of the states known to lead nowhere).
func linearizable(h []call) bool {
	dead := map[string]bool{}
	var search func(done uint64, q string) bool
	search = func(done uint64, q string) bool {
		if done == 1<<len(h)-1 {
			return true
		}
		key := fmt.Sprint(done, q)
		if dead[key] {
			return false
		}
		first := int64(1 << 62) // a call that began after another ended comes after it
		for i, c := range h {
			if done>>i&1 == 0 {
				first = min(first, c.end)
			}
		}
		for i, c := range h {
			if done>>i&1 == 0 && c.begin <= first {
				if q, ok := c.apply(q); ok && search(done|1<<i, q) {
					return true
				}
			}
		}
		dead[key] = true
		return false
	}
	return search(0, "")
}

func TestCheckerKnowsBadHistories(t *testing.T) {
	for _, c := range []struct {
		name string
		h    []call
		want bool
	}{
		{"a steal of the newest", []call{{'p', 0, 1, 2}, {'p', 1, 3, 4}, {'S', 1, 5, 6}}, false},
		{"a pop of the oldest", []call{{'p', 0, 1, 2}, {'p', 1, 3, 4}, {'P', 0, 5, 6}}, false},
		{"an element twice", []call{{'p', 0, 1, 2}, {'P', 0, 3, 6}, {'S', 0, 4, 5}}, false},
		{"empty although it is not", []call{{'p', 0, 1, 2}, {'S', -1, 3, 4}, {'P', 0, 5, 6}}, false},
		{"empty beside a pop", []call{{'p', 0, 1, 2}, {'S', -1, 3, 5}, {'P', 0, 4, 6}}, true},
		{"a steal before a later push", []call{{'p', 0, 1, 2}, {'S', 0, 3, 6}, {'p', 1, 4, 5}}, true},
	} {
		if got := linearizable(c.h); got != c.want {
			t.Errorf("%s: linearizable = %v", c.name, got)
		}
	}
}

// TestHistoriesAreLinearizable runs short programs of one owner and two thieves many times. A steal that answers "retry"
// promises nothing and is left out.
func TestHistoriesAreLinearizable(t *testing.T) {
	rounds := 20_000
	if testing.Short() {
		rounds = 2_000
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	programs := []string{"ppPP", "pPpP", "pppPPP", "ppPpPP", "pPPpp", "pppppPPPPP"}
	for round := range rounds {
		var (
			clock atomic.Int64
			start sync.WaitGroup
			ends  sync.WaitGroup
			hist  [3][]call
		)
		d, items, program := tiny(), make([]item, 8), programs[round%len(programs)]
		for i := range items {
			items[i].seq = i
		}
		seq := func(v *item) int {
			if v == nil {
				return -1
			}
			return v.seq
		}
		start.Add(3)
		ends.Go(func() {
			start.Done()
			start.Wait()
			for next, op := range program {
				c := call{op: byte(op), begin: clock.Add(1)}
				if op == 'p' {
					c.arg = next
					d.Push(&items[next])
				} else {
					c.arg = seq(d.Pop())
				}
				c.end = clock.Add(1)
				hist[0] = append(hist[0], c)
			}
		})
		for thief := 1; thief <= 2; thief++ {
			ends.Go(func() {
				start.Done()
				start.Wait()
				for range 4 {
					c := call{op: 'S', begin: clock.Add(1)}
					v, retry := d.Steal()
					c.arg, c.end = seq(v), clock.Add(1)
					if !retry {
						hist[thief] = append(hist[thief], c)
					}
				}
			})
		}
		ends.Wait()
		if h := append(append(hist[0], hist[1]...), hist[2]...); !linearizable(h) {
			t.Fatalf("round %d: %v", round, h)
		}
	}
}
