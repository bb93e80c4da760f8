package tampi

import (
	"errors"

	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tasks"
)

// Wait suspends t until r is complete and returns its status and error. A nil r is complete (MPI 4.1, 3.7.3).
func Wait(t *tasks.Task, r *mpi.Request) (mpi.Status, error) {
	if t == nil {
		return r.Wait()
	}
	if st, done, err := r.Test(); done || err != nil {
		return st, err
	}
	w := waiting{r: r}
	if cause := t.SuspendOn(sourceOf(t, r.Process()), r, w.arm); cause != nil {
		// The run was cancelled. A receive is taken back; what cannot be is left to the end of the world.
		if r.Cancel() == nil {
			if st, done, err := r.Test(); done && !st.Cancelled {
				return st, err // it had been complete all the same
			}
		}
		return r.Status(), cause
	}
	return r.Wait()
}

// waiting resumes a task when its request is complete.
type waiting struct {
	r      *mpi.Request
	resume func()
}

func (w *waiting) arm(resume func()) {
	w.resume = resume
	w.r.OnDone(w.done)
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
// fails t. If r is complete already, its error is returned instead. With a nil t it waits.
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
	b := &bound{st: st, done: t.HoldOn(sourceOf(t, r.Process()), r)}
	r.OnDone(b.complete)
	return nil
}

// bound ends a task's hold when its request is complete.
type bound struct {
	st   *mpi.Status
	done func(error)
}

func (b *bound) complete(r *mpi.Request) {
	s, err := r.Wait() // complete: it does not wait
	if b.st != nil {
		*b.st = s
	}
	b.done(err)
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
