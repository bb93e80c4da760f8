package conformance

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
)

// Every program here is: one or two first tasks, a second task, and a last one that reads everything; with all kinds,
// relations of their regions, nestings and releases. What may run together and what must wait follows from the oracle.

// relation is where the second task's region lies with respect to the first ones'.
type relation struct {
	name   string
	first  []region
	second region
	// Parts of the first region: what the second shares, and what it does not; empty if they are not one region.
	shared, other region
}

var relations = []relation{
	{"equal", []region{span(8, 16)}, span(8, 16), region{}, region{}},
	{"inside", []region{span(8, 24)}, span(12, 16), span(12, 16), span(16, 24)},
	{"around", []region{span(12, 16)}, span(8, 24), region{}, region{}},
	{"to the left", []region{span(8, 16)}, span(4, 12), span(8, 12), span(12, 16)},
	{"to the right", []region{span(8, 16)}, span(12, 20), span(12, 16), span(8, 12)},
	{"adjacent", []region{span(8, 16)}, span(16, 24), region{}, span(10, 12)},
	{"apart", []region{span(8, 16)}, span(32, 40), region{}, span(8, 12)},
	{"across two", []region{span(8, 16), span(16, 24)}, span(12, 20), span(12, 16), span(8, 12)},
	{"over a gap", []region{span(8, 12), span(20, 24)}, span(4, 28), region{}, region{}},
	{"tiles equal", []region{tile(1, 4, 2, 5)}, tile(1, 4, 2, 5), tile(1, 4, 2, 3), region{}},
	{"tiles crossing", []region{tile(1, 4, 0, 6)}, tile(0, 6, 2, 4), tile(1, 4, 2, 4), tile(1, 4, 4, 6)},
	{"tiles at a corner", []region{tile(0, 4, 0, 4)}, tile(3, 7, 2, 7), tile(3, 4, 2, 4), tile(0, 3, 0, 4)},
	{"tiles interleaved", []region{tile(0, 8, 0, 4)}, tile(0, 8, 4, 8), region{}, tile(2, 4, 0, 2)},
	{"rows in a tile", []region{tile(1, 5, 2, 6)}, span(16, 32), tile(2, 4, 2, 6), tile(4, 5, 2, 6)},
	{"a tile in rows", []region{span(8, 40)}, tile(2, 4, 1, 3), tile(2, 4, 1, 3), span(32, 40)},
}

// how is what a task does with its region.
type how struct {
	name string
	of   func(region) access
}

var firstKinds = []how{
	{"in", in}, {"out", out}, {"inout", inout}, {"concurrent", concurrent}, {"commutative", commutative}, {"sum", adds},
}

var secondKinds = append(firstKinds[:len(firstKinds):len(firstKinds)], how{"prod", multiplies})

// releases are what the first tasks, or their parents, give up before they end.
var releases = []string{"nothing", "all", "the shared part", "the rest", "both parts", "the right to write", "the right to write the shared part"}

// given returns the ops of a release of a; ok is false if the release has no meaning for it.
func given(what string, a access, r relation) (ops []op, ok bool) {
	part := func(q region, down bool) bool {
		if q == (region{}) || q.mask()&^a.in.mask() != 0 || a.kind == deps.KindReduction {
			return false
		}
		b := a
		b.in = q
		if down {
			if b.kind != deps.KindInOut && b.kind != deps.KindOut {
				return false
			}
			b.kind = deps.KindIn
		}
		ops = append(ops, release(b))
		return true
	}
	switch what {
	case "all":
		return []op{release(a)}, true
	case "the shared part":
		return ops, part(r.shared, false)
	case "the rest":
		return ops, part(r.other, false)
	case "both parts":
		return ops, part(r.shared, false) && part(r.other, false)
	case "the right to write":
		if a.kind == deps.KindReduction {
			return nil, false
		}
		return ops, part(a.in, true)
	case "the right to write the shared part":
		return ops, part(r.shared, true)
	}
	return nil, true
}

// pair is one program of the enumeration.
type pair struct {
	first, second how
	relation      relation
	from, to      place
	release       string
	root          func() *task // nil: no such program
}

func (p *pair) String() string {
	return fmt.Sprintf("%s, then %s, %s; first is %s and releases %s; second is %s",
		p.first.name, p.second.name, p.relation.name, p.from.name, p.release, p.to.name)
}

// program builds the tasks of a pair, nil if they do not fit together.
func (p *pair) program() *task {
	root := T("root")
	tiled := p.second.of(p.relation.second)
	if tiled.kind == deps.KindReduction && tiled.in.tile {
		return nil
	}
	for i, r := range p.relation.first {
		a := p.first.of(r)
		if a.kind == deps.KindReduction && r.tile {
			return nil
		}
		ops, ok := given(p.release, a, p.relation)
		if !ok && i == 0 {
			return nil
		}
		if !ok {
			ops = nil
		}
		above := ops
		if p.from.name != waitedPlace && slices.ContainsFunc(ops, downgrades) && a.kind != deps.KindIn {
			above = nil // whether children use it at that moment would be a matter of time
		}
		t := p.from.put(fmt.Sprintf("first %d", i), a, ops, above)
		if t == nil {
			return nil
		}
		root.ops = append(root.ops, op{do: doSpawn, kid: t})
	}
	t := p.to.put("second", tiled, nil, nil)
	if t == nil {
		return nil
	}
	root.ops = append(root.ops, op{do: doSpawn, kid: t}, op{do: doSpawn, kid: T("last", in(span(0, cells)))})
	if p.from.strays() || p.to.strays() {
		root.flags |= stray
	}
	return root
}

const (
	strayPlace  = "a child of a task that did not declare it"
	partPlace   = "a child of a weak task that declared a part of it"
	waitedPlace = "waited for by its parent"
)

func (p place) strays() bool { return p.name == strayPlace || p.name == partPlace }

// halves returns a on two parts of its region.
func (a access) halves() (left, right access) {
	left, right = a, a
	if a.in.tile {
		left.in.i1 = (a.in.i0 + a.in.i1 + 1) / 2
		right.in.i0 = left.in.i1
	} else {
		left.in.hi = (a.in.lo + a.in.hi) / 2
		right.in.lo = left.in.hi
	}
	return left, right
}

func downgrades(o op) bool { return o.do == doRelease && o.accs[0].kind == deps.KindIn }

// eachPair calls f for every program that makes sense.
func eachPair(f func(*pair)) {
	for _, first := range firstKinds {
		for _, second := range secondKinds {
			for _, r := range relations {
				for _, from := range places {
					for _, to := range places {
						for _, rel := range releases {
							p := &pair{first: first, second: second, relation: r, from: from, to: to, release: rel}
							f(p)
						}
					}
				}
			}
		}
	}
}

var all = flag.Bool("all", false, "play every pair instead of a sample")

// sample returns every n-th pair. n should be prime to the numbers of choices, so that all of them occur.
func sample(t *testing.T, n int, play func(p *pair, i int) error) {
	if *all {
		n = 1
	}
	i, played, failed := 0, 0, 0
	eachPair(func(p *pair) {
		if i++; i%n != 0 || failed >= 5 || p.program() == nil {
			return
		}
		played++
		if err := play(p, i); err != nil {
			failed++
			t.Errorf("%v (pair %d): %v", p, i, err)
		}
	})
	t.Logf("%d pairs", played)
}

// rarely returns the step of a sample: short runs and race builds, in which all takes ten times as long, take fewer.
func rarely(n int) int {
	if race.Enabled {
		return 13 * n
	}
	if testing.Short() {
		return 7 * n
	}
	return n
}

// TestPairs plays pairs on one slot whose order the stage decides.
func TestPairs(t *testing.T) {
	s := newStage(t, 0)
	sample(t, rarely(61), func(p *pair, i int) error {
		s.seed = uint64(i % 3)
		for _, choose := range policies {
			if _, err := s.run(p.program(), choose); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestPairsAtTheSameTime plays pairs on so many slots that every body may have one.
func TestPairsAtTheSameTime(t *testing.T) {
	s := newStage(t, 16)
	sample(t, rarely(151), func(p *pair, i int) error {
		_, err := s.run(p.program(), policies[i%len(policies)])
		return err
	})
}

// TestPairsOnTwoSlots: the bodies at their gates keep no slot, and there are two for those that go on.
func TestPairsOnTwoSlots(t *testing.T) {
	s := newStage(t, 2)
	s.suspends = true
	sample(t, rarely(157), func(p *pair, i int) error {
		_, err := s.run(p.program(), policies[i%len(policies)])
		return err
	})
}

// TestPairsAnyOrder runs pairs freely, one body at a time as seeds of package taskstest decide.
func TestPairsAnyOrder(t *testing.T) {
	sample(t, rarely(311), func(p *pair, i int) error { return runFreely(t, uint64(i), p.program()) })
}
