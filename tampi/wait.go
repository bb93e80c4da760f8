package tampi

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tasks"
)

// Wait suspends t until r is complete and returns its status and error. A nil r is complete (MPI 4.1, 3.7.3). One task
// may wait for a request, or be bound to it: any other gets [mpi.ErrRequest]. If the run is cancelled meanwhile, a
// receive is taken back and the error is the cause; a receive that had its message returns that instead.
func Wait(t *tasks.Task, r *mpi.Request) (mpi.Status, error) {
	if t == nil {
		return r.Wait()
	}
	if st, done, err := r.Test(); done || err != nil {
		return st, err
	}
	w := waiting{r: r}
	cause := t.SuspendOn(sourceOf(t, r.Process()), r, w.arm)
	switch {
	case w.err != nil:
		return r.Status(), w.err
	case cause == nil || r.Cancel() == nil:
		// Complete, or will be at once: a receive that could not be taken back is being copied.
		if st, err := r.Wait(); !st.Cancelled || cause == nil {
			return st, err
		}
	}
	return r.Status(), cause
}

// waiting resumes a task when its request is complete.
type waiting struct {
	r      *mpi.Request
	resume func()
	err    error // r is somebody else's
}

func (w *waiting) arm(resume func()) {
	w.resume = resume
	if w.err = w.r.Claim(w.done); w.err != nil {
		resume()
	}
}

func (w *waiting) done(*mpi.Request) { w.resume() }

// Waitall suspends t until all of rs are complete. Their statuses are returned in order; the error joins theirs. Nil
// requests are complete (MPI 4.1, 3.7.5).
func Waitall(t *tasks.Task, rs []*mpi.Request) ([]mpi.Status, error) {
	sts := make([]mpi.Status, len(rs))
	var errs []error
	for i, r := range rs {
		var err error
		if sts[i], err = Wait(t, r); err != nil {
			errs = append(errs, err)
		}
	}
	return sts, errors.Join(errs...)
}

// Iwait binds the completion of t to r and returns at once: t's accesses are given up, and t is complete, only when r
// is. st, if not nil, is set then; it and the request's buffer are for t's successors, not for its body. An error of r
// fails t. If r is complete already, its error is returned instead. r may have been started anywhere; a task may be
// bound to any number of requests, a request to one task: any other gets [mpi.ErrRequest]. With a nil t it waits.
//
// In an OnReady clause it delays the body, which may then use buffer and status; an error that it returns there fails the
// task through t.Hold()(err).
//
// If the run is cancelled, a receive is taken back and t fails with the cause; a collective or send is left to itself.
// Cost: next to nothing if r is complete, otherwise some 100 ns and four small allocations.
func Iwait(t *tasks.Task, r *mpi.Request, st *mpi.Status) error {
	if t == nil {
		s, err := r.Wait()
		if st != nil {
			*st = s
		}
		return err
	}
	if s, done, err := r.Test(); done || err != nil {
		if st != nil {
			*st = s
		}
		return err
	}
	b := &bound{r: r, st: st}
	b.done = t.HoldOn(sourceOf(t, r.Process()), b)
	run := t.Context()
	b.state.Store(pending)
	if err := r.Claim(b.complete); err != nil {
		b.end(nil)
		return err
	}
	if run.Err() != nil {
		b.Cancelled(context.Cause(run)) // before the run knew of b
	}
	return nil
}

// bound ends a task's hold when its request is complete, or the run is cancelled. Its state:
//
//	making → pending   Iwait, when done is set
//	pending → over     the request's completion, or the cancellation of what cannot be taken back; exactly one of them,
//	                   which then ends the hold
type bound struct {
	r     *mpi.Request
	st    *mpi.Status
	done  func(error)
	cause atomic.Pointer[error] // of the run's cancellation
	state atomic.Int32
}

const (
	making int32 = iota
	pending
	over
)

// String is for [tasks.Runtime.Dump], by which nothing is ordered.
//
//go:norace
func (b *bound) String() string { return b.r.String() }

func (b *bound) complete(r *mpi.Request) {
	if !b.state.CompareAndSwap(pending, over) {
		return
	}
	s, err := r.Wait() // complete: it does not wait
	if b.st != nil {
		*b.st = s
	}
	if cause := b.cause.Load(); cause != nil && s.Cancelled {
		err = *cause
	}
	b.done(err)
}

// Cancelled is called when the run was cancelled.
func (b *bound) Cancelled(cause error) {
	if b.state.Load() != pending {
		return
	}
	b.cause.Store(&cause)
	if b.r.Cancel() != nil {
		b.end(cause)
	}
}

// end ends the hold of a request that goes on.
func (b *bound) end(err error) {
	if b.state.CompareAndSwap(pending, over) {
		b.done(err)
	}
}

// Iwaitall is [Iwait] for all of rs. sts is nil or has a place for each request. The error joins those of requests
// that are complete already.
func Iwaitall(t *tasks.Task, rs []*mpi.Request, sts []mpi.Status) error {
	if sts != nil && len(sts) < len(rs) {
		return errors.New("tampi: Iwaitall: fewer statuses than requests")
	}
	var errs []error
	for i, r := range rs {
		var st *mpi.Status
		if sts != nil {
			st = &sts[i]
		}
		if err := Iwait(t, r, st); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// finish waits for a request that has just been started.
func finish(t *tasks.Task, r *mpi.Request, err error) (mpi.Status, error) {
	if err != nil {
		return mpi.Status{Source: mpi.AnySource, Tag: mpi.AnyTag, Err: err}, err
	}
	return Wait(t, r)
}

// done is finish for operations without a status.
func done(t *tasks.Task, r *mpi.Request, err error) error {
	_, err = finish(t, r, err)
	return err
}

// bind binds t to a request that has just been started.
func bind(t *tasks.Task, st *mpi.Status, r *mpi.Request, err error) error {
	if err != nil {
		return err
	}
	return Iwait(t, r, st)
}
