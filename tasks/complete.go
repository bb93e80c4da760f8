package tasks

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
)

// release gives the accesses of a task up whose body and events are over, and takes the task's own part off live.
//
//go:norace
func (s *slot) release(t *Task) {
	if t.flags&costed != 0 {
		t.cost.over()
	}
	if t.flags&held != 0 {
		if l := t.errs.Load(); l != nil && l.own != nil {
			t.fail(l.own)
		}
	}
	if t.err != nil && t.flags&recorded == 0 {
		t.node.Fail(t.err)
	}
	if t.more != nil && t.flags&(spawned|waitChildren) != spawned|waitChildren {
		t.more.settle(t)
	}
	if t.flags&spawned == 0 {
		t.node.Finish(s.mb)
		s.dispatch(s.mb.TakeReady())
		s.complete(t)
		return
	}
	if t.flags&waitChildren != 0 {
		// Nobody can follow the children now; the task's own accesses stay until the last of them is complete.
		t.node.CloseDomain(s.mb)
	} else {
		t.node.Finish(s.mb)
	}
	s.dispatch(s.mb.TakeReady())
	if t.isTraced() {
		s.traceReleased(t)
	}
	n := t.credit + 1
	t.credit = 0
	if atomic.AddInt32(&t.live, -n) == 0 {
		s.complete(t)
	}
}

// complete is called once, when t is deeply complete: by its own end or by its last child's. It goes on with the
// parents that become complete thereby, in a loop: nesting may be deep.
//
//go:norace
func (s *slot) complete(t *Task) {
	for {
		if t.flags&(spawned|waitChildren) == spawned|waitChildren {
			if race.Enabled { // the clause orders what the children did, too
				race.Enable()
				race.Acquire(unsafe.Pointer(&t.live))
				t.surrender()
				race.Disable()
			}
			if t.more != nil {
				t.more.settle(t)
			}
			t.node.Finish(s.mb)
			s.dispatch(s.mb.TakeReady())
		}
		if t.isTraced() {
			s.traceDone(t)
		}
		if t.more != nil && t.more.groups != nil {
			t.endGroups()
		}
		p := t.parent
		if p == nil {
			s.finish(t.run)
			return
		}
		if t.flags&recorded != 0 {
			t.cycle.failed()
		}
		var g *Group
		if t.run != p.run {
			g = t.run.group
			g.told(t)
		} else {
			if t.err != nil && t.answersFor(t.err) {
				p.errors().add(t.err)
			}
			if l := t.errs.Load(); l != nil {
				l.moveTo(p.errors())
			}
		}
		if t.flags&recorded == 0 {
			t.node.Drop(s.mb)
		} else if !s.roundOver(t.cycle) {
			return // it runs again
		}
		s.recycle()
		if g != nil {
			g.leave()
		}
		n := atomic.AddInt32(&p.live, -1)
		if n == 0 {
			t = p
			continue
		}
		if k := atomic.LoadInt32(&p.wakeAt); n <= k && atomic.CompareAndSwapInt32(&p.wakeAt, k, -1) {
			s.rt.enqueueFront(p)
		}
		return
	}
}

// external completes tasks for goroutines that hold no slot: whoever ends the last hold of a task.
type external struct {
	mu   sync.Mutex
	slot *slot // its number is −1: what it makes ready goes to the common queues
}

//go:norace
func (rt *Runtime) releaseExternal(t *Task) {
	s := rt.ext.slot
	rt.ext.mu.Lock()
	s.release(t)
	r := s.ended
	s.ended = nil
	rt.ext.mu.Unlock()
	for r != nil {
		next := r.nextEnded
		r.finished()
		r = next
	}
}

// finish ends a run whose root is complete. Go's callback may call the runtime, so not under the external slot's lock.
//
//go:norace
func (s *slot) finish(r *run) {
	if s.id >= 0 {
		r.finished()
		return
	}
	r.nextEnded = s.ended
	s.ended = r
}

// Free tasks. A task goes to the free list of the slot that drops it last. Lists that grow long give half of their
// tasks to a common one, from which slots that run out take: the creator of tasks is seldom who completes them.
const (
	freeBatch = 128
	freeMax   = 3 * freeBatch
)

type freeTasks struct {
	n     atomic.Int32 // batches
	mu    sync.Mutex
	head  *freeChunk
	spare *freeChunk
}

// freeChunk is a batch of tasks chained by Link.
type freeChunk struct {
	nodes *deps.Node
	next  *freeChunk
}

// recycle takes back the tasks to which nobody refers any more.
//
//go:norace
func (s *slot) recycle() {
	n := s.mb.TakeFree()
	if !recycling {
		return
	}
	for n != nil {
		next := n.Link
		taskOf(n).reset()
		n.Link = s.free
		s.free = n
		s.freeN++
		n = next
	}
	if s.freeN >= freeMax {
		s.shareFree()
	}
}

//go:norace
func (s *slot) shareFree() {
	first := s.free
	last := first
	for i := 1; i < freeBatch; i++ {
		last = last.Link
	}
	s.free = last.Link
	last.Link = nil
	s.freeN -= freeBatch
	f := &s.rt.spares
	f.mu.Lock()
	c := f.spare
	if c != nil {
		f.spare = c.next
	} else {
		c = new(freeChunk)
	}
	c.nodes = first
	c.next = f.head
	f.head = c
	f.n.Add(1)
	f.mu.Unlock()
}

// newTask returns a task with all fields zero.
//
//go:norace
func (s *slot) newTask() *Task {
	if s.free == nil && s.rt.spares.n.Load() > 0 {
		s.takeShared()
	}
	n := s.free
	if n == nil {
		return &Task{wakeAt: -1}
	}
	s.free = n.Link
	s.freeN--
	n.Link = nil
	return taskOf(n)
}

//go:norace
func (s *slot) takeShared() {
	f := &s.rt.spares
	f.mu.Lock()
	if c := f.head; c != nil {
		f.head = c.next
		f.n.Add(-1)
		s.free, s.freeN = c.nodes, freeBatch
		c.nodes = nil
		c.next = f.spare
		f.spare = c
	}
	f.mu.Unlock()
}

// reset makes a task that nobody refers to like new. Its node is reset by Init.
//
//go:norace
func (t *Task) reset() {
	t.body = nil
	t.worker = nil
	t.parent = nil
	t.run = nil
	t.label = ""
	t.priority = 0
	t.onReady = nil
	t.joiner = nil
	if t.cycle != nil {
		t.cycle = nil
	}
	if t.iterates != nil {
		t.iterates = nil
	}
	if t.more != nil {
		t.more = nil
	}
	if t.err != nil {
		t.err = nil
	}
	if t.errs.Load() != nil {
		t.errs.Store(nil)
	}
	t.flags = 0
	t.credit = 0
	t.allowed = 0
	t.born = 0
}
