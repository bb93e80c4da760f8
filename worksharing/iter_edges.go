package worksharing

import "github.com/gompss/gompss/deps"

// walk finds the edges. Tasks of the first round have the numbers from 0, those of the second follow.
type walk struct {
	*builder
	atoms  []atom
	before [][]int // what a task of the second round waits for, redundant edges included

	// By task: the last one for which it was put into a list, plus one.
	met, marked, implied []int
}

// atom is the state of some bytes.
type atom struct {
	kind  deps.Kind
	group []int // who uses the bytes together, last
	prior []int // the group before, for which each of these waits

	base   []int // who may have spoilt the bytes before the group
	spoilt []int // who may have spoilt them by now
}

// joins tells whether a task that does k may run together with the group, or one at a time in any order.
func (s *atom) joins(k deps.Kind) bool {
	return len(s.group) > 0 && s.kind == k && (k == deps.KindIn || k == deps.KindConcurrent || k == deps.KindCommutative)
}

func (w *walk) rounds() {
	n := len(w.uses)
	w.atoms = make([]atom, w.builder.atoms)
	w.before = make([][]int, n)
	w.met, w.marked, w.implied = make([]int, 2*n), make([]int, n), make([]int, 2*n)
	for v := range 2 * n {
		for _, u := range w.uses[v%n] {
			w.step(v, u)
		}
	}
	for v, list := range w.before {
		w.link(v, list)
	}
}

// step puts task v behind those that use an atom so far.
func (w *walk) step(v int, u use) {
	n := len(w.uses)
	s := &w.atoms[u.atom]
	if !s.joins(u.kind) {
		s.kind = u.kind
		s.prior, s.group = s.group, nil
		s.base = s.spoilt
		if u.kind != deps.KindIn {
			s.spoilt = nil
		}
	}
	s.group = append(s.group, v)
	if v >= n {
		v := v - n
		for _, p := range s.prior {
			if w.met[p] != v+1 {
				w.met[p] = v + 1
				w.before[v] = append(w.before[v], p)
			}
		}
		if u.kind != deps.KindOut {
			for _, p := range s.base {
				if x := &w.g.Tasks[p]; w.marked[p] != v+1 {
					w.marked[p] = v + 1
					x.Marks = append(x.Marks, v)
				}
			}
		}
	}
	if u.kind != deps.KindIn {
		s.spoilt = append(s.spoilt, v%n)
	}
}

// manyEdges into one task are not looked through for redundant ones.
const manyEdges = 64

// link adds the edges to task v, without those that an edge to and one from another task make redundant.
func (w *walk) link(v int, before []int) {
	n := len(w.uses)
	if len(before) > 1 && len(before) <= manyEdges {
		for _, p := range before {
			far := w.before[p%n]
			if len(far) > manyEdges {
				continue
			}
			for _, q := range far {
				if p < n {
					q -= n // p is a round earlier
				}
				if q >= 0 {
					w.implied[q] = v + 1
				}
			}
		}
	}
	for _, p := range before {
		if w.implied[p] == v+1 {
			continue
		}
		x := &w.g.Tasks[p%n]
		if p >= n {
			x.Same = append(x.Same, v)
		} else {
			x.Next = append(x.Next, v)
		}
	}
}
