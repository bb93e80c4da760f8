package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// A flat program: main spawns, waits and waits on; some tasks fail.
type flatOp struct {
	accs       []progAccess
	wait, on   bool
	fail       flatFailure
	undeferred bool
	release    int // how many of accs the body releases before it fails
}

type flatFailure uint8

const (
	flatNone flatFailure = iota
	flatError
	flatPanic
	flatEvent   // its Hold ends with an error
	flatOnReady // OnReady panics
)

func newFlat(seed uint64) (ops []flatOp, cells int) {
	r := rand.New(rand.NewPCG(seed, 99))
	cells = 1 + r.IntN(5)
	g := &generator{r: r}
	var items []*item
	for c := range cells {
		items = append(items, &item{progAccess: progAccess{c, deps.KindInOut, false}})
	}
	for range 5 + r.IntN(40) {
		op := flatOp{}
		switch k := r.IntN(12); {
		case k == 0:
			op.wait = true
		case k == 1:
			op.on = true
			_, op.accs, _ = g.accesses(items, 1+r.IntN(2), false)
		default:
			_, op.accs, _ = g.accesses(items, r.IntN(4), true)
			if r.IntN(4) == 0 {
				op.fail = flatFailure(1 + r.IntN(4))
			}
			op.undeferred = r.IntN(8) == 0
			if r.IntN(4) == 0 {
				op.release = r.IntN(len(op.accs) + 1)
			}
		}
		ops = append(ops, op)
	}
	return ops, cells
}

// flatRun is what happened.
type flatRun struct {
	started []atomic.Bool // the task was not skipped
	ran     []atomic.Bool // its body ran
	returns []error       // of waits, by op
	final   error
}

func runFlat(rt *tasks.Runtime, ops []flatOp, cells int) *flatRun {
	f := &flatRun{started: make([]atomic.Bool, len(ops)), ran: make([]atomic.Bool, len(ops)), returns: make([]error, len(ops))}
	m := &machine{cells: make([]uint64, cells)}
	f.final = rt.Run(context.Background(), func(t *tasks.Task) error {
		for i, op := range ops {
			switch {
			case op.wait:
				f.returns[i] = t.Wait()
				continue
			case op.on:
				f.returns[i] = t.WaitOn(m.list(op.accs)...)
				continue
			}
			clauses := []tasks.Clause{m.list(op.accs), tasks.If(!op.undeferred), tasks.Label(fmt.Sprint(i))}
			if op.fail == flatOnReady {
				clauses = append(clauses, tasks.OnReady(func(*tasks.Task) { f.started[i].Store(true); panic(taskFailure(i)) }))
			}
			tasks.Spawn(t, func(t *tasks.Task) error {
				f.started[i].Store(true)
				f.ran[i].Store(true)
				t.Release(m.list(op.accs[:op.release])...)
				switch op.fail {
				case flatError:
					return taskFailure(i)
				case flatPanic:
					panic(taskFailure(i))
				case flatEvent:
					done := t.Hold()
					go func() { runtime.Gosched(); done(taskFailure(i)) }()
				}
				return nil
			}, clauses...)
		}
		return nil
	})
	return f
}

// flow is what a model knows of the failures that mark a cell, along the chain of accesses in program order. Accesses
// of one early class (readers, concurrents, commutatives) in a row are a group: they are not ordered among themselves,
// so the failure of one may or may not stop another.
type flow struct {
	class deps.Kind    // of the group at the end; in, concurrent or commutative
	into  map[int]bool // failures that mark the whole group
	now   map[int]bool // failures so far
}

func (c *flow) join(k deps.Kind) {
	if k == deps.KindOut {
		k = deps.KindInOut
	}
	if k == deps.KindInOut || k != c.class {
		c.class = k
		c.into = c.now
	}
}

func union(a, b map[int]bool) map[int]bool {
	u := map[int]bool{}
	for k := range a {
		u[k] = true
	}
	for k := range b {
		u[k] = true
	}
	return u
}

// checkFlat says what of the run was against the rules.
func checkFlat(ops []flatOp, cells int, f *flatRun) error {
	chains := make([]flow, cells)
	failed := map[int]bool{} // since the last Wait
	same := func(what string, err error) error {
		for i := range ops {
			if got := errors.Is(err, taskFailure(i)); got != failed[i] {
				return fmt.Errorf("%s: failure of %d is there: %v, want %v", what, i, got, failed[i])
			}
		}
		return nil
	}
	for i, op := range ops {
		if op.wait {
			if err := same(fmt.Sprintf("Wait at %d", i), f.returns[i]); err != nil {
				return err
			}
			clear(failed)
			chains = make([]flow, cells)
			continue
		}
		must, may := map[int]bool{}, map[int]bool{}
		for _, a := range op.accs {
			c := &chains[a.cell]
			if a.weak {
				continue // without children nothing stands in its place: it orders nobody
			}
			c.join(a.kind)
			if a.kind != deps.KindOut {
				must, may = union(must, c.into), union(may, c.now)
			}
		}
		started := f.started[i].Load()
		if op.on {
			started = f.returns[i] == nil
		}
		if started && len(must) > 0 {
			return fmt.Errorf("%d ran, although %v failed", i, must)
		}
		if !started && len(may) == 0 {
			return fmt.Errorf("%d did not run, although nothing before it failed", i)
		}
		if op.on && !started {
			one := false
			for k := range may {
				one = one || errors.Is(f.returns[i], taskFailure(k))
			}
			if !one {
				return fmt.Errorf("WaitOn at %d returned %v, which is not one of %v", i, f.returns[i], may)
			}
		}
		if want := started && op.fail != flatOnReady; !op.on && f.ran[i].Load() != want {
			return fmt.Errorf("the body of %d ran: %v, want %v", i, !want, want)
		}
		cause := map[int]bool{} // why the task counts as failed
		switch {
		case !started:
			cause = may
		case op.fail != flatNone:
			cause[i] = true
			failed[i] = true
		}
		for j, a := range op.accs {
			c := &chains[a.cell]
			good := f.ran[i].Load() && j < op.release
			switch {
			case a.kind == deps.KindIn:
			case len(cause) > 0 && !good:
				if a.weak {
					c.join(a.kind)
				}
				c.now = union(c.now, cause)
			case a.kind == deps.KindOut && !a.weak:
				c.now = nil
			}
		}
	}
	return same("Run", f.final)
}

func listFlat(ops []flatOp) string {
	var b strings.Builder
	for i, op := range ops {
		switch {
		case op.wait:
			fmt.Fprintf(&b, "%3d wait\n", i)
		case op.on:
			fmt.Fprintf(&b, "%3d wait on %v\n", i, op.accs)
		default:
			fmt.Fprintf(&b, "%3d spawn %v release %d fail %d if(false) %v\n", i, op.accs, op.release, op.fail, op.undeferred)
		}
	}
	return b.String()
}

// TestRandomFailures runs flat programs whose tasks fail: exactly those are skipped that the rules say, and the errors
// are returned exactly once.
func TestRandomFailures(t *testing.T) {
	s := newSetups(t)
	defer s.close()
	eachSeed(2, func(seed uint64) {
		ops, cells := newFlat(seed)
		for name, rt := range map[string]*tasks.Runtime{"serial": s.serial(), "picked": s.picked(seed), "real": s.real(seed)} {
			var f *flatRun
			_ = guarded(t, rt, func() error { f = runFlat(rt, ops, cells); return nil }, func() string { return listFlat(ops) })
			if err := checkFlat(ops, cells, f); err != nil {
				t.Fatalf("seed %d, %s: %v\n%s\nRun: %v", seed, name, err, listFlat(ops), f.final)
			}
		}
	})
}

// TestRandomNestedFailures lets tasks of nested programs fail anywhere in their bodies: every failure is returned by a
// Wait or by Run, and the graph drains.
func TestRandomNestedFailures(t *testing.T) {
	s := newSetups(t)
	defer s.close()
	eachSeed(4, func(seed uint64) {
		p := newProgram(seed)
		r := rand.New(rand.NewPCG(seed, 5))
		stops := map[int]stop{}
		p.root.each(func(t *progTask) {
			if t != p.root && len(t.ops) > 0 && r.IntN(6) == 0 {
				stops[t.id] = stop{r.IntN(len(t.ops)), r.IntN(3) == 0}
			}
		})
		for name, rt := range map[string]*tasks.Runtime{"picked": s.picked(seed), "real": s.real(seed)} {
			m := newMachine(p)
			m.loose, m.stops, m.stopped = true, stops, map[int]bool{}
			err := guarded(t, rt, func() error { return rt.Run(context.Background(), m.main) }, p.String)
			all := errors.Join(append(m.waits, err)...)
			var wrong error
			if text := m.wrong.Load(); text != nil {
				wrong = errors.New(*text)
			}
			for id := range m.stopped {
				if !errors.Is(all, taskFailure(id)) {
					wrong = fmt.Errorf("nobody returned the failure of %d", id)
				}
			}
			if errors.Is(err, tasks.ErrDeadlock) {
				wrong = err
			}
			if wrong != nil {
				t.Fatalf("seed %d, %s: %v\n%s\nstops %v", seed, name, wrong, p, stops)
			}
		}
	})
}

// TestRandomCancel cancels runs at a random moment.
func TestRandomCancel(t *testing.T) {
	before := runtime.NumGoroutine()
	s := newSetups(t)
	eachSeed(4, func(seed uint64) {
		p := newProgram(seed)
		r := rand.New(rand.NewPCG(seed, 6))
		rt := s.real(seed)
		if seed%5 == 0 {
			rt = s.picked(seed)
		}
		m := newMachine(p)
		m.loose, m.never = true, true
		why := errors.New("why")
		ctx, cancel := context.WithCancelCause(context.Background())
		turns := r.IntN(200)
		go func() {
			for range turns {
				runtime.Gosched()
			}
			cancel(why)
		}()
		err := guarded(t, rt, func() error { return rt.Run(ctx, m.main) }, p.String)
		switch text := m.wrong.Load(); {
		case text != nil:
			t.Fatalf("seed %d: %s\n%s", seed, *text, p)
		case err != nil && !errors.Is(err, why):
			t.Fatalf("seed %d: Run returned %v\n%s", seed, err, p)
		case err == nil:
			want := newMachine(p)
			want.elide(p.root)
			if err := m.compare(want); err != nil {
				t.Fatalf("seed %d: Run returned nil, but %v\n%s", seed, err, p)
			}
		}
		cancel(nil)
	})
	s.close()
	noLeak(t, before)
}

// noLeak waits until no more goroutines are there than before.
func noLeak(t *testing.T, before int) {
	t.Helper()
	for end := time.Now().Add(hangs / 4); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("goroutines are left, there were %d:\n%s", before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}
