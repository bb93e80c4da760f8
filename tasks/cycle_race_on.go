//go:build race

package tasks

import (
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

// edges is what only the race detector wants to know of a recorded task.
type edges struct {
	before []*cycleNode // that it is ordered after, in this round or the last
	let    *letIn       // of the round it runs; nil without a condition
}

// letIn is one evaluation of the condition: its address is released by it and acquired by all tasks of the round that it let
// start. One address for all evaluations would order a task behind a later one that happened to come first. They are
// chained; a task goes along from round to round, and what all have passed is garbage.
type letIn struct {
	sync byte
	next *letIn
}

// startLetIn prepares the first round.
//
//go:norace
func (c *cycle) startLetIn() {
	if !c.gated {
		return
	}
	first := new(letIn)
	for i := range c.nodes {
		c.nodes[i].let = first
	}
}

// nextLetIn follows the condition, which is that far already, or is it.
//
//go:norace
func (v *cycleNode) nextLetIn() {
	if v.let == nil || v.atEnd {
		return
	}
	if v.condition != nil {
		v.let.next = new(letIn)
	}
	v.let = v.let.next
}

//go:norace
func (v *cycleNode) acquireLetIn() {
	switch {
	case v.condition != nil: // the evaluation before
		race.Acquire(unsafe.Pointer(&v.index))
	case v.let != nil && !v.atEnd:
		race.Acquire(unsafe.Pointer(&v.let.sync))
	}
}

//go:norace
func (v *cycleNode) surrenderLetIn() {
	if v.condition != nil {
		race.ReleaseMerge(unsafe.Pointer(&v.let.sync))
	}
}

// linkBack fills before in.
//
//go:norace
func (c *cycle) linkBack() {
	for i := range c.nodes {
		v := &c.nodes[i]
		n := 0
		for j := range c.nodes {
			n += c.nodes[j].shown(v, nil)
		}
		v.before = make([]*cycleNode, n)
		n = 0
		for j := range c.nodes {
			n += c.nodes[j].shown(v, v.before[n:])
		}
	}
}

// shown puts v into the list once for each edge to x that the detector is to see, and returns how many there are.
//
//go:norace
func (v *cycleNode) shown(x *cycleNode, into []*cycleNode) (n int) {
	for _, list := range [2][]*cycleNode{v.succ[:len(v.succ)-v.hidden], v.end} {
		for _, to := range list {
			if to == x {
				if into != nil {
					into[n] = v
				}
				n++
			}
		}
	}
	return n
}

//go:norace
func (v *cycleNode) acquireEdges() {
	for _, u := range v.before {
		race.Acquire(unsafe.Pointer(&u.index))
	}
}
