package main

import (
	"math"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

var (
	sparsemvType = tasks.NewType("sparsemv", 0)
	waxpbyType   = tasks.NewType("waxpby", 0)
	ddotType     = tasks.NewType("ddot", 1) // all others wait for them
	scalarType   = tasks.NewType("scalar", 2)
)

// A solver solves a·x = b. Its fields are the items of the tasks; vectors block by block.
type solver struct {
	cfg            *config
	a              []*rows
	b, x, r, p, ap []float64 // r is b − a·x, p the direction of the search, ap is a·p

	rr, pap  float64 // r·r, p·ap
	previous float64 // r·r an iteration ago
	alpha    float64 // how far to go along p
	beta     float64 // how much of the old direction is in the new

	residuals []float64 // the length of r at the start of each iteration
}

// newSolver returns a system whose exact solution is ones, and starts from zeros.
func newSolver(cfg *config) *solver {
	n := cfg.nx * cfg.ny * cfg.nz
	vector := func() []float64 { return make([]float64, n) }
	s := &solver{cfg: cfg, b: vector(), x: vector(), r: vector(), p: vector(), ap: vector()}
	s.previous = math.Inf(1) // which makes the first beta zero, and the first direction r
	for lo := 0; lo < n; lo += cfg.block {
		s.a = append(s.a, newRows(cfg, lo, min(lo+cfg.block, n)))
	}
	for i := range s.b {
		s.x[i] = 1
	}
	for _, rows := range s.a {
		rows.sparsemv(s.b, s.x)
	}
	clear(s.x)
	return s
}

// numbers returns how many numbers of the matrix are not zero.
func (s *solver) numbers() (n int) {
	for _, rows := range s.a {
		n += len(rows.numbers)
	}
	return n
}

// part returns the b-th block of v.
func (s *solver) part(v []float64, b int) []float64 { return v[s.a[b].lo:s.a[b].hi] }

// tasks spawns what serial does.
func (s *solver) tasks(t *tasks.Task) error {
	minusOne := -1.0
	s.spawnSparsemv(t, s.ap, s.x)
	s.spawnWaxpby(t, s.r, s.b, 1, &minusOne, s.ap)
	if s.cfg.form == "iter" {
		s.record(t)
		return nil
	}
	return s.loop(t)
}

// loop spawns the tasks of every iteration. Only a tolerance makes it wait for a number; the kernels go on meanwhile.
func (s *solver) loop(t *tasks.Task) error {
	for k := 0; k < s.cfg.iterations && t.Context().Err() == nil; k++ {
		s.iteration(t)
		if s.cfg.tolerance > 0 {
			if err := t.WaitOn(deps.In(&s.residuals)); err != nil {
				return err
			}
			if s.reached() {
				break
			}
		}
	}
	return nil
}

// record has the tasks of an iteration spawned once and run again and again. A tolerance holds no kernel up but the next
// iteration's.
func (s *solver) record(t *tasks.Task) {
	used := deps.List{
		deps.InOutSlice(s.x), deps.InOutSlice(s.r), deps.InOutSlice(s.p), deps.InOutSlice(s.ap), deps.InOut(&s.rr), deps.InOut(&s.pap),
		deps.InOut(&s.previous), deps.InOut(&s.alpha), deps.InOut(&s.beta), deps.InOut(&s.residuals),
	}
	if s.cfg.tolerance == 0 {
		worksharing.Iter(t, s.cfg.iterations, s.iteration, used)
		return
	}
	worksharing.IterWhile(t, func(*tasks.Task) bool {
		return len(s.residuals) == 0 || len(s.residuals) < s.cfg.iterations && !s.reached()
	}, deps.List{deps.In(&s.residuals)}, s.iteration, used)
}

// iteration spawns the same tasks with the same accesses each time it is called.
func (s *solver) iteration(t *tasks.Task) {
	s.spawnDdot(t, s.r, s.r, &s.rr)
	tasks.Spawn(t, s.nextBeta, scalarType,
		deps.In(&s.rr), deps.InOut(&s.previous), deps.Out(&s.beta), deps.InOut(&s.residuals))
	s.spawnWaxpby(t, s.p, s.r, 1, &s.beta, s.p)
	s.spawnSparsemv(t, s.ap, s.p)
	s.spawnDdot(t, s.p, s.ap, &s.pap)
	tasks.Spawn(t, s.nextAlpha, scalarType, deps.In(&s.rr), deps.In(&s.pap), deps.Out(&s.alpha))
	s.spawnWaxpby(t, s.x, s.x, 1, &s.alpha, s.p)
	s.spawnWaxpby(t, s.r, s.r, -1, &s.alpha, s.ap)
}

// spawnDdot has tasks leave x·y in *sum. They add to private copies of it, so they wait only for their blocks; the copies are
// added to *sum before anybody reads it.
func (s *solver) spawnDdot(t *tasks.Task, x, y []float64, sum *float64) {
	reduction := reduce.Sum(sum)
	if s.cfg.ordered {
		reduction = reduce.Ordered(reduction)
	}
	tasks.Spawn(t, func() { *sum = 0 }, scalarType, deps.Out(sum))
	for b := range s.a {
		bx, by := s.part(x, b), s.part(y, b)
		tasks.Spawn(t, func(t *tasks.Task) { *reduce.Local(t, sum) += ddot(bx, by) }, ddotType,
			deps.InSlice(bx), deps.InSlice(by), reduction)
	}
}

// spawnWaxpby has tasks set w to x + sign·c·y, with what c is by then.
func (s *solver) spawnWaxpby(t *tasks.Task, w, x []float64, sign float64, c *float64, y []float64) {
	for b := range s.a {
		bw, bx, by := s.part(w, b), s.part(x, b), s.part(y, b)
		tasks.Spawn(t, func() { waxpby(bw, bx, sign*(*c), by) }, waxpbyType,
			deps.In(c), deps.InSlice(bx), deps.InSlice(by), deps.OutSlice(bw))
	}
}

// spawnSparsemv has tasks set w to a·x. A block needs what lies up to a layer of the box before and after.
func (s *solver) spawnSparsemv(t *tasks.Task, w, x []float64) {
	for b, rows := range s.a {
		accesses := deps.List{deps.OutSlice(s.part(w, b))}
		for n := rows.first; n <= rows.last; n++ {
			accesses = append(accesses, deps.InSlice(s.part(x, n)))
		}
		tasks.Spawn(t, func() { rows.sparsemv(w, x) }, sparsemvType, accesses)
	}
}

func (s *solver) nextBeta() {
	s.beta, s.previous = quotient(s.rr, s.previous), s.rr
	s.residuals = append(s.residuals, math.Sqrt(s.rr))
}

func (s *solver) nextAlpha() { s.alpha = quotient(s.rr, s.pap) }

// quotient is zero when the solution is exact and there is nowhere to go.
func quotient(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// reached tells whether the last residual was at most the tolerance.
func (s *solver) reached() bool { return s.residuals[len(s.residuals)-1] <= s.cfg.tolerance }

// serial solves the system without tasks.
func (s *solver) serial() {
	sparsemv := func(w, x []float64) {
		for _, rows := range s.a {
			rows.sparsemv(w, x)
		}
	}
	dot := func(x, y []float64, sum *float64) {
		*sum = 0
		for b := range s.a {
			*sum += ddot(s.part(x, b), s.part(y, b))
		}
	}
	sparsemv(s.ap, s.x)
	waxpby(s.r, s.b, -1, s.ap)
	for range s.cfg.iterations {
		dot(s.r, s.r, &s.rr)
		s.nextBeta()
		waxpby(s.p, s.r, s.beta, s.p)
		sparsemv(s.ap, s.p)
		dot(s.p, s.ap, &s.pap)
		s.nextAlpha()
		waxpby(s.x, s.x, s.alpha, s.p)
		waxpby(s.r, s.r, -s.alpha, s.ap)
		if s.cfg.tolerance > 0 && s.reached() {
			return
		}
	}
}
