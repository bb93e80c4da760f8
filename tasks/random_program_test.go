package tasks_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/gompss/gompss/deps"
)

// Random proper programs: trees of tasks whose accesses are right, so that every schedule must give the result of
// serial elision. Proper means:
//
//   - What a child declares is covered by its parent: in covers in, concurrent covers concurrent, commutative covers
//     commutative, or anything if the parent has no weak access; out and inout cover everything.
//   - A body touches what it declared strong, as declared, not after it released it, and not while a child may use it.
//   - A task with a strong commutative and a weak access does not wait for children: they may be ordered after a task
//     that waits for what it holds.
//   - Below a commutative access only contributions are made whose order does not matter, and no value is kept.

// how a span of a body touches a cell.
type touch uint8

const (
	touchRead   touch = iota // keep the value
	touchPeek                // look that the value stays
	touchMix                 // replace by a hash of it and the task
	touchSet                 // replace by a hash of the task
	touchAdd                 // add a contribution: plain read and write
	touchAtomic              // add a contribution: atomically
)

type progAccess struct {
	cell int // −1: an empty access
	kind deps.Kind
	weak bool
}

type opKind uint8

const (
	opSpawn  opKind = iota
	opBegin         // start touching a cell: a span
	opEnd           // end it
	opWait          //
	opWaitOn        //
	opRelease
	opHold // how: 0 ends in the body, 1 by a goroutine, 2 by a goroutine that touches a cell before
	opSuspend
	opYield
	opSleep
	opCritical
	opGosched
)

type progOp struct {
	do   opKind
	how  int
	cell int
	mode touch
	accs []progAccess
	kid  *progTask
}

type progTask struct {
	id         int
	declared   []progAccess
	accs       []progAccess // duplicates combined, empty ones left out; weakness as declared
	final      bool
	inFinal    bool
	undeferred bool
	waitKids   bool
	priority   int
	onReady    int // 0 none, 1 without hold, 2 hold ended inside, 3 by a goroutine
	ops        []progOp
}

type program struct {
	seed  uint64
	root  *progTask
	tasks int
	cells int
}

// item is what a body may do with a cell.
type item struct {
	progAccess      // as in force
	given      bool // declared, rather than the root's or a cell of the task's own
	comm       bool // stands below a commutative access or is one
	private    bool // a commutative whose children may do anything
	busy       bool // a child may be using it
	gone       bool // released
	open       bool // a span is open
}

type generator struct {
	r     *rand.Rand
	p     *program
	left  int
	depth int
}

func newProgram(seed uint64) *program {
	r := rand.New(rand.NewPCG(seed, 0x517cc1b727220a95))
	g := &generator{r: r, p: &program{seed: seed}, left: 5 + r.IntN(56), depth: 1 + r.IntN(4)}
	g.p.cells = []int{1, 2, 3, 6, 12, 40}[r.IntN(6)]
	g.p.root = &progTask{}
	g.p.tasks = 1
	var items []*item
	for c := range g.p.cells {
		items = append(items, &item{progAccess: progAccess{c, deps.KindInOut, false}})
	}
	for round := 0; g.left > 0 && round < 40; round++ {
		g.body(g.p.root, items, 0, true)
	}
	g.close(g.p.root, items)
	return g.p
}

func (g *generator) one(n int) bool { return g.r.IntN(n) == 0 }

// kinds returns what a child may do with what it covers.
func (i *item) kinds() []deps.Kind {
	switch {
	case i.kind == deps.KindIn, i.kind == deps.KindConcurrent, i.kind == deps.KindCommutative && !i.private:
		return []deps.Kind{i.kind}
	}
	return []deps.Kind{deps.KindIn, deps.KindOut, deps.KindInOut, deps.KindConcurrent, deps.KindCommutative}
}

func (i *item) covers(k deps.Kind) bool {
	for _, c := range i.kinds() {
		if c == k {
			return true
		}
	}
	return false
}

// combined is the rule for one item declared twice.
func combined(a, b progAccess) progAccess {
	a.weak = a.weak && b.weak
	if a.kind != b.kind {
		c := deps.KindInOut
		if a.kind+b.kind == deps.KindConcurrent+deps.KindCommutative {
			c = deps.KindCommutative
		}
		a.kind = c
	}
	return a
}

// accesses draws up to n accesses from what items cover.
func (g *generator) accesses(items []*item, n int, weak bool) (declared, accs []progAccess, used []*item) {
	at := map[int]int{}
	for range n {
		if g.one(20) {
			declared = append(declared, progAccess{-1, deps.Kind(1 + g.r.IntN(5)), g.one(2)})
			continue
		}
		i := items[g.r.IntN(len(items))]
		if i.gone {
			continue
		}
		k := i.kinds()
		a := progAccess{i.cell, k[g.r.IntN(len(k))], weak && g.one(3)}
		if j, twice := at[a.cell]; twice {
			both := combined(accs[j], a)
			if !i.covers(both.kind) {
				continue
			}
			accs[j] = both
		} else {
			at[a.cell] = len(accs)
			accs = append(accs, a)
			used = append(used, i)
		}
		declared = append(declared, a)
	}
	return declared, accs, used
}

// spawn adds a child to t.
func (g *generator) spawn(t *progTask, items []*item, depth int, mayWait bool) {
	c := &progTask{id: g.p.tasks}
	g.p.tasks++
	g.left--
	n := g.r.IntN(5)
	if g.one(25) {
		n = 18 + g.r.IntN(20)
	}
	var used []*item
	if len(items) > 0 {
		c.declared, c.accs, used = g.accesses(items, n, true)
	}
	c.final = g.one(12)
	c.inFinal = t.inFinal || c.final
	c.undeferred = mayWait && g.one(8)
	if g.one(5) {
		c.priority = g.r.IntN(5) - 2
	}
	if g.one(10) {
		c.onReady = 1 + g.r.IntN(3)
	}
	weak, comm := false, false
	for _, a := range c.accs {
		w := a.weak && !c.inFinal
		weak = weak || w
		comm = comm || !w && a.kind == deps.KindCommutative
	}
	waits := !(weak && comm)
	c.waitKids = waits && g.one(8)
	var own []*item
	for j, a := range c.accs {
		up := used[j]
		a.weak = a.weak && !c.inFinal
		own = append(own, &item{
			progAccess: a, given: true, comm: up.comm || a.kind == deps.KindCommutative,
			private: a.kind == deps.KindCommutative && !weak,
		})
		if up.open && up.kind != a.kind {
			g.end(t, up)
		} else if up.open && a.kind != deps.KindIn && a.kind != deps.KindConcurrent {
			g.end(t, up)
		}
		up.busy = true
	}
	for g.one(8) { // a cell of the task's own, for its children
		own = append(own, &item{progAccess: progAccess{g.p.cells, deps.KindInOut, false}})
		g.p.cells++
	}
	t.ops = append(t.ops, progOp{do: opSpawn, kid: c})
	g.body(c, own, depth+1, waits)
	g.close(c, own)
	if c.waitKids {
		g.deputy(c, own)
	}
}

// deputy gives t, which keeps its accesses until its children are complete, a child that touches a cell in t's name
// without declaring it.
func (g *generator) deputy(t *progTask, items []*item) {
	if n := len(t.ops); n > 0 && t.ops[n-1].do == opHold && t.ops[n-1].how == 2 {
		return // the event touches a cell, too
	}
	for _, i := range items {
		if !i.given || !i.touchable() {
			continue
		}
		c := &progTask{id: g.p.tasks, inFinal: t.inFinal}
		g.p.tasks++
		c.ops = append(c.ops, progOp{do: opSuspend, how: 1}, progOp{do: opYield})
		g.begin(c, i, i.touch(i.kind))
		g.end(c, i)
		t.ops = append(t.ops, progOp{do: opSpawn, kid: c})
		return
	}
}

// touchable tells whether the body may touch the item itself now.
func (i *item) touchable() bool {
	shared := i.kind == deps.KindIn || i.kind == deps.KindConcurrent
	return !i.weak && !i.gone && !i.open && (shared || !i.busy)
}

func (i *item) touch(k deps.Kind) touch {
	switch {
	case k == deps.KindConcurrent:
		return touchAtomic
	case k == deps.KindIn && i.comm:
		return touchPeek
	case k == deps.KindIn:
		return touchRead
	case i.comm || k == deps.KindCommutative:
		return touchAdd
	case k == deps.KindOut:
		return touchSet
	}
	return touchMix
}

func (g *generator) begin(t *progTask, i *item, m touch) {
	i.open = true
	t.ops = append(t.ops, progOp{do: opBegin, cell: i.cell, mode: m})
}

func (g *generator) end(t *progTask, i *item) {
	i.open = false
	t.ops = append(t.ops, progOp{do: opEnd, cell: i.cell})
}

// close ends the body: open spans first, then perhaps an event that outlives it.
func (g *generator) close(t *progTask, items []*item) {
	for _, i := range items {
		if i.open {
			g.end(t, i)
		}
	}
	if !g.one(8) {
		return
	}
	op := progOp{do: opHold, how: 1}
	for _, i := range items {
		if i.given && i.touchable() && g.one(2) {
			op.how, op.cell, op.mode = 2, i.cell, i.touch(i.kind)
			break
		}
	}
	t.ops = append(t.ops, op)
}

// body adds some ops to t.
func (g *generator) body(t *progTask, items []*item, depth int, waits bool) {
	for _, i := range items {
		if i.given && i.touchable() && !g.one(5) {
			g.begin(t, i, i.touch(i.kind))
			if g.one(2) {
				g.end(t, i)
			}
		}
	}
	n := 1 + g.r.IntN(6)
	if depth > 0 && depth >= g.depth {
		n = g.r.IntN(3)
	}
	for range n {
		var i *item
		if len(items) > 0 {
			i = items[g.r.IntN(len(items))]
		}
		switch k := g.r.IntN(16); {
		case k < 8:
			if g.left > 0 && depth < g.depth {
				g.spawn(t, items, depth, waits)
			}
		case k == 8 && waits:
			t.ops = append(t.ops, progOp{do: opWait})
			for _, i := range items {
				i.busy = false
			}
		case k == 9 && waits && i != nil:
			g.waitOn(t, items)
		case k == 10 && i != nil && i.given && !i.gone:
			if i.open {
				g.end(t, i)
			}
			i.gone = true
			for _, a := range t.accs {
				if a.cell == i.cell {
					t.ops = append(t.ops, progOp{do: opRelease, accs: []progAccess{a}})
				}
			}
		case k == 11 && i != nil && i.open:
			g.end(t, i)
		case k <= 12 && i != nil && i.touchable():
			g.begin(t, i, i.touch(i.kind))
		case k == 13:
			t.ops = append(t.ops, progOp{do: opSuspend, how: g.r.IntN(3)})
		case k == 14:
			t.ops = append(t.ops, progOp{do: []opKind{opYield, opYield, opCritical, opGosched}[g.r.IntN(4)]})
		case k == 15:
			op := progOp{do: opHold, how: g.r.IntN(2)}
			if g.one(20) {
				op.do = opSleep
			}
			t.ops = append(t.ops, op)
		}
	}
}

func (g *generator) waitOn(t *progTask, items []*item) {
	_, accs, used := g.accesses(items, 1+g.r.IntN(2), false)
	if len(accs) == 0 {
		return
	}
	for j, a := range accs {
		if i := used[j]; i.open && (i.kind != a.kind || a.kind != deps.KindIn && a.kind != deps.KindConcurrent) {
			g.end(t, i)
		}
	}
	t.ops = append(t.ops, progOp{do: opWaitOn, accs: accs})
	for j, a := range accs {
		i := used[j]
		exclusive := a.kind == deps.KindOut || a.kind == deps.KindInOut
		if exclusive {
			i.busy = false
		}
		if (exclusive || a.kind == deps.KindIn) && !i.weak && !i.open && g.one(2) {
			g.begin(t, i, i.touch(a.kind))
			g.end(t, i)
		}
	}
}

// Listing.

func (a progAccess) String() string {
	w := ""
	if a.weak {
		w = "weak "
	}
	if a.cell < 0 {
		return w + a.kind.String() + "(nil)"
	}
	return fmt.Sprintf("%s%v(%d)", w, a.kind, a.cell)
}

func (p *program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "program %d: %d tasks, %d cells\n", p.seed, p.tasks, p.cells)
	p.root.list(&b, "  ")
	return b.String()
}

func (t *progTask) list(b *strings.Builder, indent string) {
	for _, op := range t.ops {
		b.WriteString(indent)
		switch op.do {
		case opSpawn:
			c := op.kid
			fmt.Fprintf(b, "spawn %d %v", c.id, c.declared)
			for text, on := range map[string]bool{" final": c.final, " if(false)": c.undeferred, " wait": c.waitKids} {
				if on {
					b.WriteString(text)
				}
			}
			if c.priority != 0 {
				fmt.Fprintf(b, " priority %d", c.priority)
			}
			if c.onReady != 0 {
				fmt.Fprintf(b, " onready %d", c.onReady)
			}
			b.WriteByte('\n')
			c.list(b, indent+"    ")
			continue
		case opBegin:
			fmt.Fprintf(b, "begin %d %s", op.cell, touchNames[op.mode])
		case opEnd:
			fmt.Fprintf(b, "end %d", op.cell)
		case opWait:
			b.WriteString("wait")
		case opWaitOn:
			fmt.Fprintf(b, "wait on %v", op.accs)
		case opRelease:
			fmt.Fprintf(b, "release %v", op.accs)
		case opHold:
			fmt.Fprintf(b, "hold %d", op.how)
			if op.how == 2 {
				fmt.Fprintf(b, " touching %d %s", op.cell, touchNames[op.mode])
			}
		default:
			fmt.Fprintf(b, "%s %d", [...]string{opSuspend: "suspend", opYield: "yield", opSleep: "sleep", opCritical: "critical", opGosched: "gosched"}[op.do], op.how)
		}
		b.WriteByte('\n')
	}
}

var touchNames = [...]string{"read", "peek", "mix", "set", "add", "atomic"}

// shrink returns a smaller program for which fails still holds: without tasks and ops that can be left out of a proper
// program. fails may err on one side: true is true.
func (p *program) shrink(fails func(*program) bool) {
	for again := true; again; {
		again = false
		p.root.each(func(t *progTask) {
			for i := 0; i < len(t.ops); i++ {
				op := t.ops[i]
				switch op.do {
				case opBegin, opEnd, opWait, opWaitOn, opRelease:
					continue
				}
				if op.do == opSpawn {
					old := *op.kid
					op.kid.undeferred, op.kid.waitKids, op.kid.priority, op.kid.onReady = false, false, 0, 0
					if !fails(p) {
						*op.kid = old
					}
				}
				t.ops = append(append([]progOp(nil), t.ops[:i]...), t.ops[i+1:]...)
				if fails(p) {
					again = true
					i--
					continue
				}
				t.ops = append(append(append([]progOp(nil), t.ops[:i]...), op), t.ops[i:]...)
			}
		})
	}
}

func (t *progTask) each(f func(*progTask)) {
	f(t)
	for _, op := range t.ops {
		if op.do == opSpawn {
			op.kid.each(f)
		}
	}
}
