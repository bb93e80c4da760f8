package deps

import (
	"flag"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

var seeds = flag.Int("seeds", 0, "random programs per test; 0: 3000, in race builds 300")

func (w *world) release(t *mtask) {
	if len(t.accs) == 0 {
		return
	}
	b := t.accs[w.r.IntN(len(t.accs))]
	if b.part != nil {
		w.releasePart(t, b.part)
		return
	}
	a, cells := Access{ptr: unsafe.Pointer(&w.items[b.item]), size: 8}, []int{b.item}
	for try := 0; w.shapes && try < 20; try++ {
		r, c := w.region()
		inside := true
		for _, i := range c {
			inside = inside && t.find(i) != nil
		}
		if inside {
			a, cells = r, c
			break
		}
	}
	a.kind, a.weak = b.kind, b.weak
	down := (a.kind == KindInOut || a.kind == KindOut) && w.r.IntN(3) == 0
	if down {
		a.kind = KindIn
	}
	want := true
	for _, c := range cells {
		m := t.find(c)
		switch {
		case m.done || m.weak != a.weak || m.kind != t.find(cells[0]).kind:
			want = false
		case a.kind == KindIn && (m.kind == KindInOut || m.kind == KindOut):
		case m.kind != a.kind:
			want = false
		}
	}
	w.logf("release %v%v by %d", a.kind, cells, t.id)
	if ok := t.node.Release(a, false, w.mb); ok != want {
		w.fail("Release(%v) = %v", a, ok)
	}
	if want {
		for _, c := range cells {
			switch m := t.find(c); {
			case m.kind == a.kind:
				t.closeBelow(m)
				m.done, m.freed = true, true
			case m.quiet(): // what children use stays as it is
				m.kind, m.was = KindIn, m.kind
			}
		}
	}
	w.settle()
}

func allOver(t *mtask) bool {
	for _, c := range t.children {
		if !c.over || !allOver(c) {
			return false
		}
	}
	return true
}

func (w *world) step(spawn bool) {
	run := w.running()
	if len(run) > 0 && w.r.IntN(8) == 0 { // combinations have no children, nor anything to release
		w.finish(run[w.r.IntN(len(run))])
		return
	}
	run = slices.DeleteFunc(run, func(t *mtask) bool { return t.combines != nil })
	switch k := w.r.IntN(10); {
	case spawn && k < 5:
		p := w.root
		if len(run) > 0 && w.r.IntN(3) > 0 && !w.fails {
			p = run[w.r.IntN(len(run))]
		}
		w.spawn(p)
		w.settle()
	case k == 5 && len(run) > 0:
		if t := run[w.r.IntN(len(run))]; t.cause == nil {
			w.release(t)
		}
	case k == 6:
		p := w.root
		if len(run) > 0 {
			p = run[w.r.IntN(len(run))]
		}
		w.closeScopes(p)
		if allOver(p) {
			w.logf("taskwait in %d", p.id)
			w.checkFlows(p)
			p.node.Waited(w.mb)
			w.settle()
		}
	case len(run) > 0:
		w.finish(run[w.r.IntN(len(run))])
	}
}

// TestAgainstModel runs random nested programs, releases and taskwaits included, in random orders of completion.
func TestAgainstModel(t *testing.T) { testAgainstModel(t, false, false) }

// TestRegionsAgainstModel is TestAgainstModel with accesses that overlap in every way.
func TestRegionsAgainstModel(t *testing.T) { testAgainstModel(t, true, false) }

// TestFailuresAgainstModel runs random flat programs whose tasks fail now and then.
func TestFailuresAgainstModel(t *testing.T) { testAgainstModel(t, false, true) }

// TestRegionFailuresAgainstModel is TestFailuresAgainstModel with accesses that overlap in every way.
func TestRegionFailuresAgainstModel(t *testing.T) { testAgainstModel(t, true, true) }

func testAgainstModel(t *testing.T, shapes, fails bool) {
	count := *seeds
	if count == 0 {
		count = 3000
		if race.Enabled { // all runs on one goroutine
			count = 300
		}
	}
	for seed := range count {
		clear(orphans)
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		w := newWorld(t, r, []int{1, 2, 5, 12, 40}[r.IntN(5)])
		w.logf("seed %d", seed)
		w.shapes = shapes
		w.wild = r.IntN(4) == 0
		w.fails, w.failed = fails, causes{}
		for range 20 + r.IntN(60) {
			w.step(true)
		}
		w.closeScopes(w.root)
		for len(w.running()) > 0 {
			w.step(false)
		}
		for _, m := range w.tasks {
			if !m.started {
				w.fail("task %d never became ready", m.id)
			}
		}
		w.checkFlows(w.root)
		w.finish(w.root)
		if w.live != 0 {
			var left []int
			for _, m := range w.byNode {
				left = append(left, m.id)
			}
			sort.Ints(left)
			w.fail("%d nodes never came free: %v", w.live, left)
		}
	}
}
