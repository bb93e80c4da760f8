package tasks_test

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/tasks"
)

// machine runs one program once. Cells hold chains of hashes and sums; folds hold what the tasks read. The watches see
// two touches at once that exclude each other. In race builds there are none: their atomics would order the bodies,
// and the detector sees more without.
type machine struct {
	p       *program
	cells   []uint64
	folds   []uint64 // by task
	ran     []int32  // bodies started, by task
	over    []int32  // bodies over
	pending []int32  // events not over
	ready   []int32  // OnReady calls over, with their events
	watches []watch
	crit    int
	wrong   atomic.Pointer[string]

	// Of runs that fail or are cancelled: which bodies stop where and how, and what waits returned. Then not every
	// body runs, and only exclusion is checked.
	loose   bool
	stops   map[int]stop
	never   bool // some suspensions end only with the run
	mu      sync.Mutex
	waits   []error
	stopped map[int]bool
}

// stop makes a body fail before one of its ops.
type stop struct {
	op     int
	panics bool
}

// taskFailure is the error of a task of a random program.
type taskFailure int

func (e taskFailure) Error() string { return fmt.Sprintf("failure of %d", int(e)) }

type watch struct{ readers, writers, atomics atomic.Int32 }

func newMachine(p *program) *machine {
	return &machine{
		p: p, cells: make([]uint64, p.cells), folds: make([]uint64, p.tasks), ran: make([]int32, p.tasks),
		over: make([]int32, p.tasks), pending: make([]int32, p.tasks), ready: make([]int32, p.tasks),
		watches: make([]watch, p.cells),
	}
}

func (m *machine) fault(format string, a ...any) {
	text := fmt.Sprintf(format, a...)
	m.wrong.CompareAndSwap(nil, &text)
}

// count adds to a word that others may look at meanwhile, or in race builds nobody looks at.
func count(p *int32, d int32) int32 {
	if race.Enabled {
		*p += d
		return *p
	}
	return atomic.AddInt32(p, d)
}

func look(p *int32) int32 { return atomic.LoadInt32(p) }

func hash(a, b uint64) uint64 {
	z := a*0x9e3779b97f4a7c15 + b + 0x632be59bd9b4e019
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// span is a touch under way.
type span struct {
	cell int
	mode touch
	seen uint64
}

func (m *machine) begin(id, cell int, mode touch) span {
	m.enter(id, cell, mode)
	s := span{cell, mode, 0}
	c := &m.cells[cell]
	switch mode {
	case touchSet:
		*c = hash(uint64(id), 1)
		s.seen = *c
	case touchAtomic:
		atomic.AddUint64(c, hash(uint64(id), 2))
	default:
		s.seen = *c
	}
	return s
}

func (m *machine) end(id int, s span) {
	c := &m.cells[s.cell]
	if s.mode != touchAtomic && *c != s.seen {
		m.fault("cell %d changed while task %d had it (%s)", s.cell, id, touchNames[s.mode])
	}
	switch s.mode {
	case touchRead:
		m.folds[id] = hash(m.folds[id], s.seen)
	case touchMix:
		*c = hash(s.seen, uint64(id))
	case touchSet:
		*c = hash(uint64(id), 3)
	case touchAdd:
		*c = s.seen + hash(uint64(id), 4)
	case touchAtomic:
		atomic.AddUint64(c, hash(uint64(id), 5))
	}
	m.leave(s.cell, s.mode)
}

func (m *machine) enter(id, cell int, mode touch) {
	if race.Enabled {
		return
	}
	w := &m.watches[cell]
	var r, x, a int32
	switch mode {
	case touchRead, touchPeek:
		w.readers.Add(1)
		x, a = w.writers.Load(), w.atomics.Load()
	case touchAtomic:
		w.atomics.Add(1)
		r, x = w.readers.Load(), w.writers.Load()
	default:
		x = w.writers.Add(1) - 1
		r, a = w.readers.Load(), w.atomics.Load()
	}
	if r+x+a != 0 {
		m.fault("task %d touches cell %d (%s) with %d readers, %d writers, %d atomics there", id, cell, touchNames[mode], r, x, a)
	}
}

func (m *machine) leave(cell int, mode touch) {
	if race.Enabled {
		return
	}
	w := &m.watches[cell]
	switch mode {
	case touchRead, touchPeek:
		w.readers.Add(-1)
	case touchAtomic:
		w.atomics.Add(-1)
	default:
		w.writers.Add(-1)
	}
}

// elide runs t and its descendants in program order without any runtime.
func (m *machine) elide(t *progTask) {
	var spans []span
	m.ran[t.id]++
	for _, op := range t.ops {
		switch op.do {
		case opSpawn:
			m.elide(op.kid)
		case opBegin:
			spans = append(spans, m.begin(t.id, op.cell, op.mode))
		case opEnd:
			spans = m.endOf(t.id, spans, op.cell)
		case opHold:
			if op.how == 2 {
				m.end(t.id, m.begin(t.id, op.cell, op.mode))
			}
		case opCritical:
			m.crit++
		}
	}
}

func (m *machine) endOf(id int, spans []span, cell int) []span {
	for i, s := range spans {
		if s.cell == cell {
			m.end(id, s)
			return append(spans[:i], spans[i+1:]...)
		}
	}
	panic("the program ends a span that it did not begin")
}

func (m *machine) access(a progAccess) deps.Access {
	var c *uint64
	if a.cell >= 0 {
		c = &m.cells[a.cell]
	}
	var d deps.Access
	switch a.kind {
	case deps.KindIn:
		d = deps.In(c)
	case deps.KindOut:
		d = deps.Out(c)
	case deps.KindInOut:
		d = deps.InOut(c)
	case deps.KindConcurrent:
		d = deps.Concurrent(c)
	case deps.KindCommutative:
		d = deps.Commutative(c)
	}
	if a.weak {
		d = deps.Weak(d)
	}
	return d
}

func (m *machine) list(accs []progAccess) deps.List {
	l := make(deps.List, len(accs))
	for i, a := range accs {
		l[i] = m.access(a)
	}
	return l
}

// main is the body for Runtime.Run.
func (m *machine) main(t *tasks.Task) error { return m.body(t, m.p.root) }

func (m *machine) spawn(t *tasks.Task, k *progTask) {
	clauses := []tasks.Clause{m.list(k.declared), tasks.Label(fmt.Sprint(k.id))}
	if len(k.declared) > 0 && k.id&1 == 0 {
		clauses = clauses[1:]
		for _, a := range k.declared {
			clauses = append(clauses, m.access(a))
		}
	}
	if k.final {
		clauses = append(clauses, tasks.Final(true))
	}
	if k.undeferred {
		clauses = append(clauses, tasks.If(false))
	}
	if k.waitKids {
		clauses = append(clauses, tasks.WaitChildren)
	}
	if k.priority != 0 {
		clauses = append(clauses, tasks.Priority(k.priority))
	}
	if k.onReady != 0 {
		clauses = append(clauses, tasks.OnReady(func(t *tasks.Task) { m.onReady(t, k) }))
	}
	tasks.Spawn(t, func(t *tasks.Task) error { return m.body(t, k) }, clauses...)
	if k.undeferred && !m.loose && !race.Enabled && look(&m.over[k.id]) != 1 {
		m.fault("Spawn of %d, not deferred, returned with %d bodies over", k.id, look(&m.over[k.id]))
	}
}

func (m *machine) onReady(t *tasks.Task, k *progTask) {
	if k.onReady == 1 {
		m.ready[k.id]++
		return
	}
	done := t.Hold()
	end := func() {
		m.ready[k.id]++
		done(nil)
	}
	if k.onReady == 2 {
		end()
		return
	}
	go func() {
		runtime.Gosched()
		end()
	}()
}

func (m *machine) body(t *tasks.Task, p *progTask) error {
	if n := count(&m.ran[p.id], 1); n != 1 {
		m.fault("task %d runs for the %dth time", p.id, n)
	}
	if p.onReady != 0 && m.ready[p.id] != 1 {
		m.fault("the body of %d runs before its OnReady is over", p.id)
	}
	if t.InFinal() != p.inFinal {
		m.fault("InFinal of %d is %v", p.id, t.InFinal())
	}
	defer count(&m.over[p.id], 1)
	var spans []span
	defer func() { // if the body does not come to its end
		for _, s := range spans {
			m.leave(s.cell, s.mode)
		}
	}()
	stop, stops := m.stops[p.id]
	for i, op := range p.ops {
		if stops && stop.op == i {
			m.mu.Lock()
			m.stopped[p.id] = true
			m.mu.Unlock()
			if stop.panics {
				panic(taskFailure(p.id))
			}
			return taskFailure(p.id)
		}
		switch op.do {
		case opSpawn:
			m.spawn(t, op.kid)
		case opBegin:
			spans = append(spans, m.begin(p.id, op.cell, op.mode))
		case opEnd:
			spans = m.endOf(p.id, spans, op.cell)
		case opWait:
			m.returned(p, "Wait", t.Wait())
			m.waited(p, i)
		case opWaitOn:
			m.returned(p, "WaitOn", t.WaitOn(m.list(op.accs)...))
		case opRelease:
			t.Release(m.list(op.accs)...)
		case opHold:
			m.hold(t, p, op)
		case opSuspend:
			m.suspend(t, p, op)
		case opYield:
			t.Yield()
		case opSleep:
			t.Sleep(time.Microsecond)
		case opCritical:
			t.Critical("random", func() {
				n := m.crit
				runtime.Gosched()
				m.crit = n + 1
			})
		case opGosched:
			runtime.Gosched()
		}
	}
	return nil
}

// returned takes what a wait returned.
func (m *machine) returned(p *progTask, verb string, err error) {
	switch {
	case err == nil:
	case m.loose:
		m.mu.Lock()
		m.waits = append(m.waits, err)
		m.mu.Unlock()
	default:
		m.fault("%s of %d: %v", verb, p.id, err)
	}
}

// waited checks that everything below the children spawned so far is over.
func (m *machine) waited(p *progTask, upTo int) {
	if race.Enabled || m.loose {
		return
	}
	for _, op := range p.ops[:upTo] {
		if op.do != opSpawn {
			continue
		}
		op.kid.each(func(k *progTask) {
			if look(&m.over[k.id]) != 1 || look(&m.pending[k.id]) != 0 {
				m.fault("Wait of %d returned before %d was over", p.id, k.id)
			}
		})
	}
}

func (m *machine) hold(t *tasks.Task, p *progTask, op progOp) {
	done := t.Hold()
	if op.how == 0 {
		done(nil)
		return
	}
	if !race.Enabled {
		count(&m.pending[p.id], 1)
	}
	go func() {
		runtime.Gosched()
		if op.how == 2 {
			s := m.begin(p.id, op.cell, op.mode)
			runtime.Gosched()
			m.end(p.id, s)
		}
		if !race.Enabled {
			count(&m.pending[p.id], -1)
		}
		done(nil)
	}()
}

func (m *machine) suspend(t *tasks.Task, p *progTask, op progOp) {
	err := t.Suspend(func(resume func()) {
		switch op.how {
		case 0:
			resume()
		case 1:
			go resume()
		case 2:
			if !m.never {
				go func() { runtime.Gosched(); resume(); resume() }()
			}
		}
	})
	m.returned(p, "Suspend", err)
}

// compare returns what is wrong with a run that should be like want.
func (m *machine) compare(want *machine) error {
	if text := m.wrong.Load(); text != nil {
		return fmt.Errorf("%s", *text)
	}
	for i, n := range want.ran { // 0: left out by shrink
		if m.ran[i] != n {
			return fmt.Errorf("task %d ran %d times", i, m.ran[i])
		}
	}
	for i := range m.cells {
		if m.cells[i] != want.cells[i] {
			return fmt.Errorf("cell %d is %#x, in program order it is %#x", i, m.cells[i], want.cells[i])
		}
	}
	for i := range m.folds {
		if m.folds[i] != want.folds[i] {
			return fmt.Errorf("task %d read other values than in program order", i)
		}
	}
	if m.crit != want.crit {
		return fmt.Errorf("%d critical sections, want %d", m.crit, want.crit)
	}
	return nil
}
