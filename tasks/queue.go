package tasks

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/gompss/gompss/deps"
)

// queue is a first-in-first-out list of tasks under a lock, for what comes rarely or from outside the slots. n may be
// read without the lock to see whether it is worth taking.
type queue struct {
	n          atomic.Int64
	mu         sync.Mutex
	head, tail *deps.Node
	_          [64]byte
}

//go:norace
func (q *queue) push(t *Task) {
	q.mu.Lock()
	t.node.Link = nil
	if q.head == nil {
		q.head = &t.node
	} else {
		q.tail.Link = &t.node
	}
	q.tail = &t.node
	q.n.Add(1)
	q.mu.Unlock()
}

//go:norace
func (q *queue) pop() *Task { return q.popAt(0) }

// popAt removes the i-th task, or returns nil if there are not that many.
//
//go:norace
func (q *queue) popAt(i int) *Task {
	q.mu.Lock()
	at, before := &q.head, (*deps.Node)(nil)
	for ; i > 0 && *at != nil; i-- {
		before = *at
		at = &(*at).Link
	}
	n := *at
	if n == nil {
		q.mu.Unlock()
		return nil
	}
	*at = n.Link
	if q.tail == n {
		q.tail = before
	}
	n.Link = nil
	q.n.Add(-1)
	q.mu.Unlock()
	return taskOf(n)
}

// enqueueFront queues a body that may go on after it gave its slot away. Any goroutine may call it.
//
//go:norace
func (rt *Runtime) enqueueFront(t *Task) {
	t.flags |= resuming
	rt.front.push(t)
	rt.notify()
}

// enqueueBack queues a task behind all others. Any goroutine may call it.
//
//go:norace
func (rt *Runtime) enqueueBack(t *Task) {
	if rt.cfg.Pick != nil {
		rt.front.push(t)
	} else {
		rt.back.push(t)
	}
	rt.notify()
}

// pickChosen lets Config.Pick choose. Then all ready tasks are in front.
//
//go:norace
func (rt *Runtime) pickChosen(s *slot) *Task {
	if t := s.succ; t != nil { // kept by handOff, chosen already
		s.succ = nil
		return t
	}
	n := int(rt.front.n.Load())
	if n == 0 {
		return nil
	}
	return rt.front.popAt(rt.cfg.Pick(n))
}

// heap orders the ready tasks that have a priority: highest first, first come first served among equals. top is the
// highest priority in it, to be read without the lock; a program without priorities never takes the lock.
type heap struct {
	top atomic.Int64
	mu  sync.Mutex
	a   []heapItem
	n   int
	seq uint64
}

type heapItem struct {
	t   *Task
	seq uint64
}

// noPriority is top of an empty heap.
const noPriority = math.MinInt64

//go:norace
func (a heapItem) before(b heapItem) bool {
	if a.t.priority != b.t.priority {
		return a.t.priority > b.t.priority
	}
	return a.seq < b.seq
}

//go:norace
func (h *heap) push(t *Task) {
	h.mu.Lock()
	if h.n == len(h.a) {
		more := make([]heapItem, 2*len(h.a)+16)
		for i := range h.a {
			more[i] = h.a[i]
		}
		h.a = more
	}
	h.seq++
	i := h.n
	h.n++
	x := heapItem{t, h.seq}
	for i > 0 {
		up := (i - 1) / 2
		if !x.before(h.a[up]) {
			break
		}
		h.a[i] = h.a[up]
		i = up
	}
	h.a[i] = x
	h.top.Store(int64(h.a[0].t.priority))
	h.mu.Unlock()
}

// pop takes the best task if its priority is above floor.
//
//go:norace
func (h *heap) pop(floor int64) *Task {
	h.mu.Lock()
	if h.n == 0 || int64(h.a[0].t.priority) <= floor {
		h.mu.Unlock()
		return nil
	}
	t := h.a[0].t
	h.n--
	x := h.a[h.n]
	h.a[h.n] = heapItem{}
	if h.n > 0 {
		i := 0
		for {
			c := 2*i + 1
			if c >= h.n {
				break
			}
			if c+1 < h.n && h.a[c+1].before(h.a[c]) {
				c++
			}
			if !h.a[c].before(x) {
				break
			}
			h.a[i] = h.a[c]
			i = c
		}
		h.a[i] = x
		h.top.Store(int64(h.a[0].t.priority))
	} else {
		h.top.Store(noPriority)
	}
	h.mu.Unlock()
	return t
}
