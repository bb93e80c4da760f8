package conformance

import "github.com/gompss/gompss/deps"

// place puts a task that uses a, and may release some of it, into the tree; nil if it does not fit.
type place struct {
	name string
	put  func(name string, a access, ops, above []op) *task
}

// wide is the parent's access to what children use as a says.
func wide(a access) access {
	a.kind = deps.KindInOut
	return a
}

func writes(a access) bool { return a.kind == deps.KindOut || a.kind == deps.KindInOut }

// asInOut turns the releases of what children use into those of a parent that has it as inout.
func asInOut(ops []op) (wider []op) {
	for _, o := range ops {
		accs := make([]access, len(o.accs))
		for i, a := range o.accs {
			if a.kind != deps.KindIn {
				a.kind = deps.KindInOut
			}
			accs[i] = a
		}
		wider = append(wider, release(accs...))
	}
	return wider
}

func asWeak(ops []op) (w []op) {
	for _, o := range ops {
		accs := make([]access, len(o.accs))
		for i, a := range o.accs {
			accs[i] = weak(a)
		}
		w = append(w, release(accs...))
	}
	return w
}

// above are the releases of the parent, as a's kind has them.
var places = []place{
	{"a sibling", func(n string, a access, ops, above []op) *task { return T(n, a, ops) }},
	{"a weak sibling without children", func(n string, a access, ops, above []op) *task { return T(n, weak(a), asWeak(ops)) }},
	{"a child of a weak task", func(n string, a access, ops, above []op) *task {
		return T("above "+n, weak(a), T(n, a, ops), asWeak(above))
	}},
	{"a child of a strong task", func(n string, a access, ops, above []op) *task {
		return T("above "+n, a, T(n, a, ops), above)
	}},
	{"a child of a weak inout task", func(n string, a access, ops, above []op) *task {
		if a.kind == deps.KindInOut || a.kind == deps.KindIn && len(above) > 0 {
			return nil
		}
		return T("above "+n, weak(wide(a)), T(n, a, ops), asWeak(asInOut(above)))
	}},
	{"a child of a strong inout task", func(n string, a access, ops, above []op) *task {
		if a.kind == deps.KindInOut || a.kind == deps.KindIn && len(above) > 0 {
			return nil
		}
		return T("above "+n, wide(a), T(n, a, ops), asInOut(above))
	}},
	{"a grandchild of weak tasks", func(n string, a access, ops, above []op) *task {
		return T("over "+n, weak(a), T("above "+n, weak(a), T(n, a, ops), asWeak(above)), asWeak(above))
	}},
	{"a child of a weak task that waits", func(n string, a access, ops, above []op) *task {
		if len(above) > 0 {
			return nil
		}
		return T("above "+n, waitKids, weak(a), T(n, a, ops))
	}},
	{"a weak child of a final task", func(n string, a access, ops, above []op) *task {
		if len(ops) > 0 {
			return nil
		}
		return T("above "+n, final, weak(a), T(n, weak(a)), taskwait)
	}},
	{"a writer that appears late", func(n string, a access, ops, above []op) *task {
		if !writes(a) {
			return nil
		}
		return T("above "+n, weak(wide(a)), T("reads before "+n, in(a.in)), T(n, a, ops), asWeak(asInOut(above)))
	}},
	{"a child of a weak inout task of everything", func(n string, a access, ops, above []op) *task {
		if a.kind == deps.KindIn && len(above) > 0 {
			return nil
		}
		return T("above "+n, weak(inout(span(0, cells))), T(n, a, ops), asWeak(asInOut(above)))
	}},
	{"a child of a weak task that declared it in two accesses", func(n string, a access, ops, above []op) *task {
		if a.kind == deps.KindReduction {
			return nil // a contribution is to one scope
		}
		l, r := a.halves()
		return T("above "+n, weak(l), weak(r), T(n, a, ops), asWeak(above))
	}},
	{"two children of a weak task", func(n string, a access, ops, above []op) *task {
		if len(ops) > 0 {
			return nil
		}
		l, r := a.halves()
		return T("above "+n, weak(a), T(n+" left", l), T(n+" right", r))
	}},
	{partPlace, func(n string, a access, ops, above []op) *task {
		if a.kind == deps.KindCommutative || a.kind == deps.KindReduction || len(above) > 0 {
			return nil
		}
		l, _ := a.halves()
		return T("above "+n, stray, weak(l), T(n, a, ops))
	}},
	{waitedPlace, func(n string, a access, ops, above []op) *task {
		return T("above "+n, weak(a), T(n, a, ops), taskwait, asWeak(above))
	}},
	{strayPlace, func(n string, a access, ops, above []op) *task {
		if a.kind == deps.KindCommutative || len(above) > 0 {
			return nil
		}
		return T("above "+n, stray, T(n, a, ops))
	}},
}

