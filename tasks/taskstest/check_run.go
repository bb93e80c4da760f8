package taskstest

import (
	"cmp"
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// class is what tasks of one spawn statement have in common: what is said about one is said about all.
type class struct {
	label string
	body  uintptr
}

// life is what one task did in one run. The times count the run's events; 0 is never.
type life struct {
	class
	path     string // main, main/0, main/0/2: the same in every run of a program that spawns the same
	parent   *life
	depth    int
	children int
	combines bool // the runtime's own, or part of it
	accs     deps.List
	spans    [][]span // of accs
	freed    []span   // given up by its body
	freedIn  []span   // of what it reads; of what it may write, too, only the right to write was given up
	wrote    []bool   // by access: its body changed some of the bytes

	created, begun, over, released, done int
	waited                               bool // it gave its slot away
	outside                              bool // others may have used its accesses: tasks.EventOutside
	strays                               []stray
}

// stray is a change of bytes by a body that has not declared them strong.
type stray struct {
	span
	weak bool // it declared them weak
}

// String names the task in messages.
func (l *life) String() string {
	s := fmt.Sprintf("task %q (%s", l.label, l.path)
	if f := runtime.FuncForPC(l.body); f != nil {
		file, line := f.FileLine(l.body)
		s += fmt.Sprintf(", %s:%d", path.Base(file), line)
	}
	return s + ")"
}

// gaveUp tells whether l has released some of the bytes s of its access a.
func (l *life) gaveUp(a deps.Access, s span) bool {
	freed := l.freed
	if a.Kind() == deps.KindIn {
		freed = l.freedIn
	}
	return !share(freed, []span{s}).empty()
}

// shared tells whether the task's body is one of package worksharing: others, which declare nothing, do its work, and its
// accesses cannot be weak.
func (c class) shared() bool {
	f := runtime.FuncForPC(c.body)
	return f != nil && strings.HasPrefix(f.Name(), "github.com/gompss/gompss/worksharing.")
}

// above tells whether a is an ancestor of b, or b itself.
func (a *life) above(b *life) bool {
	for b.depth > a.depth {
		b = b.parent
	}
	return a == b
}

func related(a, b *life) bool { return a.above(b) || b.above(a) }

// below returns the ancestor of l, or l itself, that is a child of top.
func (l *life) below(top *life) *life {
	for l.parent != top {
		l = l.parent
	}
	return l
}

// common returns the nearest task above both.
func common(a, b *life) *life {
	for !a.above(b) {
		a = a.parent
	}
	return a
}

// record is one run, as its observer saw it. One body runs at a time; events come from other goroutines, too, so there
// is a lock.
type record struct {
	mu      sync.Mutex
	check   *checker
	seed    uint64 // 0: oldest first
	now     int
	byID    map[uint64]*life
	byPath  map[string]*life
	lives   []*life // in the order of creation
	running *life
	memory  memory
	trial   *trial // nil: changes are looked at
	ended   bool   // a run that was given up may still call
}

func newRecord(c *checker, seed uint64) *record {
	return &record{check: c, seed: seed, byID: map[uint64]*life{}, byPath: map[string]*life{}}
}

// Observe makes a record an Observer.
//
//go:norace
func (r *record) Observe(e tasks.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.now++
	l := r.byID[e.Task]
	if e.Kind == tasks.EventCreated {
		r.look()
		r.created(e)
		return
	}
	if l == nil {
		return
	}
	switch e.Kind {
	case tasks.EventBegins, tasks.EventResumes:
		r.look()
		if e.Kind == tasks.EventBegins {
			l.begun = r.now
		}
		r.running = l
		if r.trial != nil {
			r.trial.enter(l)
			debug.SetPanicOnFault(true)
		}
	case tasks.EventPauses, tasks.EventEnds:
		if r.trial != nil {
			r.trial.leave(l)
			debug.SetPanicOnFault(false)
		}
		r.look()
		r.running = nil
		if e.Kind == tasks.EventEnds {
			l.over = r.now
		} else {
			l.waited = true
		}
	case tasks.EventReleases:
		r.look()
		if e.Access.Kind() == deps.KindIn {
			l.freedIn = append(l.freedIn, spansOf(e.Access)...)
		} else {
			l.freed = append(l.freed, spansOf(e.Access)...)
		}
	case tasks.EventOutside:
		l.outside = true
	case tasks.EventReleased:
		r.look()
		l.released = r.now
	case tasks.EventDone:
		if l.released == 0 {
			r.look()
		}
		l.done = r.now
		l.released = cmp.Or(l.released, r.now)
	}
}

func (r *record) created(e tasks.Event) {
	l := &life{class: class{e.Label, e.Body}, path: "main", created: r.now, accs: e.Accesses}
	p := r.byID[e.Parent]
	if p == nil && len(r.lives) > 0 {
		p = r.lives[0] // of Runtime.Go: as independent of others as a child of main that declares nothing
	}
	if p != nil {
		l.parent, l.depth = p, p.depth+1
		l.combines = p.combines || e.Body == 0
		if e.Body == 0 {
			l.path = fmt.Sprintf("%s/combination %d", p.path, e.Task)
		} else {
			l.path = fmt.Sprintf("%s/%d", p.path, p.children)
			p.children++
		}
	}
	r.byID[e.Task] = l
	r.byPath[l.path] = l
	r.lives = append(r.lives, l)
	l.wrote = make([]bool, len(l.accs))
	for _, a := range l.accs {
		l.spans = append(l.spans, spansOf(a))
		r.memory.add(a)
	}
	if r.trial == nil {
		r.check.declared(r, l, e)
	}
}

// look finds out what the body that runs has changed since the last look.
func (r *record) look() {
	if r.trial != nil {
		return
	}
	l := r.running
	if l == nil || l.combines {
		r.memory.changes(nil)
		return
	}
	r.memory.changes(func(s span) { r.changed(l, s) })
}

// changed finds the body's right to change s.
func (r *record) changed(l *life, s span) {
	if r.byOthers(l, s) {
		return
	}
	weak, may, only := false, false, -1
	for i, spans := range l.spans {
		if share(spans, []span{s}).empty() {
			continue
		}
		a := l.accs[i]
		switch {
		case l.gaveUp(a, s):
		case a.IsWeak():
			weak = true
		case a.Kind() == deps.KindIn || a.Kind() == deps.KindReduction:
			only = i
		default: // perhaps beside an in: what a task declares twice it may do either way
			l.wrote[i] = true
			may = true
		}
	}
	r.underChild(l, s)
	switch {
	case may:
	case only >= 0:
		r.check.wroteDeclared(r, l, only)
	default:
		l.strays = append(l.strays, stray{s, weak})
	}
}

// byOthers tells whether a goroutine that acts in the name of a task other than l may have changed s.
func (r *record) byOthers(l *life, s span) bool {
	for _, u := range r.lives {
		if u == l || !u.outside || u.released != 0 {
			continue
		}
		for i, a := range u.accs {
			if writes(a) && !share(u.spans[i], []span{s}).empty() {
				return true
			}
		}
	}
	return false
}

// underChild looks for a task below l that may be using s.
func (r *record) underChild(l *life, s span) {
	for _, u := range r.lives {
		if u == l || u.released != 0 || u.over != 0 || u.combines || !l.above(u) {
			continue
		}
		for i, a := range u.accs {
			if a.IsWeak() || a.Kind() == deps.KindConcurrent || a.Kind() == deps.KindReduction {
				continue
			}
			if !share(u.spans[i], []span{s}).empty() && !u.gaveUp(a, s) {
				r.check.wroteUnderChild(r, l, u, i)
			}
		}
	}
}

// writes tells whether the access lets the task itself write.
func writes(a deps.Access) bool {
	return !a.IsWeak() && a.Kind() != deps.KindIn && a.Kind() != deps.KindReduction
}
