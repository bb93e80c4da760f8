package mpi

import (
	"errors"
	"fmt"
)

// Errors, to be tested with [errors.Is]. Every call of this package that fails with one of them has had no effect, unless
// said otherwise. Nothing here ends the program (MPI 4.1, 9.3, with MPI_ERRORS_RETURN).
var (
	ErrTruncate  = errors.New("message longer than the receive buffer")      // the message is consumed, its head stored
	ErrType      = errors.New("element type not allowed in messages")        // it holds pointers
	ErrComm      = errors.New("no such communicator")                        // nil or freed
	ErrRank      = errors.New("rank out of range")                           // of a peer
	ErrRoot      = errors.New("root out of range")                           // of a collective
	ErrColour    = errors.New("colour out of range")                         // of Split, negative
	ErrTag       = errors.New("tag out of range")                            // negative or above TagUB
	ErrCount     = errors.New("wrong buffer length")                         // between the buffers of one call
	ErrBuffer    = errors.New("no room in the attached buffer")              // Bsend, BufferAttach, BufferDetach
	ErrNotPosted = errors.New("ready send without a posted receive")         // Rsend
	ErrRequest   = errors.New("request cannot be used this way")             // freed, cancelled twice, two completers
	ErrMessage   = errors.New("message already received")                    // Mrecv twice
	ErrOp        = errors.New("operation not defined on this element type")  // Reduce and its kin
	ErrMismatch  = errors.New("ranks disagree about a collective operation") // verb, root, count or operation
	ErrFinalized = errors.New("mpi: Run has returned")                       // calls that outlive their world
	ErrDeadlock  = errors.New("mpi: deadlock")                               // see DeadlockError
	ErrGoexit    = errors.New("mpi: main called runtime.Goexit")             // t.FailNow in a rank, for example
)

// RankError is the failure of one rank's main, as returned by [Run].
type RankError struct {
	Rank int // in the world
	Err  error
}

func (e *RankError) Error() string { return fmt.Sprintf("mpi: rank %d: %v", e.Rank, e.Err) }

// Unwrap returns what main returned.
func (e *RankError) Unwrap() error { return e.Err }

// PanicError is a panic of a rank's main.
type PanicError struct {
	Value any
	Stack []byte // of the rank at the panic
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n\n%s", e.Value, e.Stack) }

// Unwrap returns the panic's value if that was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// misuse reports a wrong argument of verb.
func misuse(verb string, kind error, format string, args ...any) error {
	return fmt.Errorf("mpi: %s: %w: %s", verb, kind, fmt.Sprintf(format, args...))
}
