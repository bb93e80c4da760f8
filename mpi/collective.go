package mpi

import (
	"runtime/debug"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/mpi/internal/transport"
)

// A collective is a short program of sends, receives and local steps, compiled when the collective is called and run by
// arrivals: whoever completes the last open operation of a round runs the next one, on any goroutine of any rank. Nothing
// polls, and a collective in flight costs no goroutine.
//
// Rounds are separated by fences. Within a round operations are started in program order and are all open together; local
// steps (fold, move) run at once, so what they need must have been received before the last fence.
//
// open counts the operations of the round that are not complete, plus one while the round is being started. Whoever brings
// it to zero owns the program counter and the round's results; nobody else touches them.
//
// Messages travel in the communicator's second context with the collective's number as tag, so collectives in flight at
// the same time cannot take each other's, nor those of point-to-point calls. Between two ranks messages of one collective
// are matched in program order.
type collective struct {
	Request // what the caller gets
	ctx     *transport.Context
	number  int32
	steps   []step
	pc      int
	ops     []transport.Op
	used    atomic.Int32 // operations of ops that have been started; publishes their envelopes
	open    atomic.Int32
	failed  atomic.Pointer[error]

	fold   foldFunc
	kept   *copied        // the latest payload whose receiver was not there when relay sent it
	keptOf unsafe.Pointer // the buffer it was copied from

	nextMember *collective // guarded by the ledger
}

type verb uint8

const (
	fence verb = iota
	send
	recv
	relay // a send that does not wait for its receiver if there is room for a copy
	fold  // to[i] = from[i] op to[i]
	move  // to = from
)

// step is one instruction. n counts bytes, of fold elements.
type step struct {
	verb     verb
	peer     int32
	n        int
	to, from unsafe.Pointer
}

// begin checks what all collectives check and joins the next one of c. The caller compiles its program into the result and
// launches it.
func (c *Comm) begin(what signature, views ...view) (*collective, error) {
	if c != nil && c.blocking {
		what.verb = blockingVerb(what.verb)
	}
	if err := c.check(what.verb); err != nil {
		return nil, err
	}
	if what.root != Undefined && uint(what.root) >= uint(c.Size()) {
		return nil, misuse(what.verb, ErrRoot, "%d of %d ranks", what.root, c.Size())
	}
	for _, v := range views {
		if v.elem.err != nil {
			return nil, misuse(what.verb, v.elem.err, "cannot be sent")
		}
	}
	k := &collective{ctx: c.coll}
	k.proc, k.composite = c.proc, true
	k.op.Name, k.size = what.verb, what.size
	k.steps = make([]step, 0, 8)
	// One more open than the first round will have: until launch, a disagreeing rank can fail k but not run it.
	k.open.Store(1)
	return k, c.join(k, what)
}

// blockingVerb returns the name of the blocking form of a collective.
//
//go:norace
func blockingVerb(verb string) string {
	switch verb {
	case "Iallgather":
		return "Allgather"
	case "Iallreduce":
		return "Allreduce"
	case "Ialltoall":
		return "Alltoall"
	case "Ibarrier":
		return "Barrier"
	case "Ibcast":
		return "Bcast"
	case "Iexscan":
		return "Exscan"
	case "Igather":
		return "Gather"
	case "Ireduce":
		return "Reduce"
	case "Iscan":
		return "Scan"
	case "Iscatter":
		return "Scatter"
	}
	return verb
}

func (k *collective) fence() {
	if n := len(k.steps); n > 0 && k.steps[n-1].verb != fence {
		k.steps = append(k.steps, step{verb: fence})
	}
}

func (k *collective) send(peer int, v view)  { k.transfer(send, peer, v) }
func (k *collective) recv(peer int, v view)  { k.transfer(recv, peer, v) }
func (k *collective) relay(peer int, v view) { k.transfer(relay, peer, v) }

func (k *collective) transfer(what verb, peer int, v view) {
	k.steps = append(k.steps, step{verb: what, peer: int32(peer), n: v.bytes(), to: v.ptr})
}

// combine compiles inout[i] = in[i] op inout[i]: in holds the lower ranks.
func (k *collective) combine(in, inout view) {
	k.steps = append(k.steps, step{verb: fold, n: inout.count, to: inout.ptr, from: in.ptr})
}

func (k *collective) copy(to, from view) {
	if to.ptr != from.ptr && from.count > 0 {
		k.steps = append(k.steps, step{verb: move, n: from.bytes(), to: to.ptr, from: from.ptr})
	}
}

// launch runs the program's first round and returns its request.
//
//go:norace
func (k *collective) launch() *Request {
	n := 0
	for i := range k.steps {
		if v := k.steps[i].verb; v == send || v == recv || v == relay {
			n++
		}
	}
	k.ops = make([]transport.Op, n)
	k.posted()
	race.Disable()
	transport.Complete(k.first())
	race.Enable()
	return &k.Request
}

// run starts rounds until one stays open, or the program is over. The caller owns the program counter, and open is 1 for
// the round that is being started. It returns operations that became complete.
//
//go:norace
func (k *collective) run() (done *transport.Op) {
	for {
		for k.pc < len(k.steps) && k.failed.Load() == nil {
			s := &k.steps[k.pc]
			k.pc++
			if s.verb == fence {
				break
			}
			done = transport.Append(done, k.step(s))
		}
		k.show()
		if k.open.Add(-1) > 0 {
			return done
		}
		k.learn()
		if k.over() {
			k.show()
			k.end()
			return done
		}
		k.open.Store(1)
	}
}

// advance goes on when no operation is open: the caller owns the program counter.
//
//go:norace
func (k *collective) advance() *transport.Op {
	if k.over() {
		k.show()
		k.end()
		return nil
	}
	k.open.Store(1)
	return k.run()
}

//go:norace
func (k *collective) over() bool { return k.pc == len(k.steps) || k.failed.Load() != nil }

// OpDone implements [transport.Owner].
//
//go:norace
func (k *collective) OpDone(op *transport.Op) *transport.Op {
	k.proc.trace.done(op)
	var done *transport.Op
	switch res := &op.Result; {
	case res.Cancelled: // because k has failed
	case res.Err != nil:
		done = k.takeBack(res.Err)
	case op.Kind == transport.Recv && res.Len != op.Len:
		done = k.takeBack(&wrongLength{k.op.Name, res.Len, op.Len, res.Source})
	}
	if k.open.Add(-1) > 0 {
		return done
	}
	return transport.Append(done, k.next())
}

// wrongLength is the error of a rank that got more or less than it expected.
type wrongLength struct {
	verb      string
	got, want int
	from      int32
}

func (e *wrongLength) Error() string {
	return misuse(e.verb, ErrMismatch, "%d bytes from rank %d, expected %d", e.got, e.from, e.want).Error()
}

func (e *wrongLength) Unwrap() error { return ErrMismatch }

// end completes the request.
//
//go:norace
func (k *collective) end() {
	if err := k.failed.Load(); err != nil {
		k.err = *err
	}
	k.letGo()
	k.finish()
}

// fail ends the collective with err, unless it has ended. Any goroutine may call it.
//
//go:norace
func (k *collective) fail(err error) { transport.Complete(k.takeBack(err)) }

// takeBack makes err the result, unless there is one, and cancels the operations that still wait for their match; the
// collective ends with the last of them. Partner: step, which looks at failed after it has started an operation, so that
// one of the two cancels what is started meanwhile.
//
//go:norace
func (k *collective) takeBack(err error) (done *transport.Op) {
	if !k.failed.CompareAndSwap(nil, &err) {
		return nil
	}
	for i := range k.used.Load() {
		done = transport.Append(done, k.proc.ep.Cancel(&k.ops[i]))
	}
	return done
}

// callFold combines, in sight of the race detector: the operation may be a user's. Its panic fails the collective on the
// rank that the work was for, not on the one whose goroutine happened to do it.
//
//go:norace
func (k *collective) callFold(s *step) (err error) {
	race.Enable()
	defer endFold(&err)
	k.fold(s.from, s.to, s.n)
	return nil
}

//go:norace
func endFold(err *error) {
	if v := recover(); v != nil {
		*err = &PanicError{v, debug.Stack()}
	}
	race.Disable()
}

// step runs one instruction.
//
//go:norace
func (k *collective) step(s *step) (done *transport.Op) {
	switch s.verb {
	case fold:
		if err := k.callFold(s); err != nil {
			return k.takeBack(err)
		}
		return nil
	case move:
		transport.Move(s.to, s.from, s.n)
		return nil
	}
	op := &k.ops[k.used.Load()]
	op.Name, op.Owner = k.op.Name, k
	op.Ctx, op.Peer, op.Tag = k.ctx, s.peer, k.number
	op.Buf, op.Len = s.to, s.n
	if s.verb == recv {
		op.Kind = transport.Recv
	}
	race.Enable()
	op.Post()
	race.Disable()
	k.used.Add(1)
	k.open.Add(1)
	k.proc.trace.start(op)
	if s.verb == relay {
		done = k.forward(op)
	} else {
		done = k.proc.ep.Start(op)
	}
	if k.failed.Load() != nil {
		done = transport.Append(done, k.proc.ep.Cancel(op))
	}
	return done
}

// forward sends op to its receiver if that is there; otherwise from a copy, so that this rank need not wait; and if there
// is no room for a copy, like any send. Receivers of the same payload share a copy.
//
//go:norace
func (k *collective) forward(op *transport.Op) *transport.Op {
	op.Mode = transport.Ready
	done := k.proc.ep.Start(op)
	if op.Result.Err != transport.NotPosted {
		return done
	}
	op.Result.Err = nil
	if k.kept == nil || k.keptOf != op.Buf {
		cost := op.Len + BsendOverhead
		if !k.proc.forward.reserveFirst(cost) {
			op.Mode = transport.Standard
			return k.proc.ep.Start(op)
		}
		k.letGo()
		k.kept, k.keptOf = copyOf(op.Buf, op.Len, &k.proc.forward, cost), op.Buf
	}
	done = k.kept.send(k.proc, op)
	op.ID = 0 // what is left of op moves nothing
	return transport.Append(done, op)
}

// letGo leaves the copy to the sends from it.
//
//go:norace
func (k *collective) letGo() {
	if k.kept != nil {
		k.kept.done()
		k.kept = nil
	}
}

// wait completes a collective that has just been launched.
func wait(r *Request, err error) error {
	_, err = waitFor(r, err)
	return err
}
