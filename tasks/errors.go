package tasks

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

var (
	// ErrClosed is returned by Run on a runtime that was closed.
	ErrClosed = errors.New("tasks: runtime is closed")

	// ErrInside is returned by Run with the context of a body of the same runtime: the body would keep its slot while it
	// waits. Spawn is for that.
	ErrInside = errors.New("tasks: Run in a body of the same runtime")

	// ErrGoexit is the error of a task whose body ended its goroutine (runtime.Goexit, or FailNow of a test). A body
	// that was waiting further down the same stack ends with it.
	ErrGoexit = errors.New("tasks: the body ended its goroutine")

	// ErrDeadlock is the error of a run whose tasks can never proceed: none is ready or runs, and nothing outside can
	// end what they wait for. errors.As finds the [DeadlockError] that names them.
	ErrDeadlock = errors.New("tasks: deadlock")
)

// TaskError is the failure of one task: its body returned Err or panicked (then Err is a [*PanicError]).
type TaskError struct {
	Label string // of the task; "task" if it has none
	Err   error

	origin
}

// origin is what the runtime knows about a failure.
type origin struct {
	batch    atomic.Uint64         // of the errorList that it was added to last
	joined   atomic.Uint64         // of the batch that it was returned with last
	group    atomic.Pointer[Group] // that reports it, nil: the run
	forgiven atomic.Uint32         // the group has: more.waits of its owner then
}

// Forgiven is for package deps.
//
//go:norace
func (o *origin) Forgiven() (can, is bool) { return o.group.Load() != nil, o.forgiven.Load() != 0 }

//go:norace
func originOf(err error) *origin {
	switch e := err.(type) {
	case *TaskError:
		return &e.origin
	case *cancelled:
		return &e.origin
	}
	return nil
}

func (e *TaskError) Error() string { return fmt.Sprintf("%s: %v", e.Label, e.Err) }
func (e *TaskError) Unwrap() error { return e.Err }

// PanicError is a panic in a body, as an error.
type PanicError struct {
	Value any    // what the body panicked with
	Stack []byte // from the panic down to the body, as printed by the runtime
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// Unwrap returns the panic's value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// DeadlockError is the [ErrDeadlock] of one run.
type DeadlockError struct {
	Waiting string // the report of [Runtime.Dump] when the deadlock was found
}

func (e *DeadlockError) Error() string {
	return ErrDeadlock.Error() + ": no task can proceed\n" + e.Waiting
}
func (e *DeadlockError) Unwrap() error { return ErrDeadlock }

// errorList collects the failures of a task's descendants until a taskwait, or the task's end, takes them. The same
// failure is returned once, however many tasks were skipped because of it: mostly it is not even added twice.
type errorList struct {
	mu    sync.Mutex
	head  *errorItem
	tail  *errorItem
	n     int
	batch uint64 // see batches
	own   error  // the first error of one of the task's events
}

type errorItem struct {
	err  error
	next *errorItem
}

// batches numbers the batches of all lists: what a list collects until it is taken.
var batches atomic.Uint64

//go:norace
func (l *errorList) add(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.addLocked(err)
}

//go:norace
func (l *errorList) addOwn(err error) {
	l.mu.Lock()
	if l.own == nil {
		l.own = err
	}
	l.mu.Unlock()
}

//go:norace
func (l *errorList) addLocked(err error) {
	if l.head == nil {
		l.batch = batches.Add(1)
	}
	if o := originOf(err); o != nil && o.batch.Swap(l.batch) == l.batch {
		return
	}
	e := &errorItem{err: err}
	if l.tail == nil {
		l.head = e
	} else {
		l.tail.next = e
	}
	l.tail = e
	l.n++
}

// moveTo empties l into the list of the parent.
//
//go:norace
func (l *errorList) moveTo(to *errorList) {
	to.mu.Lock()
	for e := l.take(); e != nil; e = e.next {
		to.addLocked(e.err)
	}
	to.mu.Unlock()
}

//go:norace
func (l *errorList) take() *errorItem {
	l.mu.Lock()
	e := l.head
	l.head, l.tail, l.n = nil, nil, 0
	l.mu.Unlock()
	return e
}

// join empties l into one error, nil if there was none.
//
//go:norace
func (l *errorList) join() error {
	l.mu.Lock()
	n := l.n
	l.mu.Unlock()
	if n == 0 {
		return nil
	}
	errs := make([]error, n)
	i := 0
	all := batches.Add(1)
	for e := l.take(); e != nil && i < n; e = e.next {
		if o := originOf(e.err); o != nil && o.joined.Swap(all) == all {
			continue // it came by several ways
		}
		errs[i] = e.err
		if c, ok := e.err.(*cancelled); ok {
			errs[i] = c.cause
		}
		i++
	}
	if i == 1 {
		return errs[0]
	}
	return errors.Join(errs[:i]...)
}

// newPanicError keeps the frames between the panic and the runtime, which is all that a reader can use.
func newPanicError(v any, stack []byte) *PanicError {
	if _, after, ok := bytes.Cut(stack, []byte("\npanic(")); ok {
		if _, after, ok = bytes.Cut(after, []byte("\n")); ok {
			if _, after, ok = bytes.Cut(after, []byte("\n")); ok {
				stack = after
			}
		}
	}
	for _, end := range []string{"tasks.(*worker).invoke(", "tasks.(*worker).callOnReady("} {
		if i := bytes.Index(stack, []byte(end)); i >= 0 {
			stack = stack[:bytes.LastIndexByte(stack[:i], '\n')+1]
			break
		}
	}
	return &PanicError{Value: v, Stack: bytes.TrimRight(stack, "\n")}
}

// cancelled wraps the cause of a run that was cancelled, so that it has an identity.
type cancelled struct {
	cause error
	origin
}

// newCancelled is hidden from the race detector, like all that uses the result.
//
//go:norace
func (r *run) newCancelled(cause error) *cancelled {
	c := &cancelled{cause: cause}
	c.group.Store(r.group)
	return c
}

// newError is the failure of t.
//
//go:norace
func (t *Task) newError(err error) *TaskError {
	e := &TaskError{Label: t.Label(), Err: err}
	e.group.Store(t.run.group)
	return e
}

func (c *cancelled) Error() string { return c.cause.Error() }
func (c *cancelled) Unwrap() error { return c.cause }
