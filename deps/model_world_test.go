package deps

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
	"unsafe"
)

var seeds = flag.Int("seeds", 3000, "random programs per test")

// world drives the engine and the model with the same program.
type world struct {
	t      *testing.T
	r      *rand.Rand
	mb     *Mailbox
	items  []int64
	tasks  []*mtask
	root   *mtask
	byNode map[*Node]*mtask
	pool   []*Node
	live   int
	log    []string
	shapes bool    // accesses are to regions
	taking *mpart  // who asks for a private copy
	failed causes  // since the last taskwait
	fails  bool    // tasks fail, and all are the root's children
	made   []*Node // combinations that the engine asked for in this step
	wild   bool    // children may use what their parents did not declare; then there are no commutatives, because
	// tokens know an item in every domain and could wait for tasks that no order puts before them
}

func newWorld(t *testing.T, r *rand.Rand, items int) *world {
	w := &world{t: t, r: r, items: make([]int64, items), byNode: map[*Node]*mtask{}}
	worldNow = w
	w.mb = NewMailbox(new(Tokens), Hooks{Combiner: w.combiner})
	w.root = &mtask{started: true}
	w.root.node = w.node(w.root, nil, 0)
	w.root.node.Register(w.mb)
	w.tasks = append(w.tasks, w.root)
	return w
}

func (w *world) node(t *mtask, parent *Node, n int) *Node {
	nd := w.fresh()
	nd.Init(parent, n)
	w.byNode[nd] = t
	return nd
}

func (w *world) fresh() *Node {
	w.live++
	if k := len(w.pool); k > 0 {
		nd := w.pool[k-1]
		w.pool = w.pool[:k-1]
		return nd
	}
	return new(Node)
}

func (w *world) collect() {
	for n := w.mb.TakeFree(); n != nil; {
		next := n.Link
		w.live--
		delete(w.byNode, n)
		w.pool = append(w.pool, n)
		n = next
	}
}

func (w *world) logf(format string, args ...any) { w.log = append(w.log, fmt.Sprintf(format, args...)) }

func (w *world) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("%s\n%s", strings.Join(w.log, "\n"), fmt.Sprintf(format, args...))
}

// region returns a random region and its cells.
func (w *world) region() (a Access, cells []int) {
	n := len(w.items)
	if !w.shapes {
		i := w.r.IntN(n)
		return Access{ptr: unsafe.Pointer(&w.items[i]), size: 8}, []int{i}
	}
	ld := 1 + w.r.IntN(n)
	rows := n / ld
	if w.r.IntN(3) == 0 && rows > 1 {
		i0, j0 := w.r.IntN(rows), w.r.IntN(ld)
		i1, j1 := i0+1+w.r.IntN(rows-i0), j0+1+w.r.IntN(ld-j0)
		for i := i0; i < i1; i++ {
			for j := j0; j < j1; j++ {
				cells = append(cells, i*ld+j)
			}
		}
		return InTile(w.items, ld, i0, i1, j0, j1), cells
	}
	// Ends at multiples of a power of two, most often, so that regions are equal or nested now and then.
	unit := 1 << w.r.IntN(4)
	lo := w.r.IntN(n) / unit * unit
	hi := min(n, lo+unit*(1+w.r.IntN(2)))
	for i := lo; i < hi; i++ {
		cells = append(cells, i)
	}
	return InSlice(w.items[lo:hi]), cells
}

// proper tells whether a task may use the cells in the given way under its parent p. Whoever reduces something has no
// children that use it otherwise, in wild programs either.
func (w *world) proper(p *mtask, cells []int, a Access, kind Kind) bool {
	part := p.contribution(cells[0])
	if part != nil {
		return kind == KindReduction && part.ext == a.ext && part.coversAll(cells)
	}
	for _, c := range cells {
		if p.contribution(c) != nil {
			return false
		}
	}
	if p == w.root || w.wild && w.r.IntN(10) == 0 {
		return true
	}
	for _, c := range cells {
		up := p.find(c)
		if up == nil || !w.wild && (up.done || !up.covers(kind)) {
			return false
		}
	}
	return true
}

func (w *world) spawn(p *mtask) {
	t := &mtask{id: len(w.tasks), parent: p}
	n := w.r.IntN(4)
	if w.r.IntN(20) == 0 {
		n = 20 + w.r.IntN(20)
	}
	t.node = w.node(t, p.node, n)
	var text []string
	for range n {
		kind := Kind(1 + w.r.IntN(6))
		if w.wild && kind == KindCommutative {
			kind = KindOut
		}
		a, cells := w.regionFor(p, kind)
		for try := 0; try < 30 && !w.proper(p, cells, a, kind); try++ {
			a, cells = w.regionFor(p, kind)
		}
		a.kind, a.weak = kind, w.r.IntN(3) == 0
		ok := w.proper(p, cells, a, kind)
		for _, c := range cells { // what the task declared before makes it stronger
			m := t.find(c)
			switch {
			case m == nil:
			case m.part != nil || kind == KindReduction: // may be repeated, and no more
				ok = ok && m.part != nil && m.ptr == a.ptr && m.size == a.size && m.ext == a.ext && a.kind == kind
			case ok && !w.wild:
				ok = w.proper(p, []int{c}, a, func() Kind { k, _ := m.and(a, a.weak); return k }())
			}
		}
		if !ok {
			continue
		}
		text = append(text, fmt.Sprintf("%s%v%v%v", map[bool]string{true: "weak "}[a.weak], kind, cells, a.Reduction()))
		t.node.Declare(&a, t.final)
		var part *mpart
		if kind == KindReduction {
			part = &mpart{task: t, Access: a, cells: cells}
		}
		for _, c := range cells {
			if m := t.find(c); m != nil {
				m.kind, m.weak = m.and(a, a.weak)
				if m.part != nil {
					m.part.weak = m.weak
				}
			} else {
				t.accs = append(t.accs, &macc{task: t, item: c, Access: a, part: part})
			}
		}
	}
	w.adopt(p, t)
	w.logf("spawn %d under %d: %s", t.id, p.id, strings.Join(text, " "))
	ready := t.node.Register(w.mb)
	w.reduce(p, t)
	if ready {
		w.start(t)
	}
}

// adopt makes t the youngest child of p.
func (w *world) adopt(p, t *mtask) {
	p.children = append(p.children, t)
	for _, a := range t.accs {
		for _, up := range p.accs {
			if up.item == a.item && up.done {
				orphans[a] = true
			}
		}
	}
	w.tasks = append(w.tasks, t)
}

func (w *world) start(t *mtask) {
	if t.started {
		w.fail("task %d became ready twice", t.id)
	}
	if !t.ready() {
		w.fail("task %d became ready too early", t.id)
	}
	for _, a := range t.accs {
		if a.kind != KindCommutative || a.weak {
			continue
		}
		for _, o := range w.tasks {
			for _, b := range o.accs {
				if o != t && o.started && b.item == a.item && b.kind == KindCommutative && !b.weak && b.scope() == a.scope() && b.holds() && !orphans[a] && !orphans[b] {
					w.fail("tasks %d and %d both hold %d", o.id, t.id, a.item)
				}
			}
		}
	}
	t.started = true
	t.cause = t.node.Cause()
	if t.cause == nil {
		w.logf("  ready %d", t.id)
	} else {
		w.logf("  ready %d, to be skipped: %v", t.id, t.cause)
	}
	w.useCopies(t)
}

// settle takes what the last event made ready and compares with the model.
func (w *world) settle() {
	w.t.Helper()
	for n := w.mb.TakeReady(); n != nil; {
		next := n.Link
		w.start(w.byNode[n])
		n = next
	}
	w.collect()
	for _, t := range w.tasks {
		if t.started || !t.ready() {
			continue
		}
		blocked := false // a commutative task may lack a token, which is for all of an item
		for _, a := range t.accs {
			if a.kind != KindCommutative || a.weak {
				continue
			}
			for _, o := range w.tasks {
				for _, b := range o.accs {
					if o != t && o.started && b.item == a.item && b.kind == KindCommutative && !b.weak && o.holds() {
						blocked = true
					}
				}
			}
		}
		if !blocked {
			w.fail("task %d should be ready", t.id)
		}
	}
}

func (w *world) running() []*mtask {
	var r []*mtask
	for _, t := range w.tasks[1:] {
		if t.started && !t.over {
			r = append(r, t)
		}
	}
	return r
}

func (w *world) finish(t *mtask) {
	w.fate(t)
	w.logf("finish %d: %v", t.id, t.cause)
	t.over = true
	for _, a := range t.accs {
		a.done = true
		if a.part != nil {
			a.part.done = true
		}
	}
	for _, k := range t.scopes {
		k.closed = true
	}
	t.node.Finish(w.mb)
	t.node.Drop(w.mb)
	w.settle()
}

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
	for seed := range *seeds {
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
