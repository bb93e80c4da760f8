package conformance

import "github.com/gompss/gompss/deps"

// The oracle. It keeps what happened — who was created, in which order, who entered and left the body, who released
// what — and answers every question from that alone, cell by cell, by looking at all earlier tasks again.
//
// A task holds a cell until it has left its body, or has released the cell. From then on its children that declared
// the cell hold it in the task's place, and theirs after them. A task waits, for each cell that it uses itself, for all
// holders among the earlier siblings, and, if its parent declared the cell as well, for those that the parent is
// ordered behind; except that readers do not wait for readers, nor concurrents for concurrents, nor commutatives for
// commutatives, of which only one runs at a time.

// scope is one reduction: the contributions and, in the place of the first of them, the combination.
type scope struct {
	op     operator
	cells  mask
	closed bool
	from   []*task
	node   *task
	made   bool // the combination
}

type contribution struct {
	to    *scope
	cells mask
}

// create takes a new child of p.
func create(p, t *task) {
	t.orphaned = p.released
	var uses mask
	for c := range cells {
		if k := t.at[c].kind; k != 0 && k != deps.KindReduction {
			uses |= 1 << c
		}
	}
	p.closeScopes(uses)
	for _, a := range t.accs {
		if a.kind == deps.KindReduction {
			t.contribute(p, a)
		}
	}
	p.adopt(t)
}

func (p *task) adopt(t *task) {
	t.index = len(p.kids)
	if t.parent == nil { // of the others it is known, and their bodies look at it
		t.parent = p
	}
	p.kids = append(p.kids, t)
}

func (t *task) contribute(p *task, a access) {
	m := a.in.mask()
	to := p.scopeAbove(m)
	if to == nil {
		for _, s := range p.scopes {
			if !s.closed && s.op == a.op && m&^s.cells == 0 {
				to = s
			}
		}
	}
	if to == nil {
		p.closeScopes(m)
		to = &scope{op: a.op, cells: m, node: &task{name: "combination", started: true, declared: m, orphaned: p.released}}
		to.node.combines = to
		for c := range cells {
			if m.has(c) {
				to.node.at[c] = right{kind: deps.KindInOut}
			}
		}
		p.scopes = append(p.scopes, to)
		p.adopt(to.node)
	}
	to.from = append(to.from, t)
	t.joined = append(t.joined, contribution{to, m})
}

// scopeAbove returns the scope of p's own contribution to the cells.
func (p *task) scopeAbove(m mask) *scope {
	for _, j := range p.joined {
		if m&^j.cells == 0 && m&p.released == 0 {
			return j.to
		}
	}
	return nil
}

func (p *task) closeScopes(m mask) {
	for _, s := range p.scopes {
		if s.cells&m != 0 {
			s.closed = true
		}
	}
}

// end takes the end of t's body.
func end(t *task) {
	t.over = true
	t.closeScopes(^mask(0))
}

// give takes a release of t's. Of what children still use the right to write is kept.
func give(t *task, a access) {
	m := a.in.mask()
	for c := range cells {
		if !m.has(c) {
			continue
		}
		if a.kind == deps.KindIn && t.kindAt(c) != deps.KindIn {
			if !t.childHolds(c) {
				t.downgraded |= 1 << c
			}
			continue
		}
		t.released |= 1 << c
		t.closeScopes(1 << c)
	}
}

func (t *task) kindAt(c int) deps.Kind {
	if t.downgraded.has(c) {
		return deps.KindIn
	}
	return t.at[c].kind
}

// finished tells whether t itself has given the cell up.
func (t *task) finished(c int) bool {
	if t.combines != nil {
		return t.combines.combined()
	}
	return t.released.has(c) || t.over && (t.flags&waitKids == 0 || t.childrenComplete())
}

func (t *task) childrenComplete() bool {
	for _, k := range t.kids {
		if !k.complete() {
			return false
		}
	}
	return true
}

// complete tells whether t is deeply complete.
func (t *task) complete() bool {
	if t.combines != nil {
		return t.combines.combined()
	}
	return t.over && t.childrenComplete()
}

func (s *scope) combined() bool {
	if s.made {
		return true
	}
	if !s.closed {
		return false
	}
	for _, t := range s.from {
		for _, j := range t.joined {
			if j.to != s {
				continue
			}
			for c := range cells {
				if j.cells.has(c) && !t.finished(c) {
					return false
				}
			}
		}
	}
	s.made = mayStart(s.node)
	return s.made
}

// takesPart tells whether t stands in the order of the cell among the children of its parent.
func (t *task) takesPart(c int) bool {
	return t.at[c].kind != 0 && t.at[c].kind != deps.KindReduction
}

// underParent tells whether t stands in the place of its parent's access to the cell.
func (t *task) underParent(c int) bool {
	p := t.parent
	return p != nil && p.parent != nil && p.at[c].kind != 0 && !t.orphaned.has(c)
}

// holds tells whether an access of kind k to the cell, ordered after t's, waits for t or for those in its place.
func (t *task) holds(c int, k deps.Kind) bool {
	if !t.finished(c) {
		own := t.kindAt(c)
		return own != k || k == deps.KindOut || k == deps.KindInOut
	}
	for _, kid := range t.kids {
		if kid.takesPart(c) && kid.underParent(c) && kid.holds(c, k) {
			return true
		}
	}
	return false
}

func (t *task) childHolds(c int) bool {
	for _, kid := range t.kids {
		if kid.takesPart(c) && kid.underParent(c) && (!kid.finished(c) || kid.childHolds(c)) {
			return true
		}
	}
	return false
}

// heldBack tells whether an access of kind k to the cell by t, or by a descendant in t's place, has to wait.
func (t *task) heldBack(c int, k deps.Kind) bool {
	for p := t.parent; p != nil; t, p = p, p.parent {
		for _, s := range p.kids[:t.index] {
			if s.takesPart(c) && s.underParent(c) == t.underParent(c) && s.holds(c, k) {
				return true
			}
		}
		if !t.underParent(c) || p.private && p.at[c].kind == deps.KindCommutative {
			return false
		}
	}
	return false
}

// mayStart tells whether the order lets t run.
func mayStart(t *task) bool {
	for c := range cells {
		if t.declared.has(c) && t.takesPart(c) && !t.at[c].weak && t.heldBack(c, t.at[c].kind) {
			return false
		}
	}
	return true
}

// excluded tells whether a commutative that runs keeps t out.
func excluded(t *task, all []*task) bool {
	for _, u := range all {
		if u == t || !u.started || u.private && u.above(t) {
			continue
		}
		for c := range cells {
			if t.commutes(c) && u.commutes(c) && u.excludes(c) {
				return true
			}
		}
	}
	return false
}

func (t *task) commutes(c int) bool { return t.at[c].kind == deps.KindCommutative && !t.at[c].weak }

func (t *task) above(d *task) bool {
	for ; d != nil; d = d.parent {
		if d == t {
			return true
		}
	}
	return false
}

// excludes tells whether t, which commutes on the cell and was started, keeps others out: the exclusion is for all of an
// access, until the last byte of it is given up; that of a private task until its children have let go, too.
func (t *task) excludes(c int) bool {
	for _, a := range t.accs {
		m := a.in.mask()
		if !m.has(c) {
			continue
		}
		for c := range cells {
			if m.has(c) && (!t.finished(c) || t.private && t.childHolds(c)) {
				return true
			}
		}
	}
	return false
}
