package deps

import (
	"slices"
	"unsafe"
)

// Reductions in the model: which scope a contribution belongs to, what closes it, and when it is combined.

// modelOp is an operator that only counts copies.
type modelOp struct {
	name    string
	ordered bool
}

// modelCopies are the copies of one scope.
type modelCopies struct {
	w     *world
	op    modelOp
	cells int
	taken []taken
	out   map[unsafe.Pointer]bool
}

type taken struct {
	place *Place
	part  *mpart
}

// worldNow is the world whose engine calls the operators.
var worldNow *world

func (op modelOp) Open(item unsafe.Pointer, bytes uintptr) Copies {
	return &modelCopies{w: worldNow, op: op, cells: int(bytes / 8), out: map[unsafe.Pointer]bool{}}
}

func (op modelOp) Ordered() bool  { return op.ordered }
func (op modelOp) String() string { return op.name }

func (c *modelCopies) Take(place *Place) unsafe.Pointer {
	if (place != nil) != c.op.ordered {
		c.w.fail("%s: a copy with place %v", c.op, place)
	}
	p := unsafe.Pointer(unsafe.SliceData(make([]int64, c.cells)))
	c.out[p] = true
	c.taken = append(c.taken, taken{place, c.w.taking})
	return p
}

func (c *modelCopies) Give(p unsafe.Pointer) {
	if !c.out[p] {
		c.w.fail("%s: a copy given back that nobody has", c.op)
	}
	delete(c.out, p)
}

func (c *modelCopies) Parts() int  { return 0 }
func (c *modelCopies) Combine(int) {}

var modelOps = []modelOp{{"sum", false}, {"product", false}, {"list", true}}

// combiner is what the engine asks for a combination's node.
func (w *world) combiner(*Node) *Node {
	n := w.fresh()
	w.made = append(w.made, n)
	return n
}

// regionFor is region for an access of the given kind by a child of p.
func (w *world) regionFor(p *mtask, kind Kind) (Access, []int) {
	a, cells := w.region()
	if kind != KindReduction {
		return a, cells
	}
	for a.ext != nil {
		a, cells = w.region()
	}
	op := modelOps[w.r.IntN(len(modelOps))]
	if part := p.contribution(cells[0]); part != nil {
		op = part.ext.(modelOp)
	}
	return Reduce(a.ptr, a.size, op), cells
}

// contribution returns what t contributes to the item and has not given up, nil for nothing.
func (t *mtask) contribution(item int) *mpart {
	if a := t.find(item); a != nil && a.part != nil && !a.part.done {
		return a.part
	}
	return nil
}

func (p *mpart) coversAll(cells []int) bool {
	for _, c := range cells {
		if !slices.Contains(p.cells, c) {
			return false
		}
	}
	return true
}

func (p *mpart) meets(q *mpart) bool {
	return slices.ContainsFunc(p.cells, func(c int) bool { return slices.Contains(q.cells, c) })
}

// reduce does for the model what Register did for the engine: t, the youngest child of p, closes scopes of its elder
// siblings, and takes part in some.
func (w *world) reduce(p, t *mtask) {
	for _, a := range t.accs {
		if a.part == nil {
			p.closeOn(a.item)
		}
	}
	for i := range t.node.accs { // in the engine's order
		x := &t.node.accs[i]
		if x.flags&reducing == 0 {
			continue
		}
		var part *mpart
		for _, a := range t.accs {
			if a.part != nil && a.part.ptr == x.ptr {
				part = a.part
			}
		}
		w.enter(p, part)
	}
	if len(w.made) > 0 {
		w.fail("%d combinations too many", len(w.made))
	}
}

func (w *world) enter(p *mtask, part *mpart) {
	part.to = nil
	if up := p.contribution(part.cells[0]); up != nil {
		part.to = up.to
	}
	for _, k := range p.scopes {
		if part.to == nil && !k.closed && k.op == part.Reduction() && k.covers(part.cells) {
			part.to = k
		}
	}
	if part.to == nil {
		part.to = w.open(p, part)
	}
	part.to.parts = append(part.to.parts, part)
}

func (k *mscope) covers(cells []int) bool {
	for _, c := range cells {
		if !k.cells[c] {
			return false
		}
	}
	return true
}

// open puts the combination of a new scope behind p's other children.
func (w *world) open(p *mtask, part *mpart) *mscope {
	for _, c := range part.cells {
		p.closeOn(c)
	}
	if len(w.made) == 0 {
		w.fail("no combination was made for %v of %d", part.cells, part.task.id)
	}
	t := &mtask{id: len(w.tasks), parent: p, node: w.made[0]}
	w.made = w.made[1:]
	w.byNode[t.node] = t
	k := &mscope{op: part.Reduction(), cells: map[int]bool{}, task: t}
	t.combines = k
	for _, c := range part.cells {
		k.cells[c] = true
		t.accs = append(t.accs, &macc{task: t, item: c, Access: Access{kind: KindInOut}})
	}
	w.logf("  %d combines %v for %d", t.id, part.cells, p.id)
	w.adopt(p, t)
	p.scopes = append(p.scopes, k)
	return k
}

// closeOn closes the scope over an item among p's children.
func (p *mtask) closeOn(item int) {
	for _, k := range p.scopes {
		if k.cells[item] {
			k.closed = true
		}
	}
}

// closeBelow closes the scopes of t's children that stand in the place of its access a.
func (t *mtask) closeBelow(a *macc) {
	for _, k := range t.scopes {
		if c := k.task.find(a.item); c != nil && c.up() == a {
			k.closed = true
		}
	}
}

// closeScopes begins a taskwait of p.
func (w *world) closeScopes(p *mtask) {
	w.logf("close scopes of %d", p.id)
	for _, k := range p.scopes {
		k.closed = true
	}
	p.node.CloseScopes(w.mb)
	w.settle()
}

// useCopies lets a task that starts take some of its private copies; a combination must have them all.
func (w *world) useCopies(t *mtask) {
	if t.cause != nil {
		return
	}
	if t.combines != nil {
		c, ok := t.node.Combination().(*modelCopies)
		if !ok {
			w.fail("task %d is ready, but combines nothing", t.id)
		}
		if len(c.out) > 0 {
			w.fail("combination %d is ready with %d copies out", t.id, len(c.out))
		}
		for i, a := range c.taken {
			for _, b := range c.taken[:i] {
				order := slices.Compare(b.part.task.path(), a.part.task.path())
				if c.op.ordered && b.part.meets(a.part) && order*b.place.Compare(a.place) <= 0 {
					w.fail("combination %d: the places of %d and %d are in the wrong order", t.id, b.part.task.id, a.part.task.id)
				}
			}
		}
		return
	}
	for _, a := range t.accs {
		if a.part == nil || a.part.take || w.r.IntN(2) == 0 {
			continue
		}
		w.taking = a.part
		p := t.node.PrivateCopy(a.ptr, a.size)
		if (p != nil) == a.part.weak {
			w.fail("the private copy of %v in %d: %v", a.part.cells, t.id, p)
		}
		a.part.take = true
	}
}

// releasePart releases a contribution.
func (w *world) releasePart(t *mtask, p *mpart) {
	w.logf("release reduction %v by %d", p.cells, t.id)
	if ok := t.node.Release(p.Access, false, w.mb); ok == p.done {
		w.fail("Release(%v) = %v", p.Access, ok)
	}
	p.done = true
	for _, a := range t.accs {
		if a.part == p {
			a.done, a.freed = true, true
		}
	}
	if t.node.PrivateCopy(p.ptr, p.size) != nil {
		w.fail("a private copy of %v after its release", p.cells)
	}
	w.settle()
}
