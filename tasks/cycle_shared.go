package tasks

import (
	"fmt"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
)

// cycleToken excludes the tasks of a cycle that have it from each other (commutative). A task asks for its tokens when
// nothing else holds it back, for all at once: it gets them all, or it takes none and waits in the line of one that is
// taken. So nobody holds a token while it waits for another.
type cycleToken struct {
	held       bool
	head, tail *cycleNode // the line, chained by link
	sync       byte       // its address: one body with the token before the next
}

// take gives v all of its tokens, or puts it in line.
//
//go:norace
func (c *cycle) take(v *cycleNode) bool {
	c.exclusion.Lock()
	ok := c.takeLocked(v)
	c.exclusion.Unlock()
	return ok
}

//go:norace
func (c *cycle) takeLocked(v *cycleNode) bool {
	for _, k := range v.tokens {
		if k := &c.tokens[k]; k.held {
			v.link = nil
			if k.head == nil {
				k.head = v
			} else {
				k.tail.link = v
			}
			k.tail = v
			return false
		}
	}
	for _, k := range v.tokens {
		c.tokens[k].held = true
	}
	return true
}

// give takes v's tokens back and serves those who wait for one of them, first come first served among those who can go.
//
//go:norace
func (c *cycle) give(v *cycleNode, l *taskList) {
	c.exclusion.Lock()
	for _, k := range v.tokens {
		c.tokens[k].held = false
	}
	for _, i := range v.tokens {
		for k := &c.tokens[i]; !k.held && k.head != nil; {
			w := k.head
			k.head = w.link
			if c.takeLocked(w) { // otherwise it waits at another one now
				l.push(w.task)
			}
		}
	}
	c.exclusion.Unlock()
}

// renewer is what Copies may have that can be used again after they were combined; it reports whether these can.
type renewer interface{ Renew() bool }

// open gives the scope new copies. Nobody contributes meanwhile.
//
//go:norace
func (k *cycleScope) open() {
	if r, ok := k.copies.(renewer); ok && r.Renew() {
		return
	}
	k.copies = k.op.Open(k.item, k.bytes)
}

// combine is the body of the task that combines the scope's copies.
func (k *cycleScope) combine(t *Task) error { return fold(t, k.copies) }

//go:norace
func (v *cycleNode) privateCopy(item unsafe.Pointer, bytes uintptr) unsafe.Pointer {
	for i := range v.reduces {
		r := &v.reduces[i]
		if lo := uintptr(item); lo < uintptr(r.item) || lo+bytes > uintptr(r.item)+r.bytes {
			continue
		}
		if r.copy == nil {
			r.copy = r.scope.copies.Take(r.place)
		}
		return unsafe.Add(r.copy, uintptr(item)-uintptr(r.scope.item))
	}
	return nil
}

//go:norace
func (v *cycleNode) giveCopies() {
	for i := range v.reduces {
		if r := &v.reduces[i]; r.copy != nil {
			r.scope.copies.Give(r.copy)
			r.copy = nil
		}
	}
}

// refuse panics if a child of v's task, with the given clauses, uses what the task reduces. The scope is the cycle's, and
// the dependency engine, in which the child is ordered, knows nothing of it.
func (v *cycleNode) refuse(clauses []Clause) {
	for i := range clauses {
		switch c := clauses[i].(type) {
		case deps.Access:
			v.refuseOne(c)
		case deps.List:
			for j := range c {
				v.refuseOne(c[j])
			}
		}
	}
}

func (v *cycleNode) refuseOne(a deps.Access) {
	first, bytes := a.Region()
	for i := range v.reduces {
		r := &v.reduces[i]
		if lo := uintptr(first); lo < uintptr(r.item)+r.bytes && uintptr(r.item) < lo+bytes {
			panic(fmt.Sprintf("deps: %v of a child of task %q is on what the task, which was recorded, reduces: declare the reduction weak", a, v.task.Label()))
		}
	}
}

// The edges that the race detector is told. A task releases on its own address, and acquires from those of the tasks it
// waits for: a later round of one of those has not released yet, since it comes after this task. What a condition did comes
// before all that it let start, as if the body that evaluated it created the tasks.

//go:norace
func (v *cycleNode) acquire() {
	c := v.cycle
	race.Acquire(unsafe.Pointer(&c.sync))
	v.acquireEdges()
	v.acquireLetIn()
	for _, k := range v.tokens {
		race.Acquire(unsafe.Pointer(&c.tokens[k].sync))
	}
}

//go:norace
func (v *cycleNode) surrender() {
	race.ReleaseMerge(unsafe.Pointer(&v.index))
	v.surrenderLetIn()
	for _, k := range v.tokens {
		race.ReleaseMerge(unsafe.Pointer(&v.cycle.tokens[k].sync))
	}
}
