package transport

import "errors"

// NotPosted is the result of a Ready send that no posted receive matched; the message was not sent.
var NotPosted = errors.New("no matching receive is posted")

// Endpoint is one rank's end of a transport. All methods are safe for concurrent use. In race builds they are
// called hidden from the detector.
//
// Order: of two sends by one goroutine to one destination in one context, the first is matched first by any receive that
// could take both; of two receives that could take one message, the one posted first takes it. Wildcards included.
type Endpoint interface {
	// Start posts op and returns the operations complete by it, which may include op itself.
	Start(op *Op) *Op

	// Iprobe looks for the message that a receive with this source and tag would take now. The result says which.
	Iprobe(ctx *Context, source, tag int32) (Result, bool)

	// Improbe takes that message out of matching. It is to be received by an Mrecv operation.
	Improbe(ctx *Context, source, tag int32) (*Op, Result, bool)

	// Cancel takes op back if nothing has matched it yet. It then returns op, complete and marked cancelled; otherwise
	// nil, and op completes in its own time or has already.
	Cancel(op *Op) *Op

	// Abort fails all operations queued at this end, whoever posted them, and every later one, with cause.
	Abort(cause error) *Op

	// Pending describes the operations queued at this end, in no order.
	Pending() []Pending
}

// Pending describes one operation that waits for its match.
type Pending struct {
	Rank    int    // world rank of the rank that posted it
	Verb    string // the MPI verb
	Context string // the communicator
	Peer    int    // rank in the communicator, or AnySource
	Tag     int    // or AnyTag
	Bytes   int
	Send    bool
}
