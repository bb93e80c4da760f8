package conformance

import (
	"fmt"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// What the bodies of a program do, and what comes of it.

func (p *play) clauses(k *task) []tasks.Clause {
	clauses := []tasks.Clause{p.list(k.accs), tasks.Label(k.name), tasks.Final(k.flags&final != 0), tasks.If(k.flags&undeferred == 0)}
	if k.flags&waitKids != 0 {
		clauses = append(clauses, tasks.WaitChildren)
	}
	return clauses
}

func (p *play) list(accs []access) deps.List {
	list := make(deps.List, len(accs))
	for i, a := range accs {
		list[i] = a.of(p.arena)
	}
	return list
}

func (p *play) spawn(t *tasks.Task, k *task) {
	tasks.Spawn(t, func(t *tasks.Task) error { return p.body(t, k) }, p.clauses(k)...)
}

func (p *play) body(t *tasks.Task, k *task) error {
	p.gates.tell(word{k.id, true})
	p.touch(t, k)
	for i := range k.ops {
		p.await(t, k)
		if o := &k.ops[i]; o.do == doSpawn {
			p.spawn(t, o.kid)
		} else if err := p.perform(t, o); err != nil {
			return err
		}
		p.gates.tell(word{id: k.id})
	}
	p.await(t, k)
	return nil
}

// perform does an op that is not a spawn.
func (p *play) perform(t *tasks.Task, o *op) error {
	switch o.do {
	case doRelease:
		t.Release(p.list(o.accs)...)
	case doWait:
		return t.Wait()
	case doWaitOn:
		return t.WaitOn(p.list(o.accs)...)
	}
	return nil
}

// await keeps the body at its gate.
func (p *play) await(t *tasks.Task, k *task) {
	if p.gates.isOpen() {
		return
	}
	if p.single || p.suspends {
		_ = t.Suspend(func(resume func()) { p.gates.arm(k.id, resume) })
		return
	}
	p.gates.block(k.id)
}

// touch uses what the task declared, as declared: a race, or a wrong sum, if the order is not what it seems.
func (p *play) touch(t *tasks.Task, k *task) {
	if k.strays {
		return
	}
	for m := k.declared; m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(uint64(m))
		if k.at[c].weak {
			continue
		}
		switch x := &p.arena[c]; k.at[c].kind {
		case deps.KindIn:
			p.seen[k.id] = p.seen[k.id]*31 + *x
		case deps.KindOut:
			*x = int64(k.id + 2)
		case deps.KindInOut:
			*x = *x*3 + int64(k.id)
		case deps.KindConcurrent:
			atomic.AddInt64(x, int64(k.id))
		case deps.KindCommutative:
			*x += int64(k.id)
		case deps.KindReduction:
			y := (*int64)(t.PrivateCopy(unsafe.Pointer(x), 8))
			if k.at[c].op == sum {
				*y += int64(k.id)
			} else {
				*y *= 3
			}
		}
	}
}

// results compares with the program run in order, and sees to it that all of it ran.
func (p *play) results() error {
	for _, x := range p.all {
		if !x.over {
			return fmt.Errorf("%s was not over when Run returned", x.name)
		}
	}
	var want [cells]int64
	for c := range want {
		want[c] = 1
	}
	seen := make([]int64, len(p.all))
	for _, k := range p.all {
		if k.strays {
			continue
		}
		for m := k.declared; m != 0; m &= m - 1 {
			c := bits.TrailingZeros64(uint64(m))
			x := &want[c]
			switch r := k.at[c]; {
			case r.weak:
			case r.kind == deps.KindIn:
				seen[k.id] = seen[k.id]*31 + *x
			case r.kind == deps.KindOut:
				*x = int64(k.id + 2)
			case r.kind == deps.KindInOut:
				*x = *x*3 + int64(k.id)
			case r.kind == deps.KindReduction && r.op == prod:
				*x *= 3
			default:
				*x += int64(k.id)
			}
		}
	}
	for c := range want {
		if p.arena[c] != want[c] {
			return fmt.Errorf("cell %d is %d, in program order %d", c, p.arena[c], want[c])
		}
	}
	for i := range seen {
		if p.seen[i] != seen[i] {
			return fmt.Errorf("%s read other values than in program order", p.all[i].name)
		}
	}
	return nil
}
