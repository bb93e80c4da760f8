package tasks

import (
	"fmt"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
)

// PrivateCopy returns what stands for the given bytes of an item that t reduces, in t's private copy. It belongs to the
// body until it is over. Package reduce has typed forms (reduce.Local). It panics if t has no strong reduction of the
// bytes. Only the body's goroutine may call it.
//
//go:norace
func (t *Task) PrivateCopy(item unsafe.Pointer, bytes uintptr) unsafe.Pointer {
	t.current("PrivateCopy")
	if t.run.rt.cfg.Serial {
		return item // bodies run one after the other: the copy is the item
	}
	race.Disable()
	p := t.node.PrivateCopy(item, bytes)
	if p == nil && t.flags&recorded != 0 {
		p = t.cycle.privateCopy(item, bytes)
	}
	race.Enable()
	if p == nil {
		panic(fmt.Sprintf("deps: task %q does not reduce [%p,+%d) itself", t.Label(), item, bytes))
	}
	return p
}

// newCombiner returns the node of a task that will combine the private copies of a reduction among parent's children.
// It is called while a child is registered, for which credit is left.
//
//go:norace
func (s *slot) newCombiner(parent *deps.Node) *deps.Node {
	p := taskOf(parent)
	t := s.newTask()
	t.body, t.parent, t.run, t.label, t.live = combineBody, p, p.run, "reduction", 1
	t.flags = p.flags & traced
	t.bornOf(p)
	if race.Enabled {
		race.Enable()
		race.ReleaseMerge(unsafe.Pointer(t))
		race.Disable()
	}
	if p.credit < 2 {
		p.announceMore()
	}
	p.credit--
	s.stats.spawned++
	if t.isTraced() {
		s.traceCreate(t, p)
		s.observeCombiner(t, p)
	}
	return &t.node
}

var combineBody any = combine

// combine is the body of such a task. Large arrays are cut in pieces, which combine at the same time.
func combine(t *Task) error {
	return fold(t, t.node.Combination())
}

// fold combines the copies of a scope, as t's body.
func fold(t *Task, c deps.Copies) error {
	parts := c.Parts()
	for i := 1; i < parts; i++ {
		Spawn(t, func() { c.Combine(i) }, Option{kind: optLabel, s: "reduction"})
	}
	if parts > 0 {
		c.Combine(0)
	}
	return t.Wait()
}
