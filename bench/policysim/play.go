package main

import (
	"container/heap"
	"math/rand/v2"
)

// A policy orders ready tasks. Without a key it is what the runtime does: a queue for each slot, newest first, the oldest
// are stolen, and a successor that a task frees runs next.
type policy struct {
	name string
	key  func(w *world, t int) float64 // the largest goes first
	hops int                           // how far a new task raises the levels of those before it
	unit bool                          // as if all tasks cost the same
}

func raised(w *world, t int) float64 { return w.raised[t] }

var policies = []policy{
	{name: "runtime"},
	{name: "fifo", key: func(w *world, t int) float64 { return -float64(w.readied[t]) }},
	{name: "creation", key: func(w *world, t int) float64 { return -float64(t) }},
	{name: "type", key: func(w *world, t int) float64 { return w.ofKind[w.g.tasks[t].kind] }}, // the mean level of its type
	{name: "degree", key: func(w *world, t int) float64 { return w.degree[t] }},               // direct successors so far
	{name: "raised", key: raised, hops: 1 << 30},
	{name: "raised16", key: raised, hops: 16},
	{name: "raised4", key: raised, hops: 4},
	{name: "unit", key: raised, hops: 1 << 30, unit: true},
	{name: "known", key: func(w *world, t int) float64 { return w.g.tasks[t].level }},
}

// world is a run under way.
type world struct {
	g       *graph
	p       policy
	missing []int     // predecessors not over
	readied []int     // when, in order
	raised  []float64 // level as far as created tasks tell
	raises  int       // how often one was changed
	degree  []float64
	over    []bool
	ofKind  []float64 // mean level
	created int
	live    int
	count   int
	ready   []int // with a key: of all
	queues  [][]int
	idle    []int
	events  ends
	now     float64
	r       *rand.Rand
}

// play returns how long the graph takes, and how often a level was raised.
func play(g *graph, p policy, slots, window int) (float64, int) {
	n := len(g.tasks)
	w := &world{g: g, p: p, missing: make([]int, n), readied: make([]int, n), raised: make([]float64, n), degree: make([]float64, n), over: make([]bool, n),
		queues: make([][]int, slots), r: rand.New(rand.NewPCG(3, 4))}
	w.ofKind = make([]float64, len(g.kinds))
	times := make([]float64, len(g.kinds))
	for i := range g.tasks {
		w.ofKind[g.tasks[i].kind] += g.tasks[i].level
		times[g.tasks[i].kind]++
	}
	for i := range times {
		w.ofKind[i] /= times[i]
	}
	for s := range slots {
		w.idle = append(w.idle, s)
	}
	w.create(window)
	for {
		w.start()
		if len(w.events) == 0 {
			return w.now, w.raises
		}
		e := heap.Pop(&w.events).(end)
		w.now = e.at
		w.complete(e.task, e.slot)
		if w.live <= window/2 || len(w.ready) == 0 && len(w.idle) > 0 && w.live < 4*window {
			w.create(window)
		}
	}
}

// create lets the creator run ahead. It takes no time.
func (w *world) create(window int) {
	for w.live < window && w.created < len(w.g.tasks) {
		t := w.created
		w.created++
		w.live++
		for _, q := range w.g.tasks[t].preds {
			if !w.over[q] {
				w.missing[t]++
				w.degree[q]++
			}
		}
		w.raise(t, w.cost(t), w.p.hops)
		if w.missing[t] == 0 {
			w.put(t, 0)
		}
	}
}

func (w *world) raise(t int, level float64, hops int) {
	if level <= w.raised[t] {
		return
	}
	w.raised[t] = level
	w.raises++
	if hops == 0 {
		return
	}
	for _, q := range w.g.tasks[t].preds {
		if !w.over[q] {
			w.raise(q, level+w.cost(q), hops-1)
		}
	}
}

func (w *world) cost(t int) float64 {
	if w.p.unit {
		return 1
	}
	return w.g.tasks[t].cost
}

func (w *world) put(t, slot int) {
	w.count++
	w.readied[t] = w.count
	if w.p.key == nil {
		w.queues[slot] = append(w.queues[slot], t)
	} else {
		w.ready = append(w.ready, t)
	}
}

// complete ends a task; the slot becomes idle, or goes on with a successor.
func (w *world) complete(t, slot int) {
	w.over[t] = true
	w.live--
	next := -1
	for _, s := range w.g.tasks[t].succs {
		if s >= w.created {
			continue // counts when it is created
		}
		if w.missing[s]--; w.missing[s] == 0 {
			if w.p.key == nil && next < 0 {
				next = s
			} else {
				w.put(s, slot)
			}
		}
	}
	if next >= 0 {
		w.run(next, slot)
		return
	}
	w.idle = append(w.idle, slot)
}

func (w *world) run(t, slot int) {
	heap.Push(&w.events, end{w.now + w.g.tasks[t].cost, t, slot})
}

// start gives ready tasks to idle slots.
func (w *world) start() {
	for i := len(w.idle) - 1; i >= 0; i-- {
		slot := w.idle[i]
		t := w.take(slot)
		if t < 0 {
			continue
		}
		w.idle = append(w.idle[:i], w.idle[i+1:]...)
		w.run(t, slot)
	}
}

func (w *world) take(slot int) int {
	if w.p.key == nil {
		return w.takeOwn(slot)
	}
	best := -1
	for i, t := range w.ready {
		if best < 0 || w.p.key(w, t) > w.p.key(w, w.ready[best]) {
			best = i
		}
	}
	if best < 0 {
		return -1
	}
	t := w.ready[best]
	w.ready = append(w.ready[:best], w.ready[best+1:]...)
	return t
}

func (w *world) takeOwn(slot int) int {
	if q := w.queues[slot]; len(q) > 0 {
		t := q[len(q)-1]
		w.queues[slot] = q[:len(q)-1]
		return t
	}
	from := w.r.IntN(len(w.queues))
	for i := range w.queues {
		v := (from + i) % len(w.queues)
		if q := w.queues[v]; len(q) > 0 {
			n := min(32, (len(q)+1)/2)
			w.queues[slot] = append(w.queues[slot], q[1:n]...)
			w.queues[v] = q[n:]
			return q[0]
		}
	}
	return -1
}

// end is when a task will be over, on a slot.
type end struct {
	at         float64
	task, slot int
}

type ends []end

func (e ends) Len() int           { return len(e) }
func (e ends) Less(i, j int) bool { return e[i].at < e[j].at }
func (e ends) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *ends) Push(x any)        { *e = append(*e, x.(end)) }
func (e *ends) Pop() any          { o := *e; x := o[len(o)-1]; *e = o[:len(o)-1]; return x }
