package tasks

import (
	"errors"
	"math"
	"math/bits"
	"sync"

	"github.com/gompss/gompss/internal/race"
)

// Version is one way to do what a task does (implements clause).
type Version[A any] struct {
	Name string
	Body func(t *Task, args A) error

	// Available, if not nil, tells whether the version can be taken now, for these arguments. It is called before the
	// body, on its goroutine, and must not block or spawn.
	Available func(args A) bool
}

// Versions is a kind of task that has several versions, all with the same accesses and effects. Which one a task runs is
// decided when it starts, by the time that each has taken so far: for every [Cost] class (powers of two; tasks without a
// Cost are one class) each available version is tried a few times, after that the one with the least time per unit runs,
// and the others are tried again now and then, the slower the more rarely: each gets about a sixtieth of the time.
// Time is from the body's start to its return, waits included; bodies that fail teach nothing. With Config.Serial or
// Config.Pick the first available version always runs.
//
// Make a Versions once and use it for every task of the kind. It is safe for concurrent use, by several runtimes too.
type Versions[A any] struct {
	label    string
	versions []Version[A]
	model    model
}

// NewVersions returns a kind of task with the given label and versions. It panics if there is none, or one without a body.
func NewVersions[A any](label string, versions ...Version[A]) *Versions[A] {
	if len(versions) == 0 {
		panic("tasks: NewVersions \"" + label + "\" without a version")
	}
	for i := range versions {
		if versions[i].Body == nil {
			panic("tasks: NewVersions \"" + label + "\" with a nil body: " + versions[i].Name)
		}
	}
	v := &Versions[A]{label: label}
	v.versions = append(v.versions, versions...)
	v.model.init(len(versions))
	return v
}

// Spawn creates a child task of parent, as the function [Spawn] does, that runs one of the versions with these arguments.
// If none is available when it starts, it fails with [ErrNoVersion]. Cost: that of Spawn and two allocations, and two
// short critical sections.
func (v *Versions[A]) Spawn(parent *Task, args A, clauses ...Clause) {
	c := &call[A]{of: v, args: args}
	c.more.label = v.label
	spawn(parent, c.run, clauses, &c.more)
}

// ErrNoVersion is the error of a task of which no version was available.
var ErrNoVersion = errors.New("tasks: no version of the task is available")

// Estimate is what a [Versions] has learned of one version.
type Estimate struct {
	Version   string
	Class     int     // cost class: of costs from 2^(Class−1) up to 2^Class exclusive; 0 is no cost
	Started   uint64  // times that it was chosen
	Measured  uint64  // times that it returned without error
	PerUnit   float64 // nanoseconds a unit of cost, or for a task without; recent ones count more
	Deviation float64 // of PerUnit from time to time
}

// Estimates returns what is known so far, ordered by class and version. Any goroutine may call it.
func (v *Versions[A]) Estimates() []Estimate {
	var all []Estimate
	for class := range v.model.classes {
		for i := range v.versions {
			if e, ok := v.model.read(class, i); ok {
				e.Version, e.Class = v.versions[i].Name, class
				all = append(all, e)
			}
		}
	}
	return all
}

// call is one task's body: the versions and the arguments.
type call[A any] struct {
	more more
	of   *Versions[A]
	args A
}

func (c *call[A]) run(t *Task) error {
	v := c.of
	var few [8]bool
	available := few[:0]
	for i := range v.versions {
		f := v.versions[i].Available
		available = append(available, f == nil || f(c.args))
	}
	class, units := t.costClass()
	i := v.model.choose(class, available, t.oneAtATime())
	if i < 0 {
		return ErrNoVersion
	}
	from := clock()
	err := v.versions[i].Body(t, c.args)
	if err == nil {
		v.model.learn(class, i, float64(clock()-from)/units)
	}
	return err
}

//go:norace
func (t *Task) costClass() (class int, units float64) {
	if t.flags&costed == 0 {
		return 0, 1
	}
	return bits.Len64(uint64(t.cost.units)), float64(t.cost.units)
}

// oneAtATime tells whether the runtime is one for tests, of which every run must equal the last.
//
//go:norace
func (t *Task) oneAtATime() bool { return t.run.rt.cfg.Serial || t.run.rt.cfg.Pick != nil }

const (
	tries = 3  // how often a version is tried before times are compared
	retry = 64 // after so many times the best one's, times how much slower it is, another one is tried again
)

// model chooses among versions by what it has seen.
type model struct {
	mu      sync.Mutex
	n       int
	classes [65]*costClass
}

// costClass is what is known for tasks of like cost.
type costClass struct {
	chosen   uint64
	versions []versionModel
}

type versionModel struct {
	started uint64
	last    uint64 // costClass.chosen when it was started
	per     estimate
}

//go:norace
func (m *model) init(n int) { m.n = n }

// choose returns a version, −1 if none is available.
//
//go:norace
func (m *model) choose(class int, available []bool, first bool) int {
	race.Disable()
	m.mu.Lock()
	c := m.classes[class]
	if c == nil {
		c = &costClass{versions: make([]versionModel, m.n)}
		m.classes[class] = c
	}
	i := c.choose(available, first)
	if i >= 0 {
		c.chosen++
		c.versions[i].started++
		c.versions[i].last = c.chosen
	}
	m.mu.Unlock()
	race.Enable()
	return i
}

//go:norace
func (c *costClass) choose(available []bool, first bool) int {
	fewest, best := -1, -1
	for i := range available {
		if !available[i] {
			continue
		}
		if first {
			return i
		}
		v := &c.versions[i]
		if v.started < tries && (fewest < 0 || v.started < c.versions[fewest].started) {
			fewest = i
		}
		if best < 0 || v.time() < c.versions[best].time() {
			best = i
		}
	}
	if fewest >= 0 || best < 0 {
		return fewest
	}
	for i := range available {
		if v := &c.versions[i]; available[i] && i != best && float64(c.chosen-v.last) >= retry*v.slower(&c.versions[best]) {
			return i
		}
	}
	return best
}

// time is what a version is expected to take; one that has never returned is the last choice.
//
//go:norace
func (v *versionModel) time() float64 {
	if v.per.n == 0 {
		return math.Inf(1)
	}
	return v.per.mean
}

// slower returns how many times the other one's time v takes.
//
//go:norace
func (v *versionModel) slower(than *versionModel) float64 {
	if v.per.n == 0 || than.per.n == 0 {
		return 1
	}
	return max(v.per.mean, 1) / max(than.per.mean, 1)
}

//go:norace
func (m *model) learn(class, i int, perUnit float64) {
	race.Disable()
	m.mu.Lock()
	m.classes[class].versions[i].per.add(perUnit)
	m.mu.Unlock()
	race.Enable()
}

//go:norace
func (m *model) read(class, i int) (e Estimate, ok bool) {
	race.Disable()
	m.mu.Lock()
	if c := m.classes[class]; c != nil && c.versions[i].started > 0 {
		v := &c.versions[i]
		e = Estimate{Started: v.started, Measured: v.per.n, PerUnit: v.per.mean, Deviation: math.Sqrt(v.per.variance)}
		ok = true
	}
	m.mu.Unlock()
	race.Enable()
	return e, ok
}
