package mpi

import "github.com/gompss/gompss/mpi/internal/transport"

// Ranks and tags with a meaning of their own (MPI 4.1, 3.2.4, 3.10). All are distinct, so that one in the wrong place is
// an error by name.
const (
	AnySource = transport.AnySource // receive from whoever sent first
	AnyTag    = transport.AnyTag    // receive whatever the tag
	ProcNull  = -3                  // a peer that is not there: operations with it complete at once and move nothing
	Undefined = -32766              // no colour in Split; no request in Waitany; no whole number of elements
	TagUB     = 1<<31 - 1           // the largest tag
)

// Status tells what a receive or probe found (MPI 4.1, 3.2.5). Completed sends, collectives and nil requests have the
// empty status: AnySource, AnyTag, nothing counted.
type Status struct {
	Source    int   // rank of the sender in the communicator
	Tag       int   // the message's tag
	Count     int   // elements stored, or Undefined if the last one is incomplete; for a probe, the message's bytes
	Bytes     int   // bytes stored; for a probe, the message's length
	Err       error // how this operation ended, for calls that complete several
	Cancelled bool  // the operation was cancelled and did nothing else
}

// GetCount returns how many elements of type T the message of s holds, or [Undefined] if that is no whole number. It
// serves after a probe, to size the buffer (MPI 4.1, 3.2.5).
func GetCount[T Elem](s Status) int { return wholes(s.Bytes, elemOf[T]().size) }

func wholes(bytes, size int) int {
	switch {
	case bytes == 0:
		return 0
	case size == 0 || bytes%size != 0:
		return Undefined
	}
	return bytes / size
}

var emptyStatus = Status{Source: AnySource, Tag: AnyTag}

func failedStatus(err error) Status { return Status{Source: AnySource, Tag: AnyTag, Err: err} }

// nothing is the result of an operation with ProcNull.
var nothing = transport.Result{Source: ProcNull, Tag: AnyTag}
