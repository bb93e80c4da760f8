package worksharing

import (
	"fmt"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// Loop spawns a child task of t that spawns a task for every range [lo, hi) of grain iterations of [0, n), the last one
// shorter, with body as its body (taskloop). It returns at once, and unlike OpenMP's taskloop nothing waits: the ranges
// run as their accesses allow, among them and with other loops' ranges. A grain of 0 is n divided by the number of slots,
// but at least 1.
//
// accs, which may be nil, returns the accesses of a range's task; its result is not kept. The task that spawns the
// ranges holds their place in the order of t's children by weak accesses. Which ones:
//
//   - If no clause is a weak access, those of all ranges: accs is called for each of them, once, before Loop returns.
//   - Otherwise those of the clauses. They must cover what the ranges access. Then accs is called later, by the spawning
//     task, so that t need not go through all ranges.
//
// A strong access among the clauses is one of every range's task, besides accs'. The other clauses hold for all of the
// tasks, but for OnReady: it runs once and, with Hold, delays the whole loop. With If(false) the ranges run one after the
// other, before Loop returns; with WaitChildren all accesses are kept until the whole loop is complete.
//
// A panic in body fails the range's task as it would any other. Loop panics if n or grain is negative or body nil, and
// where tasks.Spawn does.
//
// Cost: a spawn per range and one for the loop, with the accesses of all ranges, and two allocations per range.
func Loop(t *tasks.Task, n, grain int, body func(t *tasks.Task, lo, hi int), accs func(lo, hi int) []deps.Access, clauses ...tasks.Clause) {
	if body == nil {
		panic("worksharing: Loop of a nil body")
	}
	l := &tiled{run: func(t *tasks.Task, at tile) { body(t, at.lo[0], at.hi[0]) }}
	if accs != nil {
		l.accs = func(at tile) []deps.Access { return accs(at.lo[0], at.hi[0]) }
	}
	l.spawn(t, "Loop", []int{n}, []int{grain}, clauses)
}

// Loop2 is [Loop] over [0, n[0]) × [0, n[1]), in tiles of grain[0] × grain[1] (collapse(2)): body has the iterations with
// lo[0] ≤ i < hi[0] and lo[1] ≤ j < hi[1]. Tiles are spawned row by row. A grain[0] of 0 is that of Loop; 0 in another
// dimension is all of it.
func Loop2(t *tasks.Task, n, grain [2]int, body func(t *tasks.Task, lo, hi [2]int), accs func(lo, hi [2]int) []deps.Access, clauses ...tasks.Clause) {
	if body == nil {
		panic("worksharing: Loop2 of a nil body")
	}
	l := &tiled{run: func(t *tasks.Task, at tile) { body(t, [2]int(at.lo[:2]), [2]int(at.hi[:2])) }}
	if accs != nil {
		l.accs = func(at tile) []deps.Access { return accs([2]int(at.lo[:2]), [2]int(at.hi[:2])) }
	}
	l.spawn(t, "Loop2", n[:], grain[:], clauses)
}

// Loop3 is [Loop2] in three dimensions (collapse(3)).
func Loop3(t *tasks.Task, n, grain [3]int, body func(t *tasks.Task, lo, hi [3]int), accs func(lo, hi [3]int) []deps.Access, clauses ...tasks.Clause) {
	if body == nil {
		panic("worksharing: Loop3 of a nil body")
	}
	l := &tiled{run: func(t *tasks.Task, at tile) { body(t, at.lo, at.hi) }}
	if accs != nil {
		l.accs = func(at tile) []deps.Access { return accs(at.lo, at.hi) }
	}
	l.spawn(t, "Loop3", n[:], grain[:], clauses)
}

// tile is a range in each dimension; those that a loop does not have are [0, 1).
type tile struct{ lo, hi [3]int }

// tiled is a Loop of up to three dimensions.
type tiled struct {
	run  func(*tasks.Task, tile)
	accs func(tile) []deps.Access

	n, grain, tiles [3]int
	clauses         []tasks.Clause // of every tile's task
	list            deps.List      // of all tiles, if they were asked for beforehand
	ends            []int          // where in list those of each tile end
}

func (l *tiled) spawn(t *tasks.Task, verb string, n, grain []int, clauses []tasks.Clause) {
	l.n, l.grain, l.tiles = [3]int{1, 1, 1}, [3]int{1, 1, 1}, [3]int{1, 1, 1}
	for d := range n {
		if n[d] < 0 || grain[d] < 0 {
			panic(fmt.Sprintf("worksharing: %s of %d iterations in ranges of %d", verb, n[d], grain[d]))
		}
		l.n[d], l.grain[d] = n[d], grain[d]
		switch {
		case grain[d] > 0:
		case d == 0:
			l.grain[0] = max(1, n[0]/t.Runtime().Workers())
		default:
			l.grain[d] = max(1, n[d])
		}
		l.tiles[d] = ceil(l.n[d], l.grain[d])
	}
	var few [8]tasks.Clause
	source, covered := l.divide(few[:0], clauses)
	if l.accs != nil && !covered {
		source = append(source, l.ask())
	}
	tasks.Spawn(t, l.create, source...)
}

// divide sorts the clauses: it puts those of every tile's task into l.clauses, and returns those of the task that spawns
// them, behind source, and whether the program gave that one accesses of its own.
func (l *tiled) divide(source, clauses []tasks.Clause) (all []tasks.Clause, covered bool) {
	options := false
	for i := range clauses {
		switch c := clauses[i].(type) {
		case deps.Access:
			source = append(source, deps.Weak(c))
			if c.IsWeak() {
				covered = true
			} else {
				l.clauses = append(l.clauses, c)
			}
		case deps.List:
			for j := range c {
				source = append(source, deps.Weak(c[j]))
				if c[j].IsWeak() {
					covered = true
				} else {
					l.clauses = append(l.clauses, c[j])
				}
			}
		case tasks.Option:
			source = append(source, c)
			l.clauses = append(l.clauses, c)
			options = true
		case tasks.Type:
			source = append(source, c)
			l.clauses = append(l.clauses, c)
		default:
			source = append(source, c) // Spawn says what is wrong with it
		}
	}
	if options {
		l.clauses = append(l.clauses, tasks.OnReady(nil), tasks.InGroup(nil))
	}
	return source, covered
}

// ask collects the accesses of all tiles and returns them weak.
func (l *tiled) ask() deps.List {
	l.ends = make([]int, 0, l.tiles[0]*l.tiles[1]*l.tiles[2])
	l.each(func(at tile) {
		l.list = append(l.list, l.accs(at)...)
		l.ends = append(l.ends, len(l.list))
	})
	weak := make(deps.List, len(l.list))
	for i, a := range l.list {
		weak[i] = deps.Weak(a)
	}
	return weak
}

// create is the body of the task that spawns the tiles' tasks.
func (l *tiled) create(t *tasks.Task) {
	clauses := l.clauses
	if l.accs != nil {
		clauses = append(clauses[:len(clauses):len(clauses)], deps.List(nil))
	}
	i, from := 0, 0
	l.each(func(at tile) {
		if l.accs != nil {
			var accs deps.List
			if l.ends != nil {
				accs = l.list[from:l.ends[i]]
				from = l.ends[i]
				i++
			} else {
				accs = l.accs(at)
			}
			clauses[len(clauses)-1] = accs
		}
		tasks.Spawn(t, func(t *tasks.Task) { l.run(t, at) }, clauses...)
	})
}

// each calls f with the tiles in order, the last dimension fastest.
func (l *tiled) each(f func(tile)) {
	var at tile
	for i := range l.tiles[0] {
		at.lo[0], at.hi[0] = l.part(0, i)
		for j := range l.tiles[1] {
			at.lo[1], at.hi[1] = l.part(1, j)
			for k := range l.tiles[2] {
				at.lo[2], at.hi[2] = l.part(2, k)
				f(at)
			}
		}
	}
}

// part returns the i-th range of dimension d.
func (l *tiled) part(d, i int) (lo, hi int) {
	lo = i * l.grain[d]
	return lo, lo + min(l.grain[d], l.n[d]-lo)
}
