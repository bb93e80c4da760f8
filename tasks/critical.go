package tasks

import (
	"sync"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

// critical is the lock of one name. Waiters are bodies, not cores: they give their slots away. It is handed over in
// the order of arrival.
type critical struct {
	name       string
	owner      *Task
	head, tail *criticalWaiter
	next       *critical
}

type criticalWaiter struct {
	w    *waiter
	next *criticalWaiter
}

// criticalList holds the names in use so far; programs have few.
type criticalList struct {
	mu   sync.Mutex
	head *critical
}

//go:norace
func (l *criticalList) findLocked(name string) *critical {
	for c := l.head; c != nil; c = c.next {
		if c.name == name {
			return c
		}
	}
	l.head = &critical{name: name, next: l.head}
	return l.head
}

// Critical runs body while no other task of the runtime is in a Critical of the same name (critical directive). A task
// that has to wait gives its slot away; the order is first come, first served. A task may be in several names at once,
// but not twice in one: that panics. If the run is cancelled while the task waits, the task ends with the cause.
//
//go:norace
func (t *Task) Critical(name string, body func()) {
	t.current("Critical")
	rt := t.run.rt
	race.Disable()
	l := &rt.criticals
	l.mu.Lock()
	c := l.findLocked(name)
	switch {
	case c.owner == t:
		l.mu.Unlock()
		race.Enable()
		panic("tasks: Critical(" + name + ") inside itself")
	case c.owner == nil:
		c.owner = t
		l.mu.Unlock()
	default:
		x := newWaiter(t)
		q := &criticalWaiter{w: x}
		if c.head == nil {
			c.head = q
		} else {
			c.tail.next = q
		}
		c.tail = q
		l.mu.Unlock()
		if t.wait(x, waitCritical, c) {
			race.Enable()
			panic(unwound{t.run.cancelCause()})
		}
	}
	race.Enable()
	race.Acquire(unsafe.Pointer(c))
	defer c.leave(l)
	body()
}

// leave hands the lock to the next waiter that was not interrupted.
//
//go:norace
func (c *critical) leave(l *criticalList) {
	race.ReleaseMerge(unsafe.Pointer(c))
	race.Disable()
	l.mu.Lock()
	c.owner = nil
	for c.head != nil && c.owner == nil {
		q := c.head
		c.head = q.next
		next := q.w.task
		c.owner = next // before the waiter can run
		if !q.w.resume() {
			c.owner = nil
		}
	}
	l.mu.Unlock()
	race.Enable()
}

// String is for Dump.
func (c *critical) String() string { return c.name }
