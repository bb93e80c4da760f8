package interval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

type value struct{ lo, hi uintptr }

// model is the map as a slice, searched from end to end.
type model []*value

func (m model) overlap(lo, hi uintptr) *value {
	var lowest *value
	for _, v := range m {
		if max(v.lo, lo) < min(v.hi, hi) && (lowest == nil || v.lo < lowest.lo) {
			lowest = v
		}
	}
	return lowest
}

func (m model) startsAt(lo uintptr) int {
	return slices.IndexFunc(m, func(v *value) bool { return v.lo == lo })
}

// pair is a map and its model, which get the same operations and must give the same answers.
type pair struct {
	t     testing.TB
	m     Map[value]
	model model
}

func (p *pair) insert(lo, hi uintptr) {
	if lo >= hi || p.model.overlap(lo, hi) != nil {
		return // not allowed
	}
	v := &value{lo, hi}
	p.m.Insert(lo, hi, v)
	p.model = append(p.model, v)
}

func (p *pair) delete(lo uintptr) {
	i := p.model.startsAt(lo)
	if got := p.m.Delete(lo); got != (i >= 0) {
		p.t.Fatalf("Delete(%d) = %v", lo, got)
	}
	if i >= 0 {
		p.model = slices.Delete(p.model, i, i+1)
	}
}

func (p *pair) overlap(lo, hi uintptr) {
	want := p.model.overlap(lo, hi)
	got, lo2, hi2, ok := p.m.Overlap(lo, hi)
	if got != want || ok != (want != nil) || ok && *want != (value{lo2, hi2}) {
		p.t.Fatalf("Overlap(%d, %d) = %v [%d, %d) %v, want %v", lo, hi, got, lo2, hi2, ok, want)
	}
}

func (p *pair) walk(from uintptr) {
	slices.SortFunc(p.model, func(a, b *value) int { return int(a.lo) - int(b.lo) })
	it := p.m.From(from)
	for _, want := range p.model {
		if want.hi <= from {
			continue
		}
		if got, lo, hi, ok := it.Next(); got != want || !ok || *want != (value{lo, hi}) {
			p.t.Fatalf("From(%d): %v [%d, %d) %v, want %v", from, got, lo, hi, ok, want)
		}
	}
	if got, _, _, ok := it.Next(); ok || got != nil {
		p.t.Fatalf("From(%d): %v after the end", from, got)
	}
}

func (p *pair) clear() {
	p.m.Clear()
	p.model = p.model[:0]
}

// check holds the tree to the invariants in node.go.
func (p *pair) check() {
	m := &p.m
	require.Equal(p.t, len(p.model), m.Len())
	if m.root == nil {
		require.Empty(p.t, p.model)
		require.Nil(p.t, m.last)
		return
	}
	if m.height > 0 {
		require.Greater(p.t, m.root.n, 1, "the tree is higher than it must be")
	}
	levels := make([][]*node[value], m.height+1)
	leaves := 0
	must := func(ok bool, rule string) {
		if !ok {
			p.t.Fatal("broken: " + rule)
		}
	}
	var visit func(n *node[value], level int, from, to uintptr)
	visit = func(n *node[value], level int, from, to uintptr) {
		levels[level] = append(levels[level], n)
		must(n.n > 0, "no node is empty")
		for i, e := range n.e {
			if i >= n.n {
				must(e == entry{}, "unused entries are zero")
				continue
			}
			next := to
			if i+1 < n.n {
				next = n.e[i+1].lo
			}
			must(from <= e.lo && e.lo < next, "the parent's bounds hold, and los ascend")
			if level > 0 {
				visit(n.kid(i), level-1, e.lo, next)
			} else {
				leaves++
			}
		}
	}
	visit(m.root, m.height, 0, math.MaxUint)
	require.Equal(p.t, m.Len(), leaves)
	for _, nodes := range levels {
		for i, n := range nodes {
			var left, right *node[value]
			if i > 0 {
				left = nodes[i-1]
			}
			if i+1 < len(nodes) {
				right = nodes[i+1]
			}
			must(n.prev == left && n.next == right, "each level is linked")
		}
	}
	require.Same(p.t, levels[0][len(levels[0])-1], m.last)
}

func TestOverlapAtTheEdges(t *testing.T) {
	p := &pair{t: t}
	p.overlap(0, 100)
	p.insert(10, 20)
	p.insert(20, 21)
	p.insert(30, 40)
	for lo := uintptr(5); lo < 45; lo++ {
		for hi := lo; hi < 45; hi++ {
			p.overlap(lo, hi)
		}
		p.walk(lo)
	}
	p.overlap(0, math.MaxUint)
	require.Panics(t, func() { p.m.Insert(50, 50, nil) })
}

// TestAnOldBoundHidesNothing is the case for which a walk looks at the leaf before: the interval that gave a leaf its
// lower bound is gone, and the leaf before has one that reaches beyond that bound.
func TestAnOldBoundHidesNothing(t *testing.T) {
	p := &pair{t: t}
	for i := range uintptr(2 * fan) {
		p.insert(10*i, 10*i+10)
	}
	bound := p.m.root.e[1].lo
	p.delete(bound)
	p.delete(bound - 10)
	p.insert(bound-5, bound+5)
	p.overlap(bound+2, bound+3)
	p.delete(bound - 5)
	p.check()
}

// TestGrowsAndShrinks takes a tree of three levels up and down again.
func TestGrowsAndShrinks(t *testing.T) {
	p := &pair{t: t}
	const n = 3 * fan * fan
	for i := range uintptr(n) {
		p.m.Insert(10*i, 10*i+10, nil)
	}
	require.Equal(t, 2, p.m.height)
	leaves := 0
	for leaf := p.m.last; leaf != nil; leaf = leaf.prev {
		leaves++
	}
	require.Equal(t, n/fan, leaves, "ascending insertions leave full nodes")
	p.model = make(model, n) // check needs no more than its length
	for i := range uintptr(n) {
		require.True(t, p.m.Delete(10*i))
		p.model = p.model[1:]
		if i%fan == fan-1 || i > n-2*fan {
			p.check()
		}
	}
}

func TestRandomOperations(t *testing.T) {
	for _, c := range []struct {
		name  string
		space uint64  // addresses
		long  uintptr // bytes at most
		grow  int     // of ten operations, how many insert at first; the rest deletes
	}{{"small", 60, 8, 6}, {"dense", 4000, 3, 8}, {"sparse", 1 << 31, 1 << 12, 8}, {"shrinking", 4000, 3, 5}} {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s/seed=%d", c.name, seed), func(t *testing.T) {
				p, r := &pair{t: t}, rand.New(rand.NewPCG(seed, 0))
				address := func() uintptr { return uintptr(r.Uint64N(c.space)) }
				length := func() uintptr { return 1 + uintptr(r.Uint64N(uint64(c.long))) }
				for i := range 6000 {
					grow := c.grow
					if i > 3000 {
						grow = 10 - grow
					}
					lo := address()
					if r.IntN(10) < grow {
						p.insert(lo, lo+length())
					} else if len(p.model) > 0 && r.IntN(4) > 0 {
						p.delete(p.model[r.IntN(len(p.model))].lo)
					} else {
						p.delete(lo)
					}
					p.overlap(lo, lo+length())
					if i%200 == 0 {
						p.check()
						p.walk(address())
					}
				}
				p.clear()
				p.check()
				p.insert(1, 2)
				p.check()
			})
		}
	}
}

func TestMemoryIsUsedAgain(t *testing.T) {
	var m Map[value]
	v := new(value)
	fill := func() {
		for i := range uintptr(10_000) {
			m.Insert(i*7919%10_000*16, i*7919%10_000*16+16, v)
		}
	}
	fill()
	require.Zero(t, testing.AllocsPerRun(5, func() { m.Clear(); fill() }), "after Clear")
	require.Zero(t, testing.AllocsPerRun(5, func() {
		for i := range uintptr(10_000) {
			m.Delete(i * 16)
		}
		require.Nil(t, m.root)
		fill()
	}), "after Delete")
	m.Clear()
	for n := m.free; n != nil; n = n.next {
		require.Equal(t, node[value]{next: n.next}, *n, "a freed node keeps something alive")
	}
}

// FuzzAgainstModel reads three bytes for each operation. Runs of insertions and deletions make trees of several levels.
func FuzzAgainstModel(f *testing.F) {
	f.Add([]byte{0, 10, 5, 1, 12, 4, 2, 10, 0})
	f.Add([]byte{3, 0, 200, 4, 0, 90, 5, 100, 100, 1, 3, 3, 4, 80, 200})
	f.Fuzz(func(t *testing.T, ops []byte) {
		p := &pair{t: t}
		for ; len(ops) >= 3 && len(p.model) < 3000; ops = ops[3:] {
			a, b := uintptr(ops[1]), uintptr(ops[2])
			switch ops[0] % 7 {
			case 0:
				p.insert(8*a, 8*a+b)
			case 1:
				p.overlap(8*a, 8*a+b)
			case 2:
				p.delete(8 * a)
			case 3: // ascending
				for i := range b {
					p.insert(8*a+3*i, 8*a+3*i+3)
				}
			case 4: // a run away
				for i := range b {
					p.delete(8*a + 3*i)
				}
			case 5: // descending
				for i := range b {
					p.insert(8*(a+b-i), 8*(a+b-i)+5)
				}
			case 6:
				if b == 0 {
					p.clear()
				}
				p.walk(8*a + b)
			}
		}
		p.check()
		p.walk(0)
	})
}
