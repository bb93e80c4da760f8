package inproc

import "github.com/gompss/gompss/mpi/internal/transport"

// deliver takes the message m, a sender's own operation, to the receive r; neither is in a queue any more. It returns
// both, the sender first: in a collective it goes on by posting the receive of what the receiver will send next.
//
//go:norace
func deliver(m, r *transport.Op) *transport.Op {
	fill(r, m)
	m.Met(r)
	m.Next = r
	return m
}

// fill copies the message m into the buffer of the receive r and tells r what it got. A message longer than the buffer is
// cut; r sees that from the length.
//
//go:norace
func fill(r, m *transport.Op) {
	r.Result = envelope(m)
	transport.Move(r.Buf, m.Buf, min(m.Len, r.Len))
}
