package taskstest

import (
	"cmp"
	"slices"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// Findings of a run while it is under way.

// declared looks at what a task declares.
func (c *checker) declared(r *record, l *life, e tasks.Event) {
	if len(e.Beyond) == 2 {
		c.found.add(Beyond, r.seed, key(l, l.parent), "%v declares %s, and its parent, %v, declares only %s for these bytes: the child is ordered like the parent's access. Declare %s in the parent, too, weak if only its children use the bytes",
			l, clause(e.Beyond[0]), l.parent, clause(e.Beyond[1]), e.Beyond[0].Kind())
	}
	for i, a := range e.Declared {
		for _, b := range e.Declared[:i] {
			if a.Empty() || b.Empty() || a == b {
				continue
			}
			if s := share(spansOf(a), spansOf(b)); !s.empty() {
				c.found.add(Overlapping, r.seed, key(l, l), "%v declares %s and %s, which share %s: there they count as one that allows both", l, clause(b), clause(a), where(s, a))
			}
		}
	}
}

// wroteDeclared says that the body of l changed bytes that its i-th access does not allow it to change.
func (c *checker) wroteDeclared(r *record, l *life, i int) {
	if l.accs[i].Kind() == deps.KindReduction {
		c.found.add(Undeclared, r.seed, key(l, l), "%v changes the item of its %s. It must change its private copy, which reduce.Local returns", l, ordinal(l, i))
		return
	}
	c.found.add(Undeclared, r.seed, key(l, l), "%v changes what it declares as %s. It needs out or inout", l, ordinal(l, i))
}

// wroteUnderChild says that the body of l changed bytes that u, below it, may be using.
func (c *checker) wroteUnderChild(r *record, l, u *life, i int) {
	c.found.add(TooEarly, r.seed, key(l, u), "%v changes bytes after it spawned %v, which declares them as %s and is not over. Wait before, or do it in a task that declares the bytes", l, u, ordinal(u, i))
}

// Findings from several runs.

// use is what one task does with some bytes: access is −1 if it has not declared it.
type use struct {
	life   *life
	access int
	span
}

func (u use) kind() deps.Kind { return u.life.accs[u.access].Kind() }

// maxPairs bounds how many pairs of uses are looked at.
const maxPairs = 1 << 20

// compare looks for tasks that use the same bytes in no order that anything they declare gives them: one run has them in
// another order than the first run.
func (c *checker) compare() {
	c.unordered()
	for _, r := range c.runs {
		for _, l := range r.lives {
			for _, s := range l.strays {
				c.strayed(r, l, s)
			}
		}
	}
}

// unordered looks at what tasks declare.
func (c *checker) unordered() {
	var uses []use
	for _, l := range c.runs[0].lives {
		for i, a := range l.accs {
			if a.IsWeak() || a.Kind() == deps.KindReduction {
				continue
			}
			for _, s := range l.spans[i] {
				uses = append(uses, use{l, i, s})
			}
		}
	}
	slices.SortStableFunc(uses, func(a, b use) int { return cmp.Compare(a.lo, b.lo) })
	var open []use
	pairs := 0
	for _, u := range uses {
		open = slices.DeleteFunc(open, func(v use) bool { return v.hi <= u.lo })
		for _, v := range open {
			if pairs++; pairs > maxPairs {
				return
			}
			if !related(u.life, v.life) && conflict(u.kind(), v.kind()) {
				c.pair(v, u)
			}
		}
		open = append(open, u)
	}
}

func conflict(a, b deps.Kind) bool {
	return a != b || a == deps.KindOut || a == deps.KindInOut
}

// pair says so if nothing orders u and v, of which u was created first.
func (c *checker) pair(u, v use) {
	if u.life.created > v.life.created {
		u, v = v, u
	}
	top := common(u.life, v.life)
	a, b := u.life.below(top), v.life.below(top)
	s := []span{u.span.and(v.span)}
	ka, kb := declares(a, s, true), declares(b, s, true)
	if ka != 0 && kb != 0 && (conflict(ka, kb) || ka == deps.KindCommutative) {
		return // the order, or the exclusion, is that of the two
	}
	r := c.otherOrder(u.life, v.life)
	if r == nil {
		return
	}
	who := func(x, up *life, k deps.Kind) string {
		switch {
		case k != 0:
			return ""
		case x.parent == up:
			return "; its parent, " + up.String() + ", does not declare them"
		default:
			return "; " + up.String() + ", above it, does not declare them"
		}
	}
	c.found.add(Unordered, r.seed, key(u.life, v.life), "%v declares %s%s; %v declares %s%s. They share %s, and this run has them in another order than the first one. What children use must be declared, at least weak, by the tasks above them",
		u.life, ordinal(u.life, u.access), who(u.life, a, ka), v.life, ordinal(v.life, v.access), who(v.life, b, kb), where(s[0], u.life.accs[u.access]))
}

// declares returns as what l declares the bytes, strong or if weak is set weak, 0 if it does not declare all of them alike.
func declares(l *life, s []span, weak bool) deps.Kind {
	for i, spans := range l.spans {
		if l.accs[i].IsWeak() && !weak {
			continue
		}
		for _, x := range spans {
			if x.lo <= s[0].lo && s[0].hi <= x.hi {
				return l.accs[i].Kind()
			}
		}
	}
	return 0
}

// apart tells whether l, which has not declared the bytes s, may use them all the same although it is not ordered with u,
// whose i-th access they are: it does so in the name of a task above it, which keeps what it declared until l is over.
func apart(l, u *life, i int, s []span) bool {
	for p := l.parent; p != nil; p = p.parent {
		k := declares(p, s, false)
		if k == 0 || p.released != 0 && p.released < l.over {
			continue
		}
		if p.above(u) {
			return k == deps.KindConcurrent && u.accs[i].Kind() == k
		}
		top := common(l, u)
		return declares(u.below(top), s, true) != 0
	}
	return false
}

// strayed says so if a task changed bytes that it has not declared, and nothing orders it with one that declares them.
func (c *checker) strayed(r *record, l *life, s stray) {
	for _, u := range r.lives {
		if related(l, u) || u.combines {
			continue
		}
		for i, a := range u.accs {
			if a.IsWeak() || a.Kind() == deps.KindReduction || share(u.spans[i], []span{s.span}).empty() {
				continue
			}
			other := c.otherOrder(l, u)
			if other == nil {
				continue
			}
			if apart(l, u, i, []span{s.span}) {
				continue
			}
			how := "does not declare"
			if s.weak {
				how = "declares only weak"
			}
			c.found.add(Undeclared, other.seed, key(l, u), "%v changes bytes that it %s, of what %v declares as %s%s. Nothing orders the two: this run has them in another order than the first one. It needs out or inout",
				l, how, u, ordinal(u, i), at(s.span, a))
		}
	}
}

// order is how two bodies were in one run: −1 or 1, one was over before the other began; 0 neither; unknown if one of
// them did not run.
func (r *record) order(a, b *life) (order int, known bool) {
	a, b = r.same(a), r.same(b)
	if a == nil || b == nil || a.over == 0 || b.over == 0 {
		return 0, false
	}
	switch {
	case a.over < b.begun:
		return -1, true
	case b.over < a.begun:
		return 1, true
	}
	return 0, true
}

// same returns what the task did in r.
func (r *record) same(l *life) *life {
	if m := r.byPath[l.path]; m != nil && m.class == l.class && len(m.accs) == len(l.accs) {
		return m
	}
	return nil
}

// otherOrder returns a run with two tasks in another order than the first run, nil if there is none.
func (c *checker) otherOrder(a, b *life) *record {
	first, known := c.runs[0].order(a, b)
	if !known {
		return nil
	}
	for _, r := range c.runs[1:] {
		if o, known := r.order(a, b); known && o != first {
			return r
		}
	}
	return nil
}
