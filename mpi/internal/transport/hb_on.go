//go:build race

package transport

import (
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

// HB is the operation whose Post comes before an operation's completion, or nil. In race builds no operation's memory is
// used again, because the detector knows it by its address.
type HB = *Op

// Post tells the race detector that what this goroutine did so far comes before whatever op's completion orders. Call it
// before Start, not hidden.
func (op *Op) Post() { race.ReleaseMerge(unsafe.Pointer(op)) }

// Origin returns what the receiver of the message op, or who sees it in a probe, is ordered after.
//
//go:norace
func (op *Op) Origin() HB {
	if op.Result.HB != nil {
		return op.Result.HB
	}
	return op
}

// StandFor makes op a copy of the message m in the detector's eyes.
//
//go:norace
func (op *Op) StandFor(m *Op) { op.Result.HB = m.Origin() }

// Met notes the receive r of the message op. The completion of a synchronous send is ordered after r's Post; of others a
// correct program does not know whether there was a receive.
//
//go:norace
func (op *Op) Met(r *Op) {
	if op.Mode == Sync {
		op.Result.HB = r
	}
}

// Move copies n bytes of user data, unseen: who lent the buffers has told the detector. The copies of whole arrays are
// what the compiler does not instrument in a function with the pragma; of the built-in copy the Go runtime tells.
//
//go:norace
func Move(to, from unsafe.Pointer, n int) {
	i := 0
	for ; i+4096 <= n; i += 4096 {
		*(*[4096]byte)(unsafe.Add(to, i)) = *(*[4096]byte)(unsafe.Add(from, i))
	}
	for ; i+64 <= n; i += 64 {
		*(*[64]byte)(unsafe.Add(to, i)) = *(*[64]byte)(unsafe.Add(from, i))
	}
	for ; i < n; i++ {
		*(*byte)(unsafe.Add(to, i)) = *(*byte)(unsafe.Add(from, i))
	}
}
