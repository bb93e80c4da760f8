package deps

import "slices"

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
	scopes   []*mscope // reductions among the children
	combines *mscope   // the task is the combination of
	forgiven int       // children before a taskwait
	cause    error     // why the task failed or is skipped
}

// mscope is a scope of reductions: the combination is a task that the others of the parent are ordered around.
type mscope struct {
	op     Reduction
	cells  map[int]bool
	closed bool
	parts  []*mpart
	task   *mtask
}

// mpart is a task's contribution: one declaration.
type mpart struct {
	task *mtask
	Access
	cells []int
	done  bool
	to    *mscope
	take  bool // a copy was taken
}

// macc is an access to one item. In programs with regions an item is one cell of memory, and a declaration has one macc
// for each of its cells.
type macc struct {
	task *mtask
	item int
	Access
	done  bool   // given up
	freed bool   // by a release
	was   Kind   // before a release of the right to write; kindNone if there was none
	part  *mpart // of a reduction: it stands in no order
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
			if a.item == item && a.part == nil {
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
	if k := t.combines; k != nil {
		for _, p := range k.parts {
			if !p.done {
				return false
			}
		}
		if !k.closed {
			return false
		}
	}
	for _, a := range t.accs {
		if !a.weak && a.part == nil && !a.satisfied() {
			return false
		}
	}
	return true
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

// quiet tells whether no child uses the item.
func (a *macc) quiet() bool {
	in := a.inner()
	if len(in) == 0 {
		return true
	}
	last := in[len(in)-1]
	return last.passes(0) && last.before(0)
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

// path is where a task stands in the program.
func (t *mtask) path() []int {
	if t.parent == nil {
		return nil
	}
	return append(t.parent.path(), slices.Index(t.parent.children, t))
}
