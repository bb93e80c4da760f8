package taskstest

import (
	"reflect"
	"runtime"
	"runtime/debug"

	"github.com/gompss/gompss/deps"
)

// maxTrials bounds the runs with other values.
const maxTrials = 400

// trials finds out what bodies depend on.
type trials struct {
	*checker
	first outcome
	left  int // runs that may still be made
	lost  bool
	wrote map[slot]bool // by the bodies of a class, in any run
	// beyond is the bytes that something else than bodies may use: what tasks declare that were suspended or held. Other
	// values there would be seen by who should not see them.
	beyond []span
}

// slot is one access of a class.
type slot struct {
	class
	access int
	kind   deps.Kind
}

// try looks for superfluous and too strong accesses, and for undeclared reads.
func (c *checker) try(first outcome) {
	// Some words that a trial changes may be nil pointers. What it puts there is outside the heap and does no harm to the
	// collector, but it need not see it.
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	x := &trials{checker: c, first: first, left: maxTrials, wrote: map[slot]bool{}}
	if again := c.execute(inOrder, newRecord(c, 0), &trial{}); x.differs(again) {
		c.t.Logf("taskstest: two runs in the same order differ; what bodies read was not looked at")
		return
	}
	for _, r := range c.runs {
		for _, l := range r.lives {
			if f := first.same(l); l.outside && f != nil {
				for _, s := range f.spans {
					x.beyond = append(x.beyond, s...)
				}
			}
			for i, w := range l.wrote {
				if w {
					x.wrote[slot{l.class, i, l.accs[i].Kind()}] = true
				}
			}
		}
	}
	seen := map[slot]bool{}
	read := map[class]bool{}
	for _, l := range first.lives {
		if l.parent == nil || l.combines || l.begun == 0 {
			continue
		}
		if !read[l.class] {
			read[l.class] = true
			x.undeclared(l.class)
		}
		for i, a := range l.accs {
			s := slot{l.class, i, a.Kind()}
			if !seen[s] && !a.IsWeak() && a.Kind() != deps.KindReduction && (a.Kind() == deps.KindOut || !x.found.wrong()) {
				seen[s] = true
				x.access(s, l)
			}
		}
	}
}

// differs tells whether a run did not do what the first one did.
func (x *trials) differs(o outcome) bool {
	return o.lost || o.stuck != "" || o.shape != x.first.shape || (o.err != nil) != (x.first.err != nil) ||
		o.content != x.first.content || !reflect.DeepEqual(o.result, x.first.result)
}

// depends tells whether the bodies of a class depend on some bytes: 1 yes, 0 no, −1 unknown. changed says by how many of
// the variants; with all, all of them are tried.
func (x *trials) depends(who class, bytes func(r *record, l *life) []deps.Access, all bool) (verdict, changed int, last *trial) {
	verdict = -1
	for v := range variants {
		if x.left == 0 || x.lost {
			return -1, changed, last
		}
		if x.left--; x.left%32 == 0 {
			runtime.GC()
		}
		r := newRecord(x.checker, 0)
		t := &trial{who: who, variant: v, patches: map[*life][]*patch{}}
		t.which = func(l *life) []deps.Access { return bytes(r, l) }
		if last != nil {
			t.wrote, t.kept, t.left = last.wrote, last.kept, last.left
		}
		o := x.execute(inOrder, r, t)
		t.end()
		last = t
		x.lost = x.lost || o.lost
		if x.differs(o) {
			verdict = 1
			changed++
			if !all {
				return
			}
		} else if t.touched && verdict < 0 {
			verdict = 0
		}
	}
	if verdict == 0 && last.left {
		verdict = -1
	}
	return
}

// access looks at one access of a class, which l is of.
func (x *trials) access(s slot, l *life) {
	if s.class.shared() || x.outside(s) {
		return
	}
	verdict, changed, last := x.depends(s.class, func(_ *record, l *life) []deps.Access {
		if s.access >= len(l.accs) || l.accs[s.access].IsWeak() || l.accs[s.access].Kind() != s.kind {
			return nil
		}
		return l.accs[s.access : s.access+1]
	}, s.kind == deps.KindOut)
	wrote := x.wrote[s] || last != nil && last.wrote
	if verdict < 0 || s.kind == deps.KindOut && changed > 0 && changed < variants {
		return
	}
	reads := verdict == 1
	what := ordinal(l, s.access)
	k := key(l, l) + what
	switch {
	case s.kind == deps.KindOut && wrote && reads && !x.steady():
	case s.kind == deps.KindOut && wrote && reads:
		x.found.add(Undeclared, 0, k, "%v depends on what was in its %s before. It needs inout", l, what)
	case s.kind == deps.KindIn && reads, wrote && reads, x.found.wrong(): // advice on a wrong program may be wrong
	case s.kind == deps.KindInOut && wrote:
		if !last.kept {
			x.found.add(TooStrong, 0, k, "%v overwrites its %s and does not depend on what was there: out would do", l, what)
		}
	case wrote:
	case reads:
		x.found.add(TooStrong, 0, k, "%v reads its %s and never changes it: in would do", l, what)
	case x.usedBelow(s):
		x.found.add(TooStrong, 0, k, "%v does not use its %s itself, only tasks below it do: weak would do", l, what)
	case x.writtenElsewhere(s):
		x.found.add(Superfluous, 0, k, "%v declares %s, and no body depended on it or changed it in these runs", l, what)
	}
}

// each calls f for the lives, in all runs with watched memory, whose access s is.
func (x *trials) each(s slot, f func(r *record, l *life) bool) bool {
	for _, r := range x.runs {
		for _, l := range r.lives {
			if l.class == s.class && s.access < len(l.accs) && l.accs[s.access].Kind() == s.kind && f(r, l) {
				return true
			}
		}
	}
	return false
}

// outside tells whether something other than bodies may use the bytes of the access.
func (x *trials) outside(s slot) bool {
	return x.each(s, func(r *record, l *life) bool {
		return l.outside || r == x.first.record && !share(l.spans[s.access], x.beyond).empty()
	})
}

// usedBelow tells whether a task below declares some of the bytes.
func (x *trials) usedBelow(s slot) bool {
	return x.each(s, func(r *record, l *life) bool {
		for _, u := range r.lives {
			if u == l || !l.above(u) {
				continue
			}
			for i := range u.accs {
				if !share(u.spans[i], l.spans[s.access]).empty() {
					return true
				}
			}
		}
		return false
	})
}

// writtenElsewhere tells whether another body changes the bytes. An item that no body changes may stand for something
// else: it is declared for the order.
func (x *trials) writtenElsewhere(s slot) bool {
	return x.each(s, func(r *record, l *life) bool {
		for _, u := range r.lives {
			for i, w := range u.wrote {
				if w && u != l && !share(u.spans[i], l.spans[s.access]).empty() {
					return true
				}
			}
		}
		return false
	})
}

// foreign is what a task of a class may be reading: an access of another one, which writes there and is not ordered with it.
type foreign struct {
	reader, writer string // paths
	access         int
	class          slot
	other          *record // has the two in another order than the first run
}

// undeclared looks for reads of bytes that tasks of a class do not declare.
func (x *trials) undeclared(who class) {
	var all []foreign
	for _, l := range x.first.lives {
		if l.class != who || l.begun == 0 {
			continue
		}
		for _, u := range x.first.lives {
			if u.combines || related(l, u) {
				continue
			}
			for i, a := range u.accs {
				if !writes(a) || !share(u.spans[i], x.beyond).empty() || !x.wrote[slot{u.class, i, a.Kind()}] || len(without(a, strong(l))) == 0 {
					continue
				}
				if other := x.otherOrder(l, u); other != nil && !apart(l, u, i, u.spans[i]) {
					all = append(all, foreign{l.path, u.path, i, slot{u.class, i, a.Kind()}, other})
				}
			}
		}
	}
	if len(all) == 0 {
		return
	}
	if verdict, _, _ := x.depends(who, bytesOf(all), false); verdict != 1 {
		return
	}
	if !x.steady() {
		return
	}
	done := map[slot]bool{}
	for _, f := range all {
		if done[f.class] {
			continue
		}
		done[f.class] = true
		var some []foreign
		for _, g := range all {
			if g.class == f.class {
				some = append(some, g)
			}
		}
		if verdict, _, _ := x.depends(who, bytesOf(some), false); verdict == 1 && x.steady() {
			l, u := x.first.byPath[f.reader], x.first.byPath[f.writer]
			x.found.add(Undeclared, f.other.seed, key(l, u), "%v depends on bytes that it does not declare, of what %v declares as %s: with other values there the run goes another way. Nothing orders the two: this run has them in another order than the first one. It needs in",
				l, u, ordinal(u, f.access))
		}
	}
}

// steady tells whether a run without other values still does what the first one did: goroutines outside the runtime may
// make runs differ.
func (x *trials) steady() bool {
	for range variants {
		if x.lost || x.differs(x.execute(inOrder, newRecord(x.checker, 0), &trial{})) {
			return false
		}
	}
	return true
}

func strong(l *life) (accs []deps.Access) {
	for _, a := range l.accs {
		if !a.IsWeak() {
			accs = append(accs, a)
		}
	}
	return accs
}

// bytesOf returns, for a task, what others declare and it does not, as far as they have been created.
func bytesOf(all []foreign) func(*record, *life) []deps.Access {
	return func(r *record, l *life) (accs []deps.Access) {
		own := strong(l)
		for _, f := range all {
			if u := r.byPath[f.writer]; f.reader == l.path && u != nil && f.access < len(u.accs) {
				rest := without(u.accs[f.access], own)
				accs = append(accs, rest...)
				own = append(own, rest...)
			}
		}
		return accs
	}
}
