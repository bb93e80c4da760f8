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

type macc struct {
	task *mtask
	item int
	Access
	done  bool // given up
	clean bool // accesses before it are forgotten: a taskwait passed
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

func (w *world) spawn(p *mtask) {
	t := &mtask{id: len(w.tasks), parent: p}
	n := w.r.IntN(4)
	if w.r.IntN(20) == 0 {
		n = 20 + w.r.IntN(20)
	}
	t.node = w.node(t, p.node, n)
	used := map[int]*macc{}
	for range n {
		item, kind := w.r.IntN(len(w.items)), Kind(1+w.r.IntN(5))
		if w.wild && kind == KindCommutative {
			kind = KindOut
		}
		if p != w.root && (!w.wild || w.r.IntN(10) > 0) {
			if len(p.accs) == 0 {
				continue
			}
			up := p.accs[w.r.IntN(len(p.accs))]
			item = up.item
			if !w.wild && (up.done || !up.covers(kind)) {
				continue
			}
		}
		a := Access{ptr: unsafe.Pointer(&w.items[item]), size: 8, kind: kind, weak: w.r.IntN(3) == 0}
		t.node.Declare(a, t.final)
		if m := used[item]; m != nil {
			both := m.and(a)
			if !w.wild && p != w.root && both.kind != m.kind {
				for _, up := range p.accs {
					if up.item == item && !up.covers(both.kind) {
						w.fail("the program is not proper")
					}
				}
			}
			m.Access = both
			continue
		}
		m := &macc{task: t, item: item, Access: a}
		used[item] = m
		t.accs = append(t.accs, m)
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
	text := make([]string, len(t.accs))
	for i, a := range t.accs {
		text[i] = fmt.Sprintf("%s%v(%d)", map[bool]string{true: "weak "}[a.weak], a.kind, a.item)
	}
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
		blocked := false // a commutative task may lack a token
		for _, a := range t.accs {
			if a.kind != KindCommutative || a.weak {
				continue
			}
			for _, o := range w.tasks {
				for _, b := range o.accs {
					if o != t && o.started && b.item == a.item && b.kind == KindCommutative && !b.weak && b.holds() {
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
	a := t.accs[w.r.IntN(len(t.accs))]
	w.logf("release %d by %d", a.item, t.id)
	if ok := t.node.Release(a.Access, false, w.mb); ok == a.done {
		w.fail("Release(%v) = %v", a.Access, ok)
	}
	a.done = true
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
func TestAgainstModel(t *testing.T) {
	for seed := range *seeds {
		clear(orphans)
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		w := newWorld(t, r, []int{1, 2, 5, 12, 40}[r.IntN(5)])
		w.logf("seed %d", seed)
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
