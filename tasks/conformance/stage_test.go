package conformance

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/tasks"
)

// stage is a runtime that programs are played on, one after the other.
type stage struct {
	rt     *tasks.Runtime
	single bool // one slot, Config.Pick: bodies at their gates are suspended; otherwise they keep their slots
	arena  []int64
	// suspends: many slots, of which bodies at their gates keep none.
	suspends bool
	picked   bool
	seed     uint64
}

// patience is how long the driver waits for what must happen on a stage with many slots; only failures take it.
const patience = 20 * time.Second

// newStage returns a stage with the given number of slots, or with 0 one with a slot whose order the stage decides.
func newStage(t testing.TB, slots int) *stage {
	s := &stage{arena: make([]int64, cells), single: slots == 0}
	c := tasks.Config{Workers: slots, Throttle: -1}
	if s.single {
		c.Workers, c.Pick = 1, s.pick
	}
	rt, err := tasks.New(c)
	require.NoError(t, err)
	s.rt = rt
	t.Cleanup(func() { require.NoError(t, rt.Close()) })
	return s
}

// play is one run of a program.
type play struct {
	*stage
	root   *task
	all    []*task
	gates  *gates
	heard  int
	choose policy
	rand   *rand.Rand
	log    []step
	seen   []int64 // what the readers read, by task
	met    map[[2]string]bool
	after  map[[2]string]bool // the second was entered when the first was over
}

type step struct{ id, op int }

// policy chooses which body goes on: of those at their gates, in program order.
type policy func(p *play, at []*task) *task

// run plays a program and returns what was wrong.
func (s *stage) run(root *task, choose policy) (*play, error) {
	p := &play{stage: s, root: root, all: number(root, nil, nil), choose: choose, met: map[[2]string]bool{}, after: map[[2]string]bool{}}
	words := 0
	for _, t := range p.all {
		words += 1 + len(t.ops)
	}
	p.gates = newGates(len(p.all), words, !p.single && !p.suspends)
	p.seen = make([]int64, len(p.all))
	for i := range s.arena {
		s.arena[i] = 1
	}
	p.rand = rand.New(rand.NewPCG(uint64(len(p.all)), uint64(words)))
	err := s.rt.Run(context.Background(), func(t *tasks.Task) (err error) {
		defer func() {
			if err != nil {
				fmt.Fprintln(os.Stderr, "conformance:", err) // now: if tasks were lost, Run does not return
				p.gates.openAll()
			}
		}()
		return p.drive(t)
	})
	if err == nil {
		err = p.results()
	}
	if err != nil {
		err = fmt.Errorf("%w\n%v%s", err, root, p.steps())
	}
	return p, err
}

func (p *play) steps() string {
	var b strings.Builder
	b.WriteString("steps:")
	for _, s := range p.log {
		t := p.all[s.id]
		switch {
		case s.op == len(t.ops):
			fmt.Fprintf(&b, " end(%s)", t.name)
		case t.ops[s.op].do == doSpawn:
			fmt.Fprintf(&b, " spawn(%s)", t.ops[s.op].kid.name)
		case t.ops[s.op].do == doWait:
			fmt.Fprintf(&b, " wait(%s)", t.name)
		default:
			fmt.Fprintf(&b, " %s(%s)", [...]string{doRelease: "release", doWaitOn: "waitOn"}[t.ops[s.op].do], t.name)
		}
	}
	return b.String()
}

// drive is the body of the main task.
func (p *play) drive(t *tasks.Task) error {
	p.root.kids, p.root.scopes = nil, nil
	p.spawn(t, p.root)
	for {
		if err := p.settle(t); err != nil {
			return err
		}
		p.meet()
		var at []*task
		left := false
		for _, x := range p.all {
			if x.started && !x.over {
				left = true
				if !x.pending {
					at = append(at, x)
				}
			}
		}
		if len(at) == 0 {
			if left {
				return errors.New("the program waits for itself")
			}
			return nil
		}
		p.act(p.choose(p, at))
	}
}

// act lets x take its next step. The oracle knows of it first.
func (p *play) act(x *task) {
	p.log = append(p.log, step{x.id, x.next})
	if x.next == len(x.ops) {
		end(x)
	} else {
		p.begin(x)
	}
	p.gates.pass(x.id)
}

// begin tells the oracle that x is about to do its next op.
func (p *play) begin(x *task) {
	x.pending = true
	switch o := x.ops[x.next]; o.do {
	case doSpawn:
		create(x, o.kid)
	case doRelease:
		for _, a := range o.accs {
			give(x, a)
		}
	case doWait:
		x.closeScopes(^mask(0))
	case doWaitOn:
		w := &task{name: "taskwait on", accs: o.accs, placeholder: true, started: true}
		w.declare()
		create(x, w)
	}
}

// leave tells the oracle that the op is over.
func (p *play) leave(x *task) error {
	if !x.mayReturn() {
		return fmt.Errorf("a wait of %s returned too early", x.name)
	}
	if x.ops[x.next].do == doWaitOn {
		x.kids[len(x.kids)-1].over = true
	}
	x.next++
	x.pending = false
	return nil
}

// enter tells the oracle that x's body runs.
func (p *play) enter(x *task) error {
	switch {
	case x.started:
		return fmt.Errorf("%s runs twice", x.name)
	case !mayStart(x):
		return fmt.Errorf("%s started too early", x.name)
	case excluded(x, p.all):
		return fmt.Errorf("%s started while another commutative runs", x.name)
	}
	x.started = true
	return nil
}

// mayReturn tells whether the op that x has begun may be over.
func (x *task) mayReturn() bool {
	switch o := x.ops[x.next]; o.do {
	case doSpawn:
		return o.kid.flags&undeferred == 0 || o.kid.over
	case doWait:
		return x.childrenComplete()
	case doWaitOn:
		return mayStart(x.kids[len(x.kids)-1])
	}
	return true
}

// listen takes what bodies have said.
func (p *play) listen() error {
	for {
		w, ok := p.gates.hear(p.heard)
		if !ok {
			return nil
		}
		p.heard++
		x := p.all[w.id]
		if !w.entered {
			if err := p.leave(x); err != nil {
				return err
			}
			continue
		}
		if err := p.enter(x); err != nil {
			return err
		}
		for _, y := range p.all {
			if y.over {
				p.after[[2]string{y.name, x.name}] = true
			}
		}
	}
}

// missing returns what should have happened and has not.
func (p *play) missing() error {
	for _, x := range p.all {
		switch {
		case x.pending && x.mayReturn():
			return fmt.Errorf("an op of %s has not returned: %v", x.name, x.ops[x.next].do)
		case !x.started && (x.parent == nil || x.parent.has(x)) && mayStart(x) && !excluded(x, p.all):
			return fmt.Errorf("%s has not started", x.name)
		}
	}
	return nil
}

// has tells whether x was created.
func (t *task) has(x *task) bool { return x.index < len(t.kids) && t.kids[x.index] == x }

// settle returns when everything that must happen has happened; on a single slot, when nothing else can.
func (p *play) settle(t *tasks.Task) error {
	if p.single {
		p.looked()
		for again := true; again; {
			t.Yield()
			again = p.looked()
		}
		if err := p.listen(); err != nil {
			return err
		}
		return p.missing()
	}
	var late <-chan time.Time
	for {
		if err := p.listen(); err != nil {
			return err
		}
		err := p.missing()
		if err == nil {
			return nil
		}
		if late == nil {
			timer := time.NewTimer(patience)
			defer timer.Stop()
			late = timer.C
		}
		select {
		case <-p.gates.wakeup:
		case <-late:
			return err
		}
	}
}

// meet notes who is between entry and exit at the same time.
func (p *play) meet() {
	for i, x := range p.all {
		for _, y := range p.all[:i] {
			if x.started && !x.over && y.started && !y.over {
				p.met[[2]string{y.name, x.name}] = true
			}
		}
	}
}
