package tasks

import (
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/deps"
)

// Graph is a cyclic graph of recorded tasks: what one round of a loop does, and how the next round depends on it. A round
// is Copies iterations. Package worksharing makes it from the accesses; [Task.Replay] runs it.
//
// Tasks are in program order. Every edge must come of a conflict: if one goes from a to b within a round, then a path
// must lead from b in that round to a in the next one; if one goes from a to b in the next round, then b stands before a,
// or is a, and a path leads from b to a within a round. Edges from and to a condition are exempt.
type Graph struct {
	Tasks   []GraphTask
	Scopes  []deps.Access // the reductions, one for each scope
	Copies  int           // iterations in a round
	Changed Change        // why the graph was recorded, for the statistics

	cycle *cycle
}

// GraphTask is one task of a Graph. Lists are of indices into Tasks.
type GraphTask struct {
	Recorded
	Copy   int   // which of the round's iterations it belongs to
	Same   []int // tasks of the same round that wait for it
	Next   []int // tasks of the next round that wait for it
	Hidden []int // as Next, but the program has declared no such order: it is not shown to the race detector
	End    []int // tasks with AtEnd that wait for its last round
	Marks  []int // tasks that must not run if it fails, each the next time

	Tokens    []int            // mutual exclusion: no two tasks that share a token run at once
	Reduces   []Contribution   // on private copies
	Combines  int              // 1 + the scope that it combines, with no body of its own; 0 for other tasks
	AtEnd     bool             // it runs once, after the last round of the tasks that have it in End
	Condition func(*Task) bool // Tasks[0] only: no task of a round starts before it returned true; false ends the loop
}

// Contribution is an access by which a task takes part in a scope.
type Contribution struct {
	Scope  int
	Access deps.Access
}

// Change is why a graph was recorded.
type Change uint8

const (
	FirstTime       Change = iota // there was none
	OtherTasks                    // the body spawned more tasks than before, or fewer
	OtherAccesses                 // a task had other accesses
	OtherProperties               // a task had another label, priority or cost, or was final
	changes
)

// GraphStats counts the graphs that loops recorded.
type GraphStats struct {
	Recorded uint64 // all of them
	// Of these, recorded anew because the body, called again, differed; see [Change].
	OtherTasks, OtherAccesses, OtherProperties uint64
	Rounds                                     uint64 // times that Replay was called with a graph that had run before
}

// graphCounts is GraphStats while it is counted.
type graphCounts struct {
	changed [changes]atomic.Uint64
	again   atomic.Uint64
}

//go:norace
func (c *graphCounts) stats() GraphStats {
	st := GraphStats{
		OtherTasks:      c.changed[OtherTasks].Load(),
		OtherAccesses:   c.changed[OtherAccesses].Load(),
		OtherProperties: c.changed[OtherProperties].Load(),
		Rounds:          c.again.Load(),
	}
	st.Recorded = c.changed[FirstTime].Load() + st.OtherTasks + st.OtherAccesses + st.OtherProperties
	return st
}

// newCycle builds what runs.
//
//go:norace
func newCycle(g *Graph) *cycle {
	c := &cycle{copies: int64(max(g.Copies, 1)), nodes: make([]cycleNode, len(g.Tasks)), scopes: make([]cycleScope, len(g.Scopes))}
	for i := range g.Scopes {
		a := &g.Scopes[i]
		k := &c.scopes[i]
		k.item, k.bytes = a.Region()
		k.op = a.Reduction()
	}
	tokens := 0
	for i := range g.Tasks {
		x, v := &g.Tasks[i], &c.nodes[i]
		v.cycle, v.copy, v.atEnd, v.condition = c, int64(x.Copy), x.AtEnd, x.Condition
		if x.Combines > 0 {
			v.combines = &c.scopes[x.Combines-1]
		}
		if x.Condition != nil {
			c.gated = true
		}
		v.succ = make([]*cycleNode, len(x.Same)+len(x.Next)+len(x.Hidden))
		n := 0
		for _, to := range x.Same {
			v.succ[n] = &c.nodes[to]
			c.nodes[to].same++
			n++
		}
		for _, to := range x.Next {
			v.succ[n] = &c.nodes[to]
			c.nodes[to].next++
			n++
		}
		v.hidden = len(x.Hidden)
		for _, to := range x.Hidden {
			v.succ[n] = &c.nodes[to]
			c.nodes[to].next++
			n++
		}
		v.end = c.list(x.End)
		for _, to := range v.end {
			to.same++
		}
		v.marks = c.list(x.Marks)
		v.tokens = make([]int, len(x.Tokens))
		for j, k := range x.Tokens {
			v.tokens[j] = k
			tokens = max(tokens, k+1)
		}
		v.reduces = make([]cycleReduction, len(x.Reduces))
		for j := range x.Reduces {
			r := &v.reduces[j]
			r.scope = &c.scopes[x.Reduces[j].Scope]
			r.item, r.bytes = x.Reduces[j].Access.Region()
			if r.scope.op.Ordered() {
				r.place = deps.NewPlace(nil, i)
			}
		}
	}
	c.tokens = make([]cycleToken, tokens)
	c.connect()
	c.linkBack()
	return c
}

//go:norace
func (c *cycle) list(indices []int) []*cycleNode {
	if len(indices) == 0 {
		return nil
	}
	l := make([]*cycleNode, len(indices))
	for i, to := range indices {
		l[i] = &c.nodes[to]
	}
	return l
}

// connect finds the parts of the graph that no edge joins, and how far apart two tasks of one can be.
//
//go:norace
func (c *cycle) connect() {
	n := len(c.nodes)
	first := make([]int, n+1) // neighbours, in both directions, of i are around[first[i]:first[i+1]]
	for i := range c.nodes {
		for _, to := range c.nodes[i].succ {
			first[i]++
			first[c.indexOf(to)]++
		}
	}
	sum := 0
	for i := range first {
		first[i], sum = sum, sum+first[i]
	}
	around := make([]int, sum)
	fill := make([]int, n)
	for i := range c.nodes {
		for _, to := range c.nodes[i].succ {
			j := c.indexOf(to)
			around[first[i]+fill[i]] = j
			fill[i]++
			around[first[j]+fill[j]] = i
			fill[j]++
		}
	}
	queue, depth := make([]int, n), make([]int, n)
	for i := range c.nodes {
		if c.nodes[i].part != nil {
			continue
		}
		p := c.parts
		if p == nil || !c.gated { // a condition decides for all
			p = &cyclePart{next: c.parts}
			c.parts = p
		}
		c.nodes[i].part = p
		queue[0], depth[i] = i, 0
		deepest := 0
		for at, end := 0, 1; at < end; at++ {
			x := queue[at]
			deepest = depth[x]
			for _, y := range around[first[x]:first[x+1]] {
				if c.nodes[y].part == nil {
					c.nodes[y].part = p
					depth[y] = depth[x] + 1
					queue[end] = y
					end++
				}
			}
		}
		p.reach = max(p.reach, int64(2*deepest))
	}
}

//go:norace
func (c *cycle) indexOf(v *cycleNode) int {
	return int((uintptr(unsafe.Pointer(v)) - uintptr(unsafe.Pointer(&c.nodes[0]))) / unsafe.Sizeof(cycleNode{}))
}
