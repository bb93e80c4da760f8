package tasks

import (
	"context"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/internal/tracing"
)

// run is what the tasks of one Run or Go share, those of its groups excepted: they share the group's.
type run struct {
	rt     *Runtime
	ctx    context.Context
	over   <-chan struct{}           // closed when ctx is cancelled
	cause  atomic.Pointer[cancelled] // why the run was cancelled
	stuck  atomic.Bool               // the cause is a deadlock: even taskwaits are woken
	root   *Task
	err    error // set before finished
	done   func(error)
	signal chan struct{} // closed when the root is deeply complete; nil with done
	stop   func() bool   // of the watch on ctx
	cancel context.CancelCauseFunc

	mu struct {
		sync.Mutex
		blocked *worker // bodies that gave their slot away, chained by next
		holds   *hold   // events pending
	}
	group      *Group  // the run is not a Run or Go but this group; its root is the group's owner
	prev, next *run    // in Runtime.mu.runs
	nextEnded  *run    // in slot.ended
	stream     *stream // that the run is queued in
	nextQueued *run
	waits      streamWaits
}

// inside is the key under which a run's context carries the run, so that a Run in one of its bodies is noticed.
type inside struct{ rt *Runtime }

// Run runs main as a task and returns when it and all its descendants are deeply complete. The error joins what main
// returned with the failures of all descendants that no [Task.Wait] returned before; each is a [*TaskError].
//
// When ctx is cancelled, tasks that have not started are skipped, bodies in [Task.Suspend] go on with an error, and
// Run returns the cause once the bodies that run have returned and what is held ([Task.Hold]) has ended. A body that
// creates many tasks looks at [Task.Context] itself. A run that cannot proceed ends with [ErrDeadlock].
//
// Run may be called from any goroutine, but not from a body of the same runtime, which would keep its slot meanwhile:
// with that body's context it returns [ErrInside].
func (rt *Runtime) Run(ctx context.Context, main func(*Task) error) error {
	r := newRun(rt)
	r.signal = make(chan struct{})
	if main == nil {
		panic("tasks: Run of a nil main")
	}
	if ctx.Value(inside{rt}) != nil {
		return ErrInside
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	r.ctx, r.cancel = context.WithCancelCause(context.WithValue(ctx, inside{rt}, r))
	defer r.cancel(nil)
	if !rt.enter() {
		return ErrClosed
	}
	r.prepare(main, properties{label: "main"})
	r.begin()
	<-r.signal
	race.Acquire(unsafe.Pointer(r))
	return r.err
}

// Go runs body as an independent task (nanos6_spawn_function): it has no parent, no siblings and takes no accesses;
// accesses among the clauses panic. It may be called from any goroutine. done, if not nil, is called once body and its
// descendants are deeply complete, with their joined errors, on a goroutine of the runtime; it must not block. Without
// done the errors come out of Close. After Close done is called at once with [ErrClosed].
func (rt *Runtime) Go(body func(*Task) error, done func(error), clauses ...Clause) {
	if r := rt.independent(body, done, clauses); r != nil {
		r.begin()
	}
}

// independent returns a run of body that is still to begin, nil if the runtime is closed.
func (rt *Runtime) independent(body func(*Task) error, done func(error), clauses []Clause) *run {
	p := properties{label: "task"}
	p.read(clauses)
	if body == nil {
		panic("tasks: Go of a nil body")
	}
	if p.accesses > 0 {
		panic("tasks: a task without a parent takes no accesses")
	}
	if p.group != nil {
		panic("tasks: a task without a parent is in no group")
	}
	if !rt.enter() {
		if done != nil {
			done(ErrClosed)
		}
		return nil
	}
	r := newRun(rt)
	r.done = done
	r.ctx, r.cancel = context.WithCancelCause(context.WithValue(context.Background(), inside{rt}, r))
	r.prepare(body, p)
	return r
}

// enter keeps the runtime open until leave. It reports false if it is closed. Both may be called hidden from the race
// detector, and in sight of it.
//
//go:norace
func (rt *Runtime) enter() bool {
	race.Disable()
	rt.mu.Lock()
	open := !rt.mu.closed
	if open {
		rt.mu.active++
	}
	rt.mu.Unlock()
	race.Enable()
	return open
}

// newRun is hidden from the race detector, since whoever looks for a deadlock uses the words of all runs.
//
//go:norace
func newRun(rt *Runtime) *run { return &run{rt: rt} }

// prepare makes the root, begin starts it.
func (r *run) prepare(body func(*Task) error, p properties) {
	t := new(Task)
	t.body, t.run, t.label, t.priority, t.onReady = body, r, p.label, p.priority, p.onReady
	t.flags, t.live, t.wakeAt = isRoot, 1, -1
	if p.final {
		t.flags |= final
	}
	if tracing.Built && (r.rt.cfg.Trace != nil || r.rt.cfg.Observer != nil) {
		t.flags |= traced
	}
	t.costsOf(&p)
	r.root = t
	r.over = r.ctx.Done()
}

func (r *run) begin() {
	r.stop = context.AfterFunc(r.ctx, r.abort)
	race.ReleaseMerge(unsafe.Pointer(r.root)) // to the body and to end
	race.Disable()
	r.start()
	race.Enable()
}

//go:norace
func (r *run) start() {
	rt, t := r.rt, r.root
	t.node.Init(nil, 0)
	rt.ext.mu.Lock()
	t.node.Register(rt.ext.slot.mb)
	if t.isTraced() {
		rt.ext.slot.traceCreate(t, nil)
		rt.ext.slot.observeCreate(t, nil, nil)
	}
	rt.ext.mu.Unlock()
	rt.outside.Add(1) // until the root is queued the run is not stuck
	r.enlist()
	rt.enqueueBack(t)
	rt.outsideOver()
}

// enlist and delist say that the run, or group, is under way.
//
//go:norace
func (r *run) enlist() {
	rt := r.rt
	rt.mu.Lock()
	r.next = rt.mu.runs
	if r.next != nil {
		r.next.prev = r
	}
	rt.mu.runs = r
	rt.mu.Unlock()
}

//go:norace
func (r *run) delist() {
	rt := r.rt
	rt.mu.Lock()
	if r.prev != nil {
		r.prev.next = r.next
	} else {
		rt.mu.runs = r.next
	}
	if r.next != nil {
		r.next.prev = r.prev
	}
	rt.mu.Unlock()
}

// finished is called by whoever completed the root.
//
//go:norace
func (r *run) finished() {
	r.delist()
	errs := r.root.errors()
	if err := r.root.err; err != nil {
		errs.add(err)
	}
	c := r.cause.Load()
	race.Enable()
	race.Acquire(unsafe.Pointer(r.root)) // begin
	race.Acquire(unsafe.Pointer(&r.cause))
	if c == nil {
		// The watch may not have come to say so yet, but a body may have seen it.
		if err := context.Cause(r.ctx); err != nil {
			c = r.newCancelled(err)
		}
	}
	if c != nil {
		errs.add(c)
	}
	r.end(r.root, errs.join())
	race.Disable()
}

// end tells the caller of Run or Go; it is visible to the race detector.
func (r *run) end(root *Task, err error) {
	race.Acquire(unsafe.Pointer(root))       // before r is read: this goroutine may have run no body
	race.Acquire(unsafe.Pointer(&root.live)) // the bodies' ends
	r.err = err
	r.stop()
	race.ReleaseMerge(unsafe.Pointer(r))
	switch {
	case r.done != nil:
		r.done(err)
	case r.signal == nil && r.stream == nil && err != nil:
		r.rt.mu.Lock()
		r.rt.mu.unclaimed = append(r.rt.mu.unclaimed, err)
		r.rt.mu.Unlock()
	}
	r.cancel(nil)
	if r.signal != nil {
		close(r.signal)
	}
	if r.stream != nil {
		r.endInStream(err)
	}
	r.rt.leave()
}

//go:norace
func (rt *Runtime) leave() {
	race.ReleaseMerge(unsafe.Pointer(&rt.mu.active)) // to Close
	race.Disable()
	rt.mu.Lock()
	rt.mu.active--
	if rt.mu.active == 0 {
		rt.mu.empty.Broadcast()
	}
	rt.mu.Unlock()
	race.Enable()
}

// abort is called when the run's context is cancelled.
func (r *run) abort() {
	cause := context.Cause(r.ctx)
	race.ReleaseMerge(unsafe.Pointer(&r.cause))
	race.Disable()
	r.cancelWith(r.newCancelled(cause), false)
	r.cancelHolds(cause)
	r.rt.checkIdle() // if that woke nobody, the run may be stuck
	race.Enable()
}

// cancelWith makes tasks that have not started be skipped and wakes the bodies that wait for something outside; with
// stuck also those that wait for tasks.
//
//go:norace
func (r *run) cancelWith(c *cancelled, stuck bool) {
	if stuck {
		r.stuck.Store(true)
	}
	r.cause.CompareAndSwap(nil, c)
	r.mu.Lock()
	var woken *worker
	for w := r.mu.blocked; w != nil; w = w.next {
		if w.interrupt(stuck) {
			w.nextAhead = woken
			woken = w
		}
	}
	r.mu.Unlock()
	for woken != nil {
		w := woken
		woken = w.nextAhead
		w.nextAhead = nil
		r.rt.enqueueFront(w.task)
	}
}

// cancelCause returns why the run was cancelled, nil if it was not. It looks at the context itself: the watch that ends
// waits comes a little later.
//
//go:norace
func (r *run) cancelCause() error {
	if c := r.cause.Load(); c != nil {
		return c
	}
	select {
	case <-r.over:
	default:
		return nil
	}
	race.Enable()
	cause := context.Cause(r.ctx)
	race.ReleaseMerge(unsafe.Pointer(&r.cause))
	race.Disable()
	r.cause.CompareAndSwap(nil, r.newCancelled(cause))
	return r.cause.Load()
}

// why is cancelCause as the program gave it.
//
//go:norace
func (r *run) why() error {
	if c := r.cause.Load(); c != nil {
		race.Acquire(unsafe.Pointer(&r.cause))
		return c.cause
	}
	return nil
}
