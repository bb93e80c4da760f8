package inproc

import (
	"unsafe"

	"github.com/gompss/gompss/mpi/internal/transport"
)

// deliver copies the message m into the buffer of the receive r and tells r what it got. Neither is in a queue any more.
// A message longer than the buffer is cut; r sees that from the length.
func deliver(m, r *transport.Op) {
	r.Result = envelope(m)
	move(r.Buf, m.Buf, min(m.Len, r.Len))
}

// move copies n bytes of user data. All user data passes through here.
func move(to, from unsafe.Pointer, n int) {
	if n > 0 {
		copy(unsafe.Slice((*byte)(to), n), unsafe.Slice((*byte)(from), n))
	}
}
