package transport

import "unsafe"

// Wildcards of a receive or probe. They are distinct so that one in the place of the other is noticed.
const (
	AnySource = -1
	AnyTag    = -2
)

// Kind says what an operation does.
type Kind uint8

const (
	Send   Kind = iota
	Recv        // takes the first matching message into Buf
	Probe       // looks at the first matching message, leaves it where it is
	Mprobe      // takes the first matching message out of matching, into Message
	Mrecv       // receives Message into Buf
)

// Mode is the communication mode of a send.
type Mode uint8

const (
	Standard Mode = iota // complete once the transport has kept a copy, or once received
	Sync                 // complete only once received
	Ready                // refused with NotPosted unless the receive is waiting already
)

// Context is one communication space of one communicator as one of its members sees it. Messages never cross contexts.
// Constant after creation.
type Context struct {
	ID    uint64 // the same on all members, never used twice in a world
	Group []int  // world rank of each member
	Rank  int    // this member's rank in Group
	Name  string // for people
}

// Op is one operation. The caller fills the first block and then leaves the whole Op alone until it is complete; the
// transport fills the second block before it reports the operation complete, and does not touch the Op afterwards.
type Op struct {
	Kind    Kind
	Mode    Mode
	Peer    int32 // the other end, a rank of Ctx: destination, source or AnySource
	Tag     int32 // or AnyTag
	Ctx     *Context
	Buf     unsafe.Pointer // Len bytes; the operation's until it is complete
	Len     int
	Name    string // the MPI verb, for people
	Owner   Owner
	Message *Op    // Mrecv: the message to receive
	ID      uint64 // number in traces, or 0

	Result Result

	// Next links the lists of complete operations that endpoints return.
	Next *Op

	// Link belongs to the endpoint from Start until completion.
	Link Link
}

// Result is what an operation came to.
type Result struct {
	HB        HB    // race builds: the other end, see Origin and Met
	Source    int32 // as a rank of the context
	Tag       int32
	Len       int    // length of the message in bytes, which may exceed the receive's buffer: the excess is lost
	ID        uint64 // the sender's Op.ID
	Err       error  // the operation failed; the rest of Result then means nothing
	Cancelled bool
}

// Link is the room an endpoint has inside an operation for its own queues, so that queueing allocates nothing.
type Link struct {
	BinPrev, BinNext   *Op
	LinePrev, LineNext *Op
	Context            uint64
	Seq                uint64
	Hash               uint32
	Where              uint8
}

// Owner is told when its operation is complete.
type Owner interface {
	// OpDone is called exactly once for each operation, on whichever goroutine completed it and without any lock of the
	// transport held. It must not block. It returns operations that it completed in turn, linked by Next.
	OpDone(op *Op) *Op
}

// Complete tells the owners of a list of complete operations, in order, including those that complete on the way.
//
//go:norace
func Complete(list *Op) {
	for list != nil {
		op := list
		list = op.Next
		op.Next = nil
		if op.Owner == nil {
			continue
		}
		if more := op.Owner.OpDone(op); more != nil {
			list = Append(list, more)
		}
	}
}

// Append returns the list a followed by the list b.
//
//go:norace
func Append(a, b *Op) *Op {
	if a == nil {
		return b
	}
	last := a
	for last.Next != nil {
		last = last.Next
	}
	last.Next = b
	return a
}
