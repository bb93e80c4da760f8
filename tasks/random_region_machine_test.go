package tasks_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
)

// regionMachine runs one region program once: a machine whose tasks touch many cells at a time.
type regionMachine struct {
	*machine
	p *regionProgram
	// Of a program with a mistake: the task that leaves out one of its accesses, and releases nothing.
	forgetful *regionTask
	forgets   int
	mistakes  int // that could be made
}

func newRegionMachine(p *regionProgram) *regionMachine {
	return &regionMachine{machine: newMachine(&program{cells: p.cells, tasks: p.tasks}), p: p}
}

// forget makes a random task leave out one of its accesses, and reports whether there is one to leave out.
func (m *regionMachine) forget(seed uint64) bool {
	r := rand.New(rand.NewPCG(seed, 11))
	m.p.root.each(func(t *regionTask) {
		for i, a := range t.accs {
			if a.kind != deps.KindReduction && len(t.accs) < 10 && t.needs(i) {
				m.mistakes++
				if r.IntN(m.mistakes) == 0 {
					m.forgetful, m.forgets = t, i
				}
			}
		}
	})
	return m.mistakes > 0
}

// needs tells whether the body touches a cell that only the i-th access declares.
func (t *regionTask) needs(i int) bool {
	for _, op := range t.ops {
		if op.do != opBegin {
			continue
		}
		for _, c := range op.acc.cells() {
			need := true
			for j, a := range t.accs {
				if slices.Contains(a.cells(), c) != (i == j) {
					need = false
					break
				}
			}
			if need {
				return true
			}
		}
	}
	return false
}

// missingSeeds is the environment variable that tells the race build which programs to run with an access missing.
const missingSeeds = "GOMPSS_MISSING_SEEDS"

// affine composes maps x → hi·x + lo, each in one word: associative, not commutative, neutral is 1·x + 0.
func affine(into, from *uint64) {
	a, b := uint32(*into>>32), uint32(*into)
	c, d := uint32(*from>>32), uint32(*from)
	*into = uint64(a*c)<<32 | uint64(c*b+d)
}

var affineOp = reduce.NewOp("affine", affine, func(p *uint64) { *p = 1 << 32 })

// contribute adds a task's part to a cell or a private copy of it.
func contribute(op reduceOp, id, cell, nth int, p *uint64) {
	v := hash(uint64(id), uint64(cell<<8+nth))
	switch op {
	case reduceSum:
		*p += v
	case reduceMax:
		*p = max(*p, v)
	case reduceAffine:
		v |= 1 << 32
		affine(p, &v)
	}
}

// begin starts a touch.
func (m *regionMachine) begin(id int, a regionAccess, mode touch) []span {
	var spans []span
	for _, c := range a.cells() {
		spans = append(spans, m.machine.begin(id, c, mode))
	}
	return spans
}

func (m *regionMachine) end(id int, spans []span) {
	for _, s := range spans {
		m.machine.end(id, s)
	}
}

// elide runs t and its descendants in program order without any runtime.
func (m *regionMachine) elide(t *regionTask) {
	m.ran[t.id]++
	for i, op := range t.ops {
		switch {
		case op.do == opSpawn:
			m.elide(op.kid)
		case op.do == opBegin && op.mode == touchReduce:
			for _, c := range op.acc.cells() {
				contribute(op.acc.op, t.id, c, i, &m.cells[c])
			}
		case op.do == opBegin:
			m.end(t.id, m.begin(t.id, op.acc, op.mode))
		}
	}
}

func (m *regionMachine) access(a regionAccess) deps.Access {
	s := m.cells[a.base : a.base+(a.rows-1)*a.ld+a.cols]
	var d deps.Access
	switch {
	case a.kind == deps.KindReduction && a.op == reduceSum:
		d = reduce.SumSlice(s)
	case a.kind == deps.KindReduction && a.op == reduceMax:
		d = reduce.MaxSlice(s)
	case a.kind == deps.KindReduction:
		d = reduce.Ordered(reduce.WithSlice(s, affineOp))
	case a.rows == 1:
		d = map[deps.Kind]func([]uint64) deps.Access{
			deps.KindIn: deps.InSlice[uint64], deps.KindOut: deps.OutSlice[uint64], deps.KindInOut: deps.InOutSlice[uint64],
			deps.KindConcurrent: deps.ConcurrentSlice[uint64], deps.KindCommutative: deps.CommutativeSlice[uint64],
		}[a.kind](s)
	default:
		d = map[deps.Kind]func([]uint64, int, int, int, int, int) deps.Access{
			deps.KindIn: deps.InTile[uint64], deps.KindOut: deps.OutTile[uint64], deps.KindInOut: deps.InOutTile[uint64],
			deps.KindConcurrent: deps.ConcurrentTile[uint64], deps.KindCommutative: deps.CommutativeTile[uint64],
		}[a.kind](s, a.ld, 0, a.rows, 0, a.cols)
	}
	if a.weak {
		d = deps.Weak(d)
	}
	return d
}

func (m *regionMachine) main(t *tasks.Task) error { return m.body(t, m.p.root) }

func (m *regionMachine) spawn(t *tasks.Task, k *regionTask) {
	clauses := []tasks.Clause{tasks.Label(fmt.Sprint(k.id)), tasks.If(!k.undeferred), tasks.Final(k.final)}
	if k.waitKids {
		clauses = append(clauses, tasks.WaitChildren)
	}
	for i, a := range k.accs {
		if k != m.forgetful || i != m.forgets {
			clauses = append(clauses, m.access(a))
		}
	}
	tasks.Spawn(t, func(t *tasks.Task) error { return m.body(t, k) }, clauses...)
}

func (m *regionMachine) body(t *tasks.Task, p *regionTask) error {
	if n := count(&m.ran[p.id], 1); n != 1 {
		m.fault("task %d runs for the %dth time", p.id, n)
	}
	defer count(&m.over[p.id], 1)
	for i, op := range p.ops {
		switch op.do {
		case opSpawn:
			m.spawn(t, op.kid)
		case opBegin:
			if op.mode == touchReduce {
				private := reduce.LocalSlice(t, m.cells[op.acc.base:op.acc.base+op.acc.cols])
				for j, c := range op.acc.cells() {
					contribute(op.acc.op, p.id, c, i, &private[j])
				}
				continue
			}
			spans := m.begin(p.id, op.acc, op.mode)
			if (p.id+i)%3 == 0 {
				runtime.Gosched()
			}
			m.end(p.id, spans)
		case opWait:
			if err := t.Wait(); err != nil {
				m.fault("Wait of %d: %v", p.id, err)
			}
			m.waited(p, i)
		case opWaitOn:
			var accs []deps.Access
			for _, a := range op.accs {
				accs = append(accs, m.access(a))
			}
			if err := t.WaitOn(accs...); err != nil {
				m.fault("WaitOn of %d: %v", p.id, err)
			}
		case opRelease:
			if p != m.forgetful {
				t.Release(m.access(op.acc))
			}
		case opHold:
			done := t.Hold()
			go func() { runtime.Gosched(); done(nil) }()
		case opSuspend:
			m.suspend(t, &progTask{id: p.id}, progOp{how: op.how})
		case opYield:
			t.Yield()
		case opGosched:
			runtime.Gosched()
		}
	}
	return nil
}

// waited checks that everything below the children spawned so far is over.
func (m *regionMachine) waited(p *regionTask, upTo int) {
	if race.Enabled {
		return
	}
	for _, op := range p.ops[:upTo] {
		if op.do != opSpawn {
			continue
		}
		op.kid.each(func(k *regionTask) {
			if look(&m.over[k.id]) != 1 {
				m.fault("Wait of %d returned before %d was over", p.id, k.id)
			}
		})
	}
}
