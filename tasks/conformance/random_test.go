package conformance

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
)

var programs = flag.Int("programs", 1500, "random programs")

// TestRandomPrograms plays random trees of tasks: what no table of pairs has, such as three tasks that share one byte, waits
// between, and releases in the middle.
func TestRandomPrograms(t *testing.T) {
	single, many := newStage(t, 0), newStage(t, 24)
	n := *programs / rarely(1)
	for seed := range n {
		for k, choose := range policies {
			s := single
			if (seed+k)%7 == 0 {
				s = many
			}
			s.seed = uint64(seed % 3)
			_, err := s.run(randomProgram(uint64(seed)), choose)
			require.NoError(t, err, "program %d, policy %d", seed, k)
		}
		if seed%5 == 0 {
			require.NoError(t, runFreely(t, uint64(seed), randomProgram(uint64(seed))))
		}
	}
}

type generator struct {
	r     *rand.Rand
	left  int
	names int
}

func randomProgram(seed uint64) *task {
	g := &generator{r: rand.New(rand.NewPCG(seed, 11)), left: 4 + int(seed%12)}
	root := T("root")
	for g.left > 0 {
		g.spawn(root, 0)
	}
	return root
}

func (g *generator) one(n int) bool { return g.r.IntN(n) == 0 }

// region draws a region inside r.
func (g *generator) region(r region) region {
	if r.tile {
		i0, j0 := r.i0+g.r.IntN(r.i1-r.i0), r.j0+g.r.IntN(r.j1-r.j0)
		if g.one(3) {
			return r
		}
		return tile(i0, i0+1+g.r.IntN(r.i1-i0), j0, j0+1+g.r.IntN(r.j1-j0))
	}
	if r.hi-r.lo == cells && g.one(3) {
		return g.region(tile(0, side, 0, side))
	}
	if g.one(3) {
		return r
	}
	unit := 1 << g.r.IntN(4) // so that regions are equal now and then
	lo := min(max(r.lo, (r.lo+g.r.IntN(r.hi-r.lo))/unit*unit), r.hi-1)
	return span(lo, min(r.hi, lo+unit*(1+g.r.IntN(2))))
}

// kind draws what a child may do under a.
func (g *generator) kind(a access) access {
	all := []func(region) access{in, out, inout, concurrent, commutative, adds, multiplies}
	switch a.kind {
	case deps.KindOut, deps.KindInOut:
		return all[g.r.IntN(len(all))](a.in)
	}
	return a
}

// spawn adds a child to t. What it declares is covered by one access of t's that t has not released, of a kind that covers
// it, and is disjoint from what else it declares.
func (g *generator) spawn(t *task, depth int) {
	g.left--
	g.names++
	k := &task{name: "t" + string(rune('A'+g.names%26)) + string(rune('a'+g.names/26))}
	above := t.accs
	if depth == 0 {
		above = []access{inout(span(0, cells))}
	}
	var uses mask
	commutes := false
	for range g.r.IntN(4) {
		if len(above) == 0 {
			break
		}
		a := g.kind(above[g.r.IntN(len(above))])
		a.in = g.region(a.in)
		a.weak = g.one(2)
		if a.in.tile && a.kind == deps.KindReduction || uses&a.in.mask() != 0 {
			continue
		}
		uses |= a.in.mask()
		commutes = commutes || a.kind == deps.KindCommutative
		k.accs = append(k.accs, a)
	}
	// A commutative task that waits for children may wait for one that waits for it, unless it has no weak access.
	waits := !commutes
	if g.one(10) {
		k.flags |= final
	}
	if waits && g.one(8) {
		k.flags |= waitKids
	}
	if depth > 0 && mayBlock(t) && g.one(10) {
		k.flags |= undeferred
	}
	t.ops = append(t.ops, op{do: doSpawn, kid: k})
	for depth < 3 && g.left > 0 && g.one(2) {
		g.spawn(k, depth+1)
		if waits && g.one(5) {
			k.ops = append(k.ops, taskwait)
		}
	}
	if len(k.accs) > 0 && g.one(3) {
		i := g.r.IntN(len(k.accs))
		a := k.accs[i]
		if a.kind != deps.KindReduction {
			a.in = g.region(a.in)
		}
		k.ops = append(k.ops, release(a))
	}
	if depth == 0 && g.one(6) {
		a := []func(region) access{in, inout}[g.r.IntN(2)](g.region(span(0, cells)))
		t.ops = append(t.ops, waitOn(a))
	}
}

// mayBlock tells whether t may wait for a child.
func mayBlock(t *task) bool {
	for _, a := range t.accs {
		if a.kind == deps.KindCommutative {
			return false
		}
	}
	return true
}
