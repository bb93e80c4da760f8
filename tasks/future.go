package tasks

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
)

// Future is the result of a task that [Async] created, and an item that other tasks depend on. It may be copied around
// as a pointer, kept after the task and even the run is over, and used by any number of tasks and goroutines:
//
//	who                                          how
//	a task that is spawned after Async           declares [Future.In] and reads [Future.Value]
//	a task that has created or was given it      waits: [Future.Get]
//	a goroutine that is not a task, another run  waits: [Future.WaitContext], or selects on [Future.Done]
//
// In is an access like any other, so it orders siblings: a child of another task needs its parent to declare
// deps.Weak(f.In()), and of a task that does not, it is not ordered after f. Get needs no declaration and crosses all
// levels, at the price of a wait.
//
// A future is complete when its task would let others have its data: the body and its holds are over, with
// [WaitChildren] the children too. If the task fails or is skipped, tasks that declared In are skipped, as for any data,
// and the verbs that wait return why. The failure comes out of the creator's Wait all the same.
type Future[T any] struct {
	promise
	value T
	body  func(*Task) (T, error)
}

// promise is what is the same for futures of all types.
type promise struct {
	more     more // of the task
	item     byte // what the dependency engine orders
	over     atomic.Bool
	err      error // set before over
	label    string
	producer *Runtime

	mu      sync.Mutex
	waiters *promiseWaiter
	done    chan struct{} // made when asked for
}

type promiseWaiter struct {
	x    *waiter
	next *promiseWaiter
}

// Async creates a child task of t, as [Spawn] does, whose body returns a value, and returns that value's future at once.
// The clauses are those of Spawn. Cost: that of Spawn and three allocations.
func Async[T any](t *Task, body func(*Task) (T, error), clauses ...Clause) *Future[T] {
	t.current("Async")
	if body == nil {
		panic("tasks: Async of a nil body")
	}
	f := &Future[T]{body: body}
	f.producer = t.Runtime()
	f.more.promise = &f.promise
	spawn(t, f.produce, clauses, &f.more)
	return f
}

// produce is the task's body.
func (f *Future[T]) produce(t *Task) error {
	body := f.body
	f.body = nil
	v, err := body(t)
	if err == nil {
		f.value = v
	}
	return err
}

// In is the access of a task that reads the value.
//
//go:norace
func (f *Future[T]) In() deps.Access { return deps.In(&f.item) }

// Value returns the result, in a task that declared [Future.In] or one that has waited for it. It panics if the future is
// not complete or failed, which to a task that declared it cannot happen; race builds report the task that did neither.
func (f *Future[T]) Value() T {
	f.checkOver()
	return f.value
}

// Get waits until the future is complete and returns the result, or why there is none. t, whose body calls it, gives its
// slot away meanwhile. If t's run or group is cancelled first, the error is the cause. A task that waits for its own
// future panics; tasks that wait for each other end with [ErrDeadlock]. Cost: nothing if the future is complete,
// otherwise that of [Task.Suspend].
func (f *Future[T]) Get(t *Task) (T, error) {
	if err := f.await(t); err != nil {
		var none T
		return none, err
	}
	return f.value, nil
}

// WaitContext is [Future.Get] for goroutines that are not tasks: it blocks the goroutine. If ctx is cancelled first, the
// error is its cause. A body that calls it keeps its slot.
func (f *Future[T]) WaitContext(ctx context.Context) (T, error) {
	var none T
	select {
	case <-f.Done():
	default:
		select {
		case <-f.Done():
		case <-ctx.Done():
			return none, context.Cause(ctx)
		}
	}
	if err := f.outcome(); err != nil {
		return none, err
	}
	return f.value, nil
}

// Done returns a channel that is closed when the future is complete; then [Future.WaitContext] returns at once. Any
// goroutine may call it.
//
//go:norace
func (f *Future[T]) Done() <-chan struct{} { return f.channel() }

//go:norace
func (p *promise) channel() <-chan struct{} {
	race.Disable()
	p.mu.Lock()
	if p.done == nil {
		p.done = make(chan struct{})
		if p.over.Load() {
			close(p.done)
		}
	}
	c := p.done
	p.mu.Unlock()
	race.Enable()
	return c
}

//go:norace
func (p *promise) checkOver() {
	race.Disable()
	over := p.over.Load()
	race.Enable()
	if !over {
		panic("tasks: Value of a future that is not complete: the task that reads it declares its In, and so, at least weak, do its ancestors below the task that created it")
	}
	if p.err != nil {
		panic(fmt.Errorf("tasks: Value of a future that failed: %w", p.err))
	}
}

// await returns why there is no value.
//
//go:norace
func (p *promise) await(t *Task) error {
	t.current("Get")
	if t.more == &p.more {
		panic("tasks: Get of a future by the task \"" + t.Label() + "\" that produces it")
	}
	race.Disable()
	if !p.over.Load() {
		x := newWaiter(t)
		if p.enlist(x) && p.wait(t, x) {
			race.Enable()
			return t.run.why()
		}
	}
	race.Enable()
	return p.outcome()
}

// wait reports whether it was interrupted.
//
//go:norace
func (p *promise) wait(t *Task, x *waiter) bool {
	rt := t.run.rt
	if p.producer == rt {
		return t.wait(x, waitFuture, p)
	}
	rt.outside.Add(1) // seen from here another runtime is outside
	cut := t.wait(x, waitFuture, p)
	rt.outside.Add(-1)
	return cut
}

//go:norace
func (p *promise) outcome() error {
	race.Acquire(unsafe.Pointer(p))
	return p.err
}

// enlist reports false if there is nothing to wait for any more.
//
//go:norace
func (p *promise) enlist(x *waiter) bool {
	p.mu.Lock()
	wait := !p.over.Load()
	if wait {
		p.waiters = &promiseWaiter{x, p.waiters}
	}
	p.mu.Unlock()
	return wait
}

// settle ends the wait for t's future, just before t's accesses are given up.
//
//go:norace
func (p *promise) settle(t *Task) {
	err := t.err
	if c, ok := err.(*cancelled); ok {
		err = c.cause
	}
	p.mu.Lock()
	p.err = err
	p.over.Store(true)
	if p.done != nil {
		close(p.done)
	}
	q := p.waiters
	p.waiters = nil
	p.mu.Unlock()
	for ; q != nil; q = q.next {
		q.x.resume()
	}
}

// skipped tells the race detector that why a task did not run may be read by whoever waits for its future.
//
//go:norace
func (p *promise) skipped(t *Task) {
	race.Enable()
	race.Acquire(unsafe.Pointer(t))
	race.Acquire(unsafe.Pointer(&t.run.cause))
	t.node.Acquire()
	race.ReleaseMerge(unsafe.Pointer(p))
	race.Disable()
}

// String is for Dump.
//
//go:norace
func (p *promise) String() string { return "task \"" + p.name() + "\"" }

//go:norace
func (p *promise) name() string {
	if p.label == "" {
		return "task"
	}
	return p.label
}
