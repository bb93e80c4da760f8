package tampi

import (
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tasks"
)

// Collectives. The ranks of a communicator must start them in the same order, so tasks that may run at the same time
// need communicators of their own (mpi.Comm.Dup), or a dependency that orders them.

// Barrier is mpi.Barrier; t is suspended until it is complete on this rank.
func Barrier(t *tasks.Task, c *mpi.Comm) error {
	r, err := mpi.Ibarrier(c.AsBlocking())
	return done(t, r, err)
}

// Ibarrier starts mpi.Ibarrier and binds t to it (see [Iwait]).
func Ibarrier(t *tasks.Task, c *mpi.Comm) error {
	r, err := mpi.Ibarrier(c)
	return bind(t, nil, r, err)
}

// Bcast is mpi.Bcast; t is suspended until it is complete on this rank.
func Bcast[T mpi.Elem](t *tasks.Task, c *mpi.Comm, buf []T, root int) error {
	r, err := mpi.Ibcast(c.AsBlocking(), buf, root)
	return done(t, r, err)
}

// Ibcast starts mpi.Ibcast and binds t to it (see [Iwait]).
func Ibcast[T mpi.Elem](t *tasks.Task, c *mpi.Comm, buf []T, root int) error {
	r, err := mpi.Ibcast(c, buf, root)
	return bind(t, nil, r, err)
}

// Reduce is mpi.Reduce; t is suspended until it is complete on this rank.
func Reduce[T mpi.Elem](t *tasks.Task, c *mpi.Comm, send, recv []T, op *mpi.Op, root int) error {
	r, err := mpi.Ireduce(c.AsBlocking(), send, recv, op, root)
	return done(t, r, err)
}

// Ireduce starts mpi.Ireduce and binds t to it (see [Iwait]).
func Ireduce[T mpi.Elem](t *tasks.Task, c *mpi.Comm, send, recv []T, op *mpi.Op, root int) error {
	r, err := mpi.Ireduce(c, send, recv, op, root)
	return bind(t, nil, r, err)
}

// Allreduce is mpi.Allreduce; t is suspended until it is complete on this rank.
func Allreduce[T mpi.Elem](t *tasks.Task, c *mpi.Comm, send, recv []T, op *mpi.Op) error {
	r, err := mpi.Iallreduce(c.AsBlocking(), send, recv, op)
	return done(t, r, err)
}

// Iallreduce starts mpi.Iallreduce and binds t to it (see [Iwait]).
func Iallreduce[T mpi.Elem](t *tasks.Task, c *mpi.Comm, send, recv []T, op *mpi.Op) error {
	r, err := mpi.Iallreduce(c, send, recv, op)
	return bind(t, nil, r, err)
}

// Gather is mpi.Gather; t is suspended until it is complete on this rank.
func Gather[T mpi.Elem](t *tasks.Task, c *mpi.Comm, send, recv []T, root int) error {
	r, err := mpi.Igather(c.AsBlocking(), send, recv, root)
	return done(t, r, err)
}

// Igather starts mpi.Igather and binds t to it (see [Iwait]).
func Igather[T mpi.Elem](t *tasks.Task, c *mpi.Comm, send, recv []T, root int) error {
	r, err := mpi.Igather(c, send, recv, root)
	return bind(t, nil, r, err)
}

// Scatter is mpi.Scatter; t is suspended until it is complete on this rank.
func Scatter[T mpi.Elem](t *tasks.Task, c *mpi.Comm, send, recv []T, root int) error {
	r, err := mpi.Iscatter(c.AsBlocking(), send, recv, root)
	return done(t, r, err)
}

// Iscatter starts mpi.Iscatter and binds t to it (see [Iwait]).
func Iscatter[T mpi.Elem](t *tasks.Task, c *mpi.Comm, send, recv []T, root int) error {
	r, err := mpi.Iscatter(c, send, recv, root)
	return bind(t, nil, r, err)
}

// Allgather is mpi.Allgather; t is suspended until it is complete on this rank.
func Allgather[T mpi.Elem](t *tasks.Task, c *mpi.Comm, send, recv []T) error {
	r, err := mpi.Iallgather(c.AsBlocking(), send, recv)
	return done(t, r, err)
}

// Iallgather starts mpi.Iallgather and binds t to it (see [Iwait]).
func Iallgather[T mpi.Elem](t *tasks.Task, c *mpi.Comm, send, recv []T) error {
	r, err := mpi.Iallgather(c, send, recv)
	return bind(t, nil, r, err)
}

// Alltoall is mpi.Alltoall; t is suspended until it is complete on this rank.
func Alltoall[T mpi.Elem](t *tasks.Task, c *mpi.Comm, send, recv []T) error {
	r, err := mpi.Ialltoall(c.AsBlocking(), send, recv)
	return done(t, r, err)
}

// Ialltoall starts mpi.Ialltoall and binds t to it (see [Iwait]).
func Ialltoall[T mpi.Elem](t *tasks.Task, c *mpi.Comm, send, recv []T) error {
	r, err := mpi.Ialltoall(c, send, recv)
	return bind(t, nil, r, err)
}

// Scan is mpi.Scan; t is suspended until it is complete on this rank.
func Scan[T mpi.Elem](t *tasks.Task, c *mpi.Comm, send, recv []T, op *mpi.Op) error {
	r, err := mpi.Iscan(c.AsBlocking(), send, recv, op)
	return done(t, r, err)
}

// Iscan starts mpi.Iscan and binds t to it (see [Iwait]).
func Iscan[T mpi.Elem](t *tasks.Task, c *mpi.Comm, send, recv []T, op *mpi.Op) error {
	r, err := mpi.Iscan(c, send, recv, op)
	return bind(t, nil, r, err)
}

// Exscan is mpi.Exscan; t is suspended until it is complete on this rank.
func Exscan[T mpi.Elem](t *tasks.Task, c *mpi.Comm, send, recv []T, op *mpi.Op) error {
	r, err := mpi.Iexscan(c.AsBlocking(), send, recv, op)
	return done(t, r, err)
}

// Iexscan starts mpi.Iexscan and binds t to it (see [Iwait]).
func Iexscan[T mpi.Elem](t *tasks.Task, c *mpi.Comm, send, recv []T, op *mpi.Op) error {
	r, err := mpi.Iexscan(c, send, recv, op)
	return bind(t, nil, r, err)
}
