package tampi

import (
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tasks"
)

// Send is mpi.Send; t is suspended until buf may be used again.
func Send[T mpi.Elem](t *tasks.Task, c *mpi.Comm, buf []T, dst, tag int) error {
	if t == nil {
		return mpi.Send(c, buf, dst, tag)
	}
	r, err := mpi.Isend(c, buf, dst, tag)
	return done(t, r, err)
}

// Ssend is mpi.Ssend; t is suspended until the receive has taken the message.
func Ssend[T mpi.Elem](t *tasks.Task, c *mpi.Comm, buf []T, dst, tag int) error {
	if t == nil {
		return mpi.Ssend(c, buf, dst, tag)
	}
	r, err := mpi.Issend(c, buf, dst, tag)
	return done(t, r, err)
}

// Bsend is mpi.Bsend, which completes at once.
func Bsend[T mpi.Elem](t *tasks.Task, c *mpi.Comm, buf []T, dst, tag int) error {
	return mpi.Bsend(c, buf, dst, tag)
}

// Rsend is mpi.Rsend: the receive must be posted.
func Rsend[T mpi.Elem](t *tasks.Task, c *mpi.Comm, buf []T, dst, tag int) error {
	if t == nil {
		return mpi.Rsend(c, buf, dst, tag)
	}
	r, err := mpi.Irsend(c, buf, dst, tag)
	return done(t, r, err)
}

// Recv is mpi.Recv; t is suspended until the message is there.
func Recv[T mpi.Elem](t *tasks.Task, c *mpi.Comm, buf []T, src, tag int) (mpi.Status, error) {
	if t == nil {
		return mpi.Recv(c, buf, src, tag)
	}
	r, err := mpi.Irecv(c, buf, src, tag)
	return finish(t, r, err)
}

// Sendrecv is mpi.Sendrecv; t is suspended until both are done.
func Sendrecv[S, R mpi.Elem](t *tasks.Task, c *mpi.Comm, send []S, dst, sendTag int, recv []R, src, recvTag int) (mpi.Status, error) {
	r, err := mpi.Isendrecv(c, send, dst, sendTag, recv, src, recvTag)
	return finish(t, r, err)
}

// Probe is mpi.Probe; t is suspended until a message that matches is there. Another task may take the message before
// this one does: mpi.Improbe takes it out of matching.
func Probe(t *tasks.Task, c *mpi.Comm, src, tag int) (mpi.Status, error) {
	if t == nil {
		return mpi.Probe(c, src, tag)
	}
	r, err := mpi.ProbeRequest(c, src, tag)
	return finish(t, r, err)
}

// Isend starts mpi.Isend and binds t to it (see [Iwait]).
func Isend[T mpi.Elem](t *tasks.Task, c *mpi.Comm, buf []T, dst, tag int) error {
	r, err := mpi.Isend(c, buf, dst, tag)
	return bind(t, nil, r, err)
}

// Issend starts mpi.Issend and binds t to it.
func Issend[T mpi.Elem](t *tasks.Task, c *mpi.Comm, buf []T, dst, tag int) error {
	r, err := mpi.Issend(c, buf, dst, tag)
	return bind(t, nil, r, err)
}

// Ibsend is mpi.Ibsend, which completes at once.
func Ibsend[T mpi.Elem](t *tasks.Task, c *mpi.Comm, buf []T, dst, tag int) error {
	return mpi.Bsend(c, buf, dst, tag)
}

// Irsend starts mpi.Irsend and binds t to it.
func Irsend[T mpi.Elem](t *tasks.Task, c *mpi.Comm, buf []T, dst, tag int) error {
	r, err := mpi.Irsend(c, buf, dst, tag)
	return bind(t, nil, r, err)
}

// Irecv starts mpi.Irecv and binds t to it. buf and *st, which may be nil, are set when t is complete.
func Irecv[T mpi.Elem](t *tasks.Task, c *mpi.Comm, buf []T, src, tag int, st *mpi.Status) error {
	r, err := mpi.Irecv(c, buf, src, tag)
	return bind(t, st, r, err)
}
