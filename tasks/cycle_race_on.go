//go:build race

package tasks

import (
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

// edges is what only the race detector wants to know of a recorded task.
type edges struct {
	before []*cycleNode // that it is ordered after, in this round or the last
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
