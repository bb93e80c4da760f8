package conformance

import (
	"fmt"
	"strings"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
)

// The memory of a program: a matrix of side × side cells, so that a set of cells is a word.
const (
	side  = 8
	cells = side * side
)

type mask uint64

// region is cells [lo, hi), or with rows a tile of the matrix.
type region struct {
	lo, hi         int
	tile           bool
	i0, i1, j0, j1 int
}

func span(lo, hi int) region { return region{lo: lo, hi: hi} }

func tile(i0, i1, j0, j1 int) region { return region{tile: true, i0: i0, i1: i1, j0: j0, j1: j1} }
func (m mask) has(c int) bool        { return m>>c&1 != 0 }

func (r region) mask() (m mask) {
	if !r.tile {
		for c := r.lo; c < r.hi; c++ {
			m |= 1 << c
		}
		return m
	}
	for i := r.i0; i < r.i1; i++ {
		for j := r.j0; j < r.j1; j++ {
			m |= 1 << (i*side + j)
		}
	}
	return m
}

func (r region) String() string {
	if r.tile {
		return fmt.Sprintf("[%d:%d][%d:%d]", r.i0, r.i1, r.j0, r.j1)
	}
	return fmt.Sprintf("[%d:%d]", r.lo, r.hi)
}

// operator is that of a reduction.
type operator uint8

const (
	sum operator = iota
	prod
)

type access struct {
	kind deps.Kind
	op   operator
	weak bool
	in   region
}

func in(r region) access          { return access{kind: deps.KindIn, in: r} }
func out(r region) access         { return access{kind: deps.KindOut, in: r} }
func inout(r region) access       { return access{kind: deps.KindInOut, in: r} }
func concurrent(r region) access  { return access{kind: deps.KindConcurrent, in: r} }
func commutative(r region) access { return access{kind: deps.KindCommutative, in: r} }
func adds(r region) access        { return access{kind: deps.KindReduction, op: sum, in: r} }
func multiplies(r region) access  { return access{kind: deps.KindReduction, op: prod, in: r} }
func weak(a access) access        { a.weak = true; return a }

func (a access) String() string {
	text := a.kind.String()
	if a.kind == deps.KindReduction {
		text = [...]string{"sum", "prod"}[a.op]
	}
	if a.weak {
		text = "weak" + text
	}
	return text + a.in.String()
}

// of returns a as a clause on the arena.
func (a access) of(arena []int64) (d deps.Access) {
	r := a.in
	if r.tile {
		switch a.kind {
		case deps.KindIn:
			d = deps.InTile(arena, side, r.i0, r.i1, r.j0, r.j1)
		case deps.KindOut:
			d = deps.OutTile(arena, side, r.i0, r.i1, r.j0, r.j1)
		case deps.KindInOut:
			d = deps.InOutTile(arena, side, r.i0, r.i1, r.j0, r.j1)
		case deps.KindConcurrent:
			d = deps.ConcurrentTile(arena, side, r.i0, r.i1, r.j0, r.j1)
		case deps.KindCommutative:
			d = deps.CommutativeTile(arena, side, r.i0, r.i1, r.j0, r.j1)
		default:
			panic("a reduction of a tile")
		}
	} else {
		s := arena[r.lo:r.hi]
		switch a.kind {
		case deps.KindIn:
			d = deps.InSlice(s)
		case deps.KindOut:
			d = deps.OutSlice(s)
		case deps.KindInOut:
			d = deps.InOutSlice(s)
		case deps.KindConcurrent:
			d = deps.ConcurrentSlice(s)
		case deps.KindCommutative:
			d = deps.CommutativeSlice(s)
		case deps.KindReduction:
			d = reduce.SumSlice(s)
			if a.op == prod {
				d = reduce.ProdSlice(s)
			}
		}
	}
	if a.weak {
		d = deps.Weak(d)
	}
	return d
}

type verb uint8

const (
	doSpawn verb = iota
	doRelease
	doWait
	doWaitOn
)

// op is one step of a body.
type op struct {
	do   verb
	kid  *task
	accs []access
}

func release(a ...access) op { return op{do: doRelease, accs: a} }
func waitOn(a ...access) op  { return op{do: doWaitOn, accs: a} }

var taskwait = op{do: doWait}

// clause is one without a region.
type clause uint8

const (
	final clause = 1 << iota
	waitKids
	undeferred
	stray // the task may use what its parent did not declare: nothing orders it, so its body touches nothing
)

// task is a task of a program; the fields below the line are the oracle's.
type task struct {
	name  string
	accs  []access
	flags clause
	ops   []op

	id       int
	parent   *task
	at       [cells]right
	declared mask
	inFinal  bool
	strays   bool // it or a task above is stray
	private  bool // a strong commutative task without a weak access: its children work under its exclusion

	started, over bool
	next          int     // op
	pending       bool    // the next op has begun and not returned
	kids          []*task // created so far, placeholders and combinations included
	index         int     // among the parent's kids
	orphaned      mask    // what the parent had released when the task was created
	released      mask
	downgraded    mask
	scopes        []*scope       // opened among the kids
	joined        []contribution // the task's own
	combines      *scope
	placeholder   bool
}

// right is what a task declared for one cell.
type right struct {
	kind deps.Kind // zero: nothing
	op   operator
	weak bool
}

// T makes a task: access values are its declarations, tasks among the arguments are spawned, ops follow each other.
func T(name string, args ...any) *task {
	t := &task{name: name}
	for _, a := range args {
		switch a := a.(type) {
		case access:
			t.accs = append(t.accs, a)
		case []access:
			t.accs = append(t.accs, a...)
		case clause:
			t.flags |= a
		case op:
			t.ops = append(t.ops, a)
		case []op:
			t.ops = append(t.ops, a...)
		case *task:
			t.ops = append(t.ops, op{do: doSpawn, kid: a})
		case nil:
		default:
			panic(fmt.Sprintf("T(%q) of a %T", name, a))
		}
	}
	return t
}

// number gives all tasks their ids, in program order, and works out their rights.
func number(t, parent *task, all []*task) []*task {
	t.id, t.parent = len(all), parent
	t.inFinal = t.flags&final != 0 || parent != nil && parent.inFinal
	t.strays = t.flags&stray != 0 || parent != nil && parent.strays
	t.declare()
	all = append(all, t)
	for _, o := range t.ops {
		if o.do == doSpawn {
			all = number(o.kid, t, all)
		}
	}
	return all
}

// declare works out the rights: of two declarations of one cell what gives both what they ask for.
func (t *task) declare() {
	noWeak, commutes := true, false
	for _, a := range t.accs {
		w := a.weak && !t.inFinal
		m := a.in.mask()
		t.declared |= m
		for c := range cells {
			if !m.has(c) {
				continue
			}
			r := &t.at[c]
			switch {
			case r.kind == 0:
				*r = right{a.kind, a.op, w}
				continue
			case r.kind == a.kind:
			case r.kind+a.kind == deps.KindConcurrent+deps.KindCommutative && r.kind != deps.KindInOut:
				r.kind = deps.KindCommutative
			default:
				r.kind = deps.KindInOut
			}
			r.weak = r.weak && w
		}
	}
	for _, r := range t.at {
		noWeak = noWeak && !r.weak
		commutes = commutes || r.kind == deps.KindCommutative
	}
	t.private = noWeak && commutes
}

func (t *task) String() string {
	var b strings.Builder
	t.list(&b, "")
	return b.String()
}

func (t *task) list(b *strings.Builder, indent string) {
	fmt.Fprintf(b, "%s%d %s", indent, t.id, t.name)
	for _, a := range t.accs {
		fmt.Fprintf(b, " %v", a)
	}
	for i, f := range []string{"final", "wait", "if(0)", "stray"} {
		if t.flags>>i&1 != 0 {
			b.WriteString(" " + f)
		}
	}
	b.WriteByte('\n')
	for _, o := range t.ops {
		switch o.do {
		case doSpawn:
			o.kid.list(b, indent+"    ")
		case doRelease:
			fmt.Fprintf(b, "%s    release %v\n", indent, o.accs)
		case doWait:
			fmt.Fprintf(b, "%s    taskwait\n", indent)
		case doWaitOn:
			fmt.Fprintf(b, "%s    taskwait on %v\n", indent, o.accs)
		}
	}
}
