package worksharing

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/tasks"
)

// builder makes the cyclic graph of a loop from the tasks of one round.
//
// It goes through the round twice, as siblings would be registered one after the other, and keeps what it finds the second
// time: what a task waits for in its own round, and in the round before. What is further back it cannot meet: a group of
// tasks that may use some bytes together is followed by itself a round later at the latest. The state is kept for atoms, the
// bytes between two neighbouring ends of any accesses, so overlaps need no case of their own.
type builder struct {
	final bool // weak accesses are strong
	tasks []tasks.GraphTask
	g     *tasks.Graph
	uses  [][]use
	atoms int
}

// use is what a task does with an atom.
type use struct {
	atom int
	kind deps.Kind
}

// add appends the tasks of an iteration.
func (b *builder) add(iteration int, recorded []tasks.Recorded) {
	b.tasks = slices.Grow(b.tasks, len(recorded))
	for _, r := range recorded {
		b.tasks = append(b.tasks, tasks.GraphTask{Recorded: r, Copy: iteration})
	}
	b.g = &tasks.Graph{Copies: iteration + 1}
}

// graph returns the graph of the iterations that were added. With cond their rounds start after a task that reads reads.
func (b *builder) graph(cond func(*tasks.Task) bool, reads deps.List) *tasks.Graph {
	if cond != nil {
		c := tasks.GraphTask{Condition: cond, Recorded: tasks.Recorded{Label: "condition", Accesses: reads}}
		b.tasks = slices.Insert(b.tasks, 0, c)
	}
	b.placeCombinations()
	b.cut()
	b.exclude()
	w := walk{builder: b}
	w.rounds()
	for i := range b.g.Tasks {
		b.joinScope(i)
	}
	if cond != nil {
		b.barrier()
	}
	return b.g
}

// reduces tells whether task x takes part in the reduction a itself.
func (b *builder) reduces(x *tasks.GraphTask, a deps.Access) bool {
	return a.Kind() == deps.KindReduction && (!a.IsWeak() || x.Final || b.final)
}

// scope is one of a reduction while contributors may join.
type scope struct {
	number int
	access deps.Access
	alone  bool // nothing else uses the item, and the order does not matter: it is combined once
}

// placeCombinations moves the tasks into the graph and puts a combination where each scope is closed: before the first task
// that uses the item otherwise; at the end of the iteration if that is in a later one; and behind the loop if there is none
// and the order of contributions does not matter.
func (b *builder) placeCombinations() {
	b.g.Tasks = make([]tasks.GraphTask, 0, len(b.tasks)+4)
	var open []*scope
	for i := range b.tasks {
		x := &b.tasks[i]
		b.checkReductions(x)
		open = slices.DeleteFunc(open, func(s *scope) bool {
			closed := i > 0 && b.tasks[i-1].Copy < x.Copy && !s.alone
			if closed {
				b.combine(s)
			}
			return closed
		})
		for _, a := range x.Accesses {
			open = slices.DeleteFunc(open, func(s *scope) bool {
				closed := overlap(s.access, a) && !(b.reduces(x, a) && s.takes(a))
				if closed {
					b.combine(s)
				}
				return closed
			})
		}
		at := len(b.g.Tasks)
		b.g.Tasks = append(b.g.Tasks, *x)
		for _, a := range x.Accesses {
			if !b.reduces(x, a) {
				continue
			}
			k := slices.IndexFunc(open, func(s *scope) bool { return s.takes(a) })
			if k < 0 {
				k = len(open)
				open = append(open, &scope{number: len(b.g.Scopes), access: a, alone: b.alone(i, a)})
				b.g.Scopes = append(b.g.Scopes, a)
			}
			y := &b.g.Tasks[at]
			y.Reduces = append(y.Reduces, tasks.Contribution{Scope: open[k].number, Access: a})
		}
	}
	for _, s := range open {
		b.combine(s)
	}
}

// checkReductions panics if x uses what it reduces in another way, and takes repeated reductions out.
func (b *builder) checkReductions(x *tasks.GraphTask) {
	for i := 0; i < len(x.Accesses); i++ {
		a := x.Accesses[i]
		if !b.reduces(x, a) {
			continue
		}
		for j := len(x.Accesses) - 1; j >= 0; j-- {
			switch c := x.Accesses[j]; {
			case j == i || !overlap(a, c):
			case j > i && b.reduces(x, c) && covers(a, c) && covers(c, a) && a.Reduction() == c.Reduction():
				x.Accesses = slices.Delete(slices.Clone(x.Accesses), j, j+1)
			default:
				panic(fmt.Sprintf("deps: %v and %v of one task share bytes: what it reduces it cannot use otherwise", a, c))
			}
		}
	}
}

// takes tells whether a reduction of a joins the scope.
func (s *scope) takes(a deps.Access) bool {
	return s.access.Reduction() == a.Reduction() && covers(s.access, a)
}

// alone tells whether all that the loop does with the bytes of the reduction a, which task first is the first to declare,
// may be combined once, after the loop. What tasks before it do, every round again, is in scopes of its own.
func (b *builder) alone(first int, a deps.Access) bool {
	if a.Reduction().Ordered() {
		return false
	}
	of := scope{access: a}
	for i := range b.tasks {
		for _, c := range b.tasks[i].Accesses {
			if overlap(a, c) && (i < first || !(b.reduces(&b.tasks[i], c) && of.takes(c))) {
				return false
			}
		}
	}
	return true
}

func (b *builder) combine(s *scope) {
	last := b.g.Tasks[len(b.g.Tasks)-1].Copy
	b.g.Tasks = append(b.g.Tasks, tasks.GraphTask{
		Recorded: tasks.Recorded{Label: "reduction", Accesses: deps.List{s.access}},
		Copy:     last, Combines: s.number + 1, AtEnd: s.alone,
	})
}

// joinScope adds the edges between contributions and combinations. Only the next round's contributions wait for a
// combination, because they use the same private copies; by the rules for reductions they would not.
func (b *builder) joinScope(k int) {
	x := &b.g.Tasks[k]
	if x.Combines == 0 {
		return
	}
	for i := range b.g.Tasks {
		y := &b.g.Tasks[i]
		if !slices.ContainsFunc(y.Reduces, func(c tasks.Contribution) bool { return c.Scope == x.Combines-1 }) {
			continue
		}
		y.Marks = append(y.Marks, k)
		if x.AtEnd {
			y.End = append(y.End, k)
		} else {
			y.Same = append(y.Same, k)
			x.Hidden = append(x.Hidden, i)
		}
	}
}

// barrier has the condition, which waits for no task of the round before, wait for all.
func (b *builder) barrier() {
	for i := 1; i < len(b.g.Tasks); i++ {
		if slices.Contains(b.g.Tasks[i].Next, 0) {
			return
		}
	}
	for i := 1; i < len(b.g.Tasks); i++ {
		if x := &b.g.Tasks[i]; len(x.Same) == 0 && !x.AtEnd {
			x.Next = append(x.Next, 0)
		}
	}
}

type stretch struct{ lo, hi uintptr }

func runOf(a deps.Access, i int) stretch {
	p, n := a.Run(i)
	return stretch{uintptr(p), uintptr(p) + n}
}

func extent(a deps.Access) stretch {
	p, n := a.Region()
	return stretch{uintptr(p), uintptr(p) + n}
}

// covers is for reductions, which are contiguous.
func covers(a, b deps.Access) bool {
	x, y := extent(a), extent(b)
	return x.lo <= y.lo && y.hi <= x.hi
}

// overlap tells whether a byte belongs to both a and b.
func overlap(a, b deps.Access) bool {
	x, y := extent(a), extent(b)
	if x.hi <= y.lo || y.hi <= x.lo {
		return false
	}
	if a.Runs() == 1 && b.Runs() == 1 {
		return true
	}
	for i, j := 0, 0; i < a.Runs() && j < b.Runs(); {
		x, y := runOf(a, i), runOf(b, j)
		switch {
		case x.hi <= y.lo:
			i++
		case y.hi <= x.lo:
			j++
		default:
			return true
		}
	}
	return false
}

// cut finds the atoms and what each task does with them.
func (b *builder) cut() {
	count := 0
	b.eachRun(func(int, deps.Kind, stretch) { count++ })
	ends := make([]uintptr, 0, 2*count)
	b.eachRun(func(_ int, _ deps.Kind, r stretch) { ends = append(ends, r.lo, r.hi) })
	slices.Sort(ends)
	ends = slices.Compact(ends)
	b.atoms = len(ends)
	b.uses = make([][]use, len(b.g.Tasks))
	b.eachRun(func(i int, k deps.Kind, r stretch) {
		at, _ := slices.BinarySearch(ends, r.lo)
		for ; ends[at] < r.hi; at++ {
			b.uses[i] = append(b.uses[i], use{at, k})
		}
	})
	for i, u := range b.uses {
		slices.SortStableFunc(u, func(x, y use) int { return cmp.Compare(x.atom, y.atom) })
		out := u[:0]
		for _, x := range u {
			if n := len(out); n > 0 && out[n-1].atom == x.atom {
				out[n-1].kind = both(out[n-1].kind, x.kind)
			} else {
				out = append(out, x)
			}
		}
		b.uses[i] = out
	}
}

// eachRun calls f with the bytes that order each task, and what for: contributions do not, and what is combined at the end
// neither.
func (b *builder) eachRun(f func(task int, k deps.Kind, r stretch)) {
	for i := range b.g.Tasks {
		x := &b.g.Tasks[i]
		if x.AtEnd {
			continue
		}
		for _, a := range x.Accesses {
			k := a.Kind()
			if k == deps.KindReduction {
				if x.Combines == 0 && b.reduces(x, a) {
					continue
				}
				k = deps.KindInOut
			}
			for j := range a.Runs() {
				f(i, k, runOf(a, j))
			}
		}
	}
}

// both is what a task does that declares some bytes twice.
func both(a, b deps.Kind) deps.Kind {
	switch {
	case a == b:
		return a
	case a == deps.KindCommutative && b == deps.KindConcurrent, a == deps.KindConcurrent && b == deps.KindCommutative:
		return deps.KindCommutative
	}
	return deps.KindInOut
}

// exclude gives tasks that are commutative on the same bytes a token, one for all bytes with the same tasks.
func (b *builder) exclude() {
	at := map[int][]byte{} // the tasks of an atom, as a key
	for i, uses := range b.uses {
		for _, u := range uses {
			if u.kind == deps.KindCommutative {
				at[u.atom] = binary.LittleEndian.AppendUint64(at[u.atom], uint64(i))
			}
		}
	}
	tokens := map[string]int{}
	for i, uses := range b.uses {
		for _, u := range uses {
			key := string(at[u.atom])
			if u.kind != deps.KindCommutative || len(key) == 8 && !race.Enabled {
				continue // alone it excludes nobody but its own next round, which the race detector must be told
			}
			k, ok := tokens[key]
			if !ok {
				k = len(tokens)
				tokens[key] = k
			}
			if x := &b.g.Tasks[i]; !slices.Contains(x.Tokens, k) {
				x.Tokens = append(x.Tokens, k)
			}
		}
	}
}
