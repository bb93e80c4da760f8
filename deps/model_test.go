package deps

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"
	"unsafe"
)

var seeds = flag.Int("seeds", 3000, "random programs per test")

// The model orders tasks by looking at everything again at every question. It keeps the whole history: no grants, no
// bits, no recycling. The engine must agree with it after each event.

type mtask struct {
	id       int
	parent   *mtask
	accs     []*macc
	children []*mtask
	node     *Node
	started  bool
	over     bool // body
	final    bool
}

// macc is an access to one item. In programs with regions an item is one cell of memory, and a declaration has one macc
// for each of its cells.
type macc struct {
	task *mtask
	item int
	Access
	done bool // given up
}

func class(a Access) int {
	switch a.kind {
	case KindIn:
		return 1
	case KindConcurrent:
		return 2
	case KindCommutative:
		return 3
	}
	return 0
}

// chain returns the accesses to the item among p's children, in order.
func (p *mtask) chain(item int) []*macc {
	var c []*macc
	for _, t := range p.children {
		for _, a := range t.accs {
			if a.item == item {
				c = append(c, a)
			}
		}
	}
	return c
}

// passes tells whether an access of class cls ordered after a may go ahead of a.
func (a *macc) passes(cls int) bool {
	if cls != 0 && class(a.Access) == cls {
		return true
	}
	if !a.done {
		return false
	}
	for _, c := range a.inner() {
		if !c.passes(cls) {
			return false
		}
	}
	return true
}

// inner returns the accesses of the task's children that stand in a's place.
func (a *macc) inner() []*macc {
	var in []*macc
	for _, c := range a.task.chain(a.item) {
		if c.up() == a {
			in = append(in, c)
		}
	}
	return in
}

// up returns the parent's access under which a stands. Children born after the parent gave the item up have none.
func (a *macc) up() *macc {
	if a.orphan() {
		return nil
	}
	for _, p := range a.task.parent.accs {
		if p.item == a.item {
			return p
		}
	}
	return nil
}

func (a *macc) orphan() bool { return orphans[a] }

var orphans = map[*macc]bool{}

// satisfied tells whether everything ordered before a lets its class through.
func (a *macc) satisfied() bool { return a.before(class(a.Access)) }

func (a *macc) before(cls int) bool {
	up := a.up()
	for _, b := range a.task.parent.chain(a.item) {
		if b == a {
			break
		}
		if b.up() == up && !b.passes(cls) {
			return false
		}
	}
	if up == nil || up.private() {
		return true
	}
	return up.before(cls)
}

func (t *mtask) ready() bool {
	for _, a := range t.accs {
		if !a.weak && !a.satisfied() {
			return false
		}
	}
	return true
}

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
	shapes bool // accesses are to regions
	wild   bool // children may use what their parents did not declare; then there are no commutatives, because
	// tokens know an item in every domain and could wait for tasks that no order puts before them
}

// covers tells whether a child may use the item in the given way.
func (a *macc) covers(k Kind) bool {
	switch a.kind {
	case KindIn, KindConcurrent:
		return k == a.kind
	case KindCommutative:
		return k == a.kind || a.private()
	}
	return true
}

func (a *macc) private() bool {
	for _, b := range a.task.accs {
		if b.weak {
			return false
		}
	}
	return a.kind == KindCommutative
}

func newWorld(t *testing.T, r *rand.Rand, items int) *world {
	w := &world{t: t, r: r, mb: NewMailbox(new(Tokens), Hooks{}), items: make([]int64, items), byNode: map[*Node]*mtask{}}
	w.root = &mtask{started: true}
	w.root.node = w.node(w.root, nil, 0)
	w.root.node.Register(w.mb)
	w.tasks = append(w.tasks, w.root)
	return w
}

func (w *world) node(t *mtask, parent *Node, n int) *Node {
	var nd *Node
	if k := len(w.pool); k > 0 {
		nd, w.pool = w.pool[k-1], w.pool[:k-1]
	} else {
		nd = new(Node)
	}
	w.live++
	nd.Init(parent, n)
	w.byNode[nd] = t
	return nd
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

// find returns the task's access to a cell, nil if it has none.
func (t *mtask) find(item int) *macc {
	for _, a := range t.accs {
		if a.item == item {
			return a
		}
	}
	return nil
}

// proper tells whether a task may use the cells in the given way under its parent p.
func (w *world) proper(p *mtask, cells []int, kind Kind) bool {
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
		kind := Kind(1 + w.r.IntN(5))
		if w.wild && kind == KindCommutative {
			kind = KindOut
		}
		a, cells := w.region()
		for try := 0; try < 30 && !w.proper(p, cells, kind); try++ {
			a, cells = w.region()
		}
		a.kind, a.weak = kind, w.r.IntN(3) == 0
		ok := w.proper(p, cells, kind)
		for _, c := range cells { // what the task declared before makes it stronger
			if m := t.find(c); m != nil && ok && !w.wild {
				ok = w.proper(p, []int{c}, func() Kind { k, _ := m.and(a, a.weak); return k }())
			}
		}
		if !ok {
			continue
		}
		text = append(text, fmt.Sprintf("%s%v%v", map[bool]string{true: "weak "}[a.weak], kind, cells))
		t.node.Declare(&a, t.final)
		for _, c := range cells {
			if m := t.find(c); m != nil {
				m.kind, m.weak = m.and(a, a.weak)
			} else {
				t.accs = append(t.accs, &macc{task: t, item: c, Access: a})
			}
		}
	}
	p.children = append(p.children, t)
	for _, a := range t.accs {
		for _, up := range p.accs {
			if up.item == a.item && up.done {
				orphans[a] = true
			}
		}
	}
	w.tasks = append(w.tasks, t)
	w.logf("spawn %d under %d: %s", t.id, p.id, strings.Join(text, " "))
	if t.node.Register(w.mb) {
		w.start(t)
	}
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
	w.logf("  ready %d", t.id)
}

// holds tells whether a started commutative still needs its token.
func (a *macc) holds() bool { return !a.done || a.private() && !a.surrendered() }

func (t *mtask) holds() bool {
	for _, a := range t.accs {
		if a.kind == KindCommutative && !a.weak && a.holds() {
			return true
		}
	}
	return false
}

func (a *macc) surrendered() bool {
	if !a.done {
		return false
	}
	for _, c := range a.inner() {
		if !c.surrendered() {
			return false
		}
	}
	return true
}

func (a *macc) scope() *macc {
	for u := a.up(); u != nil; u = u.up() {
		if u.private() {
			return u
		}
		if u.task.parent == nil {
			break
		}
	}
	return nil
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
	w.logf("finish %d", t.id)
	t.over = true
	for _, a := range t.accs {
		a.done = true
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
			if len(m.inner()) > 0 {
				return // when children hold the downgrade back is not modelled
			}
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
			if m := t.find(c); m.kind != a.kind {
				m.kind = KindIn
			} else {
				m.done = true
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
	switch k := w.r.IntN(10); {
	case spawn && k < 5:
		p := w.root
		if len(run) > 0 && w.r.IntN(3) > 0 {
			p = run[w.r.IntN(len(run))]
		}
		w.spawn(p)
		w.settle()
	case k == 5 && len(run) > 0:
		w.release(run[w.r.IntN(len(run))])
	case k == 6:
		p := w.root
		if len(run) > 0 {
			p = run[w.r.IntN(len(run))]
		}
		if allOver(p) {
			w.logf("taskwait in %d", p.id)
			p.node.Waited(w.mb)
			w.settle()
		}
	case len(run) > 0:
		w.finish(run[w.r.IntN(len(run))])
	}
}

// TestAgainstModel runs random nested programs, releases and taskwaits included, in random orders of completion.
func TestAgainstModel(t *testing.T) { testAgainstModel(t, false) }

// TestRegionsAgainstModel is TestAgainstModel with accesses that overlap in every way.
func TestRegionsAgainstModel(t *testing.T) { testAgainstModel(t, true) }

func testAgainstModel(t *testing.T, shapes bool) {
	for seed := range *seeds {
		clear(orphans)
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		w := newWorld(t, r, []int{1, 2, 5, 12, 40}[r.IntN(5)])
		w.logf("seed %d", seed)
		w.shapes = shapes
		w.wild = r.IntN(4) == 0
		for range 20 + r.IntN(60) {
			w.step(true)
		}
		for len(w.running()) > 0 {
			w.step(false)
		}
		for _, m := range w.tasks {
			if !m.started {
				w.fail("task %d never became ready", m.id)
			}
		}
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
