package worksharing_test

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
	"github.com/gompss/gompss/worksharing"
)

// A random step works on cells [lo, hi), reads those of [from, to), and knows the iteration i.
type step struct {
	kind     int
	lo, hi   int
	from, to int
	salt     int64
	priority int
}

const (
	cells     = 24
	stepKinds = 9
)

func randomStep(r *rand.Rand) step {
	s := step{kind: r.IntN(stepKinds), lo: r.IntN(cells), from: r.IntN(cells), salt: r.Int64N(50), priority: r.IntN(3) - 1}
	if r.IntN(3) > 0 { // blocks, so that equal items occur
		s.lo, s.from = s.lo/4*4, s.from/4*4
		s.hi, s.to = s.lo+4, s.from+4
	} else {
		s.hi, s.to = s.lo+1+r.IntN(cells-s.lo), s.from+1+r.IntN(cells-s.from)
	}
	return s
}

// seq is the step in a sequential program.
func (s step) seq(m []int64, i int64) {
	v := s.salt + i
	if s.kind < 3 || s.kind == 6 {
		for _, x := range m[s.from:s.to] {
			v += x
		}
	}
	for k := s.lo; k < s.hi; k++ {
		switch s.kind {
		case 0, 6:
			m[k] = 3*m[k] + v
		case 1:
			m[k] = v
		case 2: // all from the old values
			m[k] += v
		case 7, 8:
			m[k] = 5*m[k] + v
		default:
			m[k] += v
		}
	}
}

// spawn is the step as a task. index says which iteration a task is for.
func (s step) spawn(t *tasks.Task, m []int64, index func(*tasks.Task) int) {
	own, read := m[s.lo:s.hi], m[s.from:s.to]
	p := tasks.Priority(s.priority)
	switch s.kind {
	case 0, 2:
		tasks.Spawn(t, func(t *tasks.Task) { s.seq(m, int64(index(t))) }, deps.InSlice(read), deps.InOutSlice(own), p)
	case 1:
		tasks.Spawn(t, func(t *tasks.Task) { s.seq(m, int64(index(t))) }, deps.InSlice(read), deps.OutSlice(own), p)
	case 3:
		tasks.Spawn(t, func(t *tasks.Task) { s.seq(m, int64(index(t))) }, deps.CommutativeSlice(own), p)
	case 4:
		tasks.Spawn(t, func(t *tasks.Task) {
			for k := range own {
				atomic.AddInt64(&own[k], s.salt+int64(index(t)))
			}
		}, deps.ConcurrentSlice(own), p)
	case 5:
		tasks.Spawn(t, func(t *tasks.Task) {
			c := reduce.LocalSlice(t, own)
			for k := range c {
				c[k] += s.salt + int64(index(t))
			}
		}, reduce.SumSlice(own), p)
	case 6: // nested, the halves as children
		tasks.Spawn(t, func(t *tasks.Task) {
			a, b := s, s
			a.hi = (s.lo + s.hi) / 2
			b.lo = a.hi
			v := s.salt + int64(index(t))
			for _, x := range read {
				v += x
			}
			for _, h := range []step{a, b} {
				tasks.Spawn(t, func() {
					for k := h.lo; k < h.hi; k++ {
						m[k] = 3*m[k] + v
					}
				}, deps.InOutSlice(m[h.lo:h.hi]))
			}
		}, deps.InSlice(read), deps.InOutSlice(own), p)
	case 7: // nested and weak
		tasks.Spawn(t, func(t *tasks.Task) {
			v := s.salt + int64(index(t))
			tasks.Spawn(t, func() {
				for k := range own {
					own[k] = 5*own[k] + v
				}
			}, deps.InOutSlice(own))
		}, deps.Weak(deps.InOutSlice(own)), p)
	case 8:
		worksharing.For(t, s.hi-s.lo, worksharing.Dynamic(1), func(t *tasks.Task, lo, hi int) {
			for k := lo; k < hi; k++ {
				own[k] = 5*own[k] + s.salt + int64(index(t))
			}
		}, deps.InOutSlice(own), p)
	}
}

type program struct {
	steps  []step
	n      int
	unroll int
	while  bool
	update int // 0: no; 1: the same every time; 2: every third iteration leaves the first step out
}

func randomProgram(r *rand.Rand) program {
	p := program{n: r.IntN(9), unroll: 1 + r.IntN(3), while: r.IntN(3) == 0}
	if r.IntN(3) == 0 {
		p.update = 1 + r.IntN(2)
		p.unroll = 1
	}
	for range 1 + r.IntN(9) {
		p.steps = append(p.steps, randomStep(r))
	}
	return p
}

func (p program) stepsOf(i int) []step {
	if p.update == 2 && i%3 == 2 {
		return p.steps[1:]
	}
	return p.steps
}

func (p program) iterations() int {
	if p.while { // of whole rounds
		return (p.n + p.unroll - 1) / p.unroll * p.unroll
	}
	return p.n
}

func (p program) sequential() (m []int64) {
	m = make([]int64, cells)
	for k := range m {
		m[k] = int64(k)
	}
	for i := range p.iterations() {
		for _, s := range p.stepsOf(i) {
			s.seq(m, int64(i))
		}
	}
	for k := range m {
		m[k] *= 7
	}
	return m
}

// with runs the program, between two tasks on all cells, with the given loop.
func (p program) with(t *tasks.Task, m []int64, recorded bool) {
	tasks.Spawn(t, func() {
		for k := range m {
			m[k] = int64(k)
		}
	}, deps.OutSlice(m))
	switch {
	case !recorded:
		for i := range p.iterations() {
			for _, s := range p.stepsOf(i) {
				s.spawn(t, m, func(*tasks.Task) int { return i })
			}
		}
	case p.while:
		body := func(t *tasks.Task) {
			for _, s := range p.stepsOf(worksharing.Index(t)) {
				s.spawn(t, m, worksharing.Index)
			}
		}
		worksharing.IterWhile(t, func(t *tasks.Task) bool { return worksharing.Index(t) < p.n }, p.reads(m), body, p.clauses(m)...)
	default:
		worksharing.Iter(t, p.n, func(t *tasks.Task) {
			for _, s := range p.stepsOf(worksharing.Index(t)) {
				s.spawn(t, m, worksharing.Index)
			}
		}, p.clauses(m)...)
	}
	tasks.Spawn(t, func() {
		for k := range m {
			m[k] *= 7
		}
	}, deps.InOutSlice(m))
}

func (p program) reads(m []int64) deps.List {
	if p.n%2 == 0 {
		return nil
	}
	return deps.List{deps.InSlice(m[:p.n])}
}

func (p program) clauses(m []int64) []tasks.Clause {
	all := []tasks.Clause{deps.InOutSlice(m), worksharing.Unroll(p.unroll)}
	if p.update > 0 {
		all = append(all, worksharing.Update)
	}
	return all
}

// TestRandomIterations compares random loops, recorded, with the same loops spawned and with a sequential program.
func TestRandomIterations(t *testing.T) {
	var rts []*tasks.Runtime
	for workers := 1; workers <= 4; workers++ {
		rts = append(rts, newRuntime(t, workers))
	}
	for seed := range fewer(1500) {
		p := randomProgram(rand.New(rand.NewPCG(uint64(seed), 2)))
		want := p.sequential()
		check := func(how string, go1 func(main func(*tasks.Task) error) error, recorded bool) {
			got := make([]int64, cells)
			err := go1(func(t *tasks.Task) error { p.with(t, got, recorded); return nil })
			require.NoError(t, err)
			require.Equal(t, want, got, "%s, seed %d: %s", how, seed, fmt.Sprintf("%+v", p))
		}
		rt := rts[seed%len(rts)]
		on := func(main func(*tasks.Task) error) error { return runContext(t, rt, ctx, main) }
		check("recorded", on, true)
		if seed%8 == 0 {
			check("spawned", on, false)
			check("serial", func(main func(*tasks.Task) error) error { return taskstest.Serial(t, main) }, true)
			check("seeded", func(main func(*tasks.Task) error) error { return taskstest.RunSeed(t, uint64(seed), main) }, true)
		}
	}
}
