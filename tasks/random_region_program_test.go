package tasks_test

import (
	"math/rand/v2"

	"github.com/gompss/gompss/deps"
)

// Random proper programs over regions: the accesses of a task are intervals and tiles of an arena of cells, which overlap
// each other as they like; those of its children lie inside. What is proper is said in random_program_test.go. For
// reductions, too:
//
//   - Below a reduction there is nothing but contributions to it, each inside one access of the parent.
//   - Where the order of contributions counts, a body makes its own before it spawns children that contribute.
//   - Below a commutative access contributions are sums.

// regionAccess is an access to rows × cols cells, whose rows begin ld cells apart.
type regionAccess struct {
	base, ld, rows, cols int
	kind                 deps.Kind
	weak                 bool
	op                   reduceOp
}

type reduceOp uint8

const (
	reduceSum reduceOp = iota
	reduceMax
	reduceAffine // ordered: not commutative
	reduceOps
)

// touchReduce is a touch of a private copy.
const touchReduce = touchAtomic + 1

func (a regionAccess) cells() []int {
	var c []int
	for i := range a.rows {
		for j := range a.cols {
			c = append(c, a.base+i*a.ld+j)
		}
	}
	return c
}

type regionOp struct {
	do   opKind // opBegin: a whole touch
	how  int
	acc  regionAccess
	accs []regionAccess // of opWaitOn
	mode touch
	kid  *regionTask
}

type regionTask struct {
	id         int
	accs       []regionAccess // as declared
	final      bool
	undeferred bool
	waitKids   bool
	ops        []regionOp
}

type regionProgram struct {
	seed  uint64
	root  *regionTask
	tasks int
	cells int
}

// regionCell is what a body may do with a cell.
type regionCell struct {
	kind    deps.Kind
	op      reduceOp
	decl    int // which declaration a reduction is
	weak    bool
	given   bool // declared
	comm    bool // stands below a commutative access or is one
	private bool // a commutative whose children may do anything
	busy    bool // a child may be using it
	gone    bool // released, or nobody can say how it stands
	kids    bool // children contribute to the reduction
}

type regionGenerator struct {
	r     *rand.Rand
	p     *regionProgram
	left  int
	depth int
}

func newRegionProgram(seed uint64) *regionProgram {
	r := rand.New(rand.NewPCG(seed, 0x2545f4914f6cdd1d))
	g := &regionGenerator{r: r, p: &regionProgram{seed: seed, root: &regionTask{}, tasks: 1}, left: 4 + r.IntN(45), depth: 1 + r.IntN(4)}
	g.p.cells = []int{3, 8, 16, 40, 64}[r.IntN(5)]
	cells := make([]*regionCell, g.p.cells)
	for i := range cells {
		cells[i] = &regionCell{kind: deps.KindInOut}
	}
	for round := 0; g.left > 0 && round < 40; round++ {
		g.body(g.p.root, cells, 0, false, true)
	}
	return g.p
}

func (g *regionGenerator) one(n int) bool { return g.r.IntN(n) == 0 }

// between returns a random interval inside [0, n), whose ends often are multiples of a power of two.
func (g *regionGenerator) between(n int) (lo, hi int) {
	unit := 1 << g.r.IntN(4)
	lo = g.r.IntN(n) / unit * unit
	return lo, min(n, lo+unit*(1+g.r.IntN(3)))
}

// inside returns a random region inside a.
func (g *regionGenerator) inside(a regionAccess) regionAccess {
	switch {
	case g.one(4):
	case a.rows > 1:
		i0, i1 := g.between(a.rows)
		j0, j1 := g.between(a.cols)
		a.base, a.rows, a.cols = a.base+i0*a.ld+j0, i1-i0, j1-j0
	case g.one(3) && a.cols > 3:
		n := a.cols
		a.ld = 2 + g.r.IntN(n/2)
		a.cols = 1 + g.r.IntN(a.ld)
		a.rows = 1 + g.r.IntN((n-a.cols)/a.ld+1)
	default:
		lo, hi := g.between(a.cols)
		a.base, a.cols = a.base+lo, hi-lo
	}
	return a
}

// region returns a random region, most often inside one that t declared.
func (g *regionGenerator) region(t *regionTask) regionAccess {
	if len(t.accs) > 0 && !g.one(5) {
		return g.inside(t.accs[g.r.IntN(len(t.accs))])
	}
	a := regionAccess{base: 0, ld: g.p.cells, rows: 1, cols: g.p.cells}
	if len(t.accs) == 0 && g.one(2) {
		a = g.inside(a)
	}
	return g.inside(a)
}

// covers tells whether a child may use the cell in the given way.
func (c *regionCell) covers(a regionAccess) bool {
	switch {
	case c == nil || c.gone:
		return false
	case c.kind == deps.KindReduction:
		return a.kind == c.kind && a.op == c.op
	case a.kind == deps.KindReduction && c.comm && a.op != reduceSum:
		return false
	case c.kind == deps.KindIn, c.kind == deps.KindConcurrent, c.kind == deps.KindCommutative && !c.private:
		return a.kind == c.kind
	}
	return true
}

// draw returns up to n accesses inside what cells allow, and what they come to for each cell.
func (g *regionGenerator) draw(t *regionTask, cells []*regionCell, n int, placeholder bool) (accs []regionAccess, force map[int]regionCell) {
	force = map[int]regionCell{}
	for range n {
		for range 8 {
			a := g.region(t)
			a.kind = deps.Kind(1 + g.r.IntN(6))
			if c := cells[a.base]; c != nil && c.given && g.one(2) {
				a.kind = c.kind // most of what is random would not be covered
			}
			if a.kind == deps.KindReduction {
				if placeholder || a.rows > 1 {
					continue
				}
				a.op = reduceOp(g.r.IntN(int(reduceOps)))
				if c := cells[a.base]; c != nil && c.kind == a.kind {
					a.op = c.op
				}
			}
			a.weak = !placeholder && g.one(3)
			if g.fits(a, cells, force) {
				for _, c := range a.cells() {
					f, twice := force[c]
					if twice {
						both := combined(progAccess{c, f.kind, f.weak}, progAccess{c, a.kind, a.weak})
						f.kind, f.weak = both.kind, both.weak
					} else {
						f = regionCell{kind: a.kind, op: a.op, decl: len(accs), weak: a.weak, given: true}
					}
					force[c] = f
				}
				accs = append(accs, a)
				break
			}
		}
	}
	return accs, force
}

func (g *regionGenerator) fits(a regionAccess, cells []*regionCell, force map[int]regionCell) bool {
	for _, i := range a.cells() {
		c, b := cells[i], a
		if f, twice := force[i]; twice {
			if f.kind == deps.KindReduction || a.kind == deps.KindReduction {
				return false
			}
			b.kind = combined(progAccess{i, f.kind, f.weak}, progAccess{i, a.kind, a.weak}).kind
		}
		first := cells[a.base]
		if !c.covers(b) || (c.kind == deps.KindReduction || first.kind == deps.KindReduction) && (first.kind != c.kind || first.decl != c.decl) {
			return false
		}
	}
	return true
}

// spawn adds a child to t.
func (g *regionGenerator) spawn(t *regionTask, cells []*regionCell, depth int, inFinal, mayWait bool) {
	k := &regionTask{id: g.p.tasks, final: g.one(15), undeferred: mayWait && g.one(10)}
	g.p.tasks++
	g.left--
	inFinal = inFinal || k.final
	n := g.r.IntN(4)
	if g.one(25) {
		n = 18 + g.r.IntN(10)
	}
	accs, force := g.draw(t, cells, n, false)
	k.accs = accs
	weak, comm := false, false
	for _, f := range force {
		w := f.weak && !inFinal
		weak = weak || w
		comm = comm || !w && f.kind == deps.KindCommutative
	}
	waits := !(weak && comm)
	k.waitKids = waits && g.one(8)
	own := make([]*regionCell, g.p.cells)
	for i, f := range force {
		up := cells[i]
		f.weak = f.weak && !inFinal
		f.comm = up.comm || f.kind == deps.KindCommutative
		f.private = f.kind == deps.KindCommutative && !weak
		own[i] = &f
		up.busy, up.kids = true, true
	}
	t.ops = append(t.ops, regionOp{do: opSpawn, kid: k})
	g.body(k, own, depth+1, inFinal, waits)
	if g.one(10) {
		k.ops = append(k.ops, regionOp{do: opHold, how: 1})
	}
}

// mode returns how the body may touch the cell now.
func (c *regionCell) mode() (touch, bool) {
	if c == nil || !c.given || c.weak || c.gone {
		return 0, false
	}
	if c.kind == deps.KindReduction { // of one row, see touch
		return touchReduce, c.op != reduceAffine || !c.kids
	}
	shared := c.kind == deps.KindIn || c.kind == deps.KindConcurrent
	i := item{comm: c.comm}
	return i.touch(c.kind), shared || !c.busy
}

// touch adds a touch of a region in which it can be the same for all cells.
func (g *regionGenerator) touch(t *regionTask, cells []*regionCell) {
	if len(t.accs) == 0 {
		return
	}
	for range 4 {
		a := g.inside(t.accs[g.r.IntN(len(t.accs))])
		mode, ok := cells[a.base].mode()
		for _, i := range a.cells() {
			m, o := cells[i].mode()
			ok = ok && o && m == mode && cells[i].decl == cells[a.base].decl
		}
		if ok && (mode != touchReduce || a.rows == 1) {
			a.kind, a.op = cells[a.base].kind, cells[a.base].op
			t.ops = append(t.ops, regionOp{do: opBegin, acc: a, mode: mode})
			return
		}
	}
}

// release adds the release of a region, or of the right to write it.
func (g *regionGenerator) release(t *regionTask, cells []*regionCell) {
	if len(t.accs) == 0 {
		return
	}
	a := t.accs[g.r.IntN(len(t.accs))]
	first := cells[a.base]
	if first.kind != deps.KindReduction {
		a = g.inside(a)
		first = cells[a.base]
	}
	for _, i := range a.cells() {
		if c := cells[i]; c.gone || c.kind != first.kind || c.weak != first.weak {
			return
		}
	}
	a.kind, a.weak = first.kind, first.weak
	down := (a.kind == deps.KindOut || a.kind == deps.KindInOut) && g.one(2)
	if down {
		a.kind = deps.KindIn
	}
	for _, i := range a.cells() {
		cells[i].kind, cells[i].gone = a.kind, !down || cells[i].busy
	}
	t.ops = append(t.ops, regionOp{do: opRelease, acc: a})
}

func (g *regionGenerator) waitOn(t *regionTask, cells []*regionCell) {
	accs, force := g.draw(t, cells, 1+g.r.IntN(2), true)
	if len(accs) == 0 {
		return
	}
	t.ops = append(t.ops, regionOp{do: opWaitOn, accs: accs})
	for i, f := range force {
		if f.kind == deps.KindOut || f.kind == deps.KindInOut {
			cells[i].busy = false
		}
	}
}

// body adds some ops to t.
func (g *regionGenerator) body(t *regionTask, cells []*regionCell, depth int, inFinal, waits bool) {
	for range len(t.accs) {
		g.touch(t, cells)
	}
	n := 1 + g.r.IntN(6)
	if depth > 0 && depth >= g.depth {
		n = g.r.IntN(3)
	}
	for range n {
		switch k := g.r.IntN(16); {
		case k < 7:
			if g.left > 0 && depth < g.depth {
				g.spawn(t, cells, depth, inFinal, waits)
			}
		case k == 7 && waits:
			t.ops = append(t.ops, regionOp{do: opWait})
			for _, c := range cells {
				if c != nil {
					c.busy = false
				}
			}
		case k == 8 && waits:
			g.waitOn(t, cells)
		case k <= 10:
			g.release(t, cells)
		case k <= 13:
			g.touch(t, cells)
		case k == 14:
			t.ops = append(t.ops, regionOp{do: opSuspend, how: g.r.IntN(2)})
		case k == 15:
			t.ops = append(t.ops, regionOp{do: []opKind{opYield, opGosched}[g.r.IntN(2)]})
		}
	}
}
