package deps

import (
	"sync/atomic"

	"github.com/gompss/gompss/internal/tracing"
)

// Mailbox delivers the messages between accesses and collects what comes of them. Deliveries are taken from a list in
// a loop, never by recursion, so a chain of any length needs a constant stack.
//
// A Mailbox belongs to one goroutine at a time; the runtime has one per slot. It must be made with NewMailbox.
type Mailbox struct {
	msgs     []message
	n        int
	spans    []span // two for each message with ranged set
	spansN   int
	ready    list
	free     *Node
	domains  *domain
	domainsN int
	tokens   *Tokens
	hooks    Hooks
	current  *Node   // the task whose end is being told; nil otherwise
	pieces   []piece // scratch of Node.joinRegions
}

// Hooks let the owner of a Mailbox watch. Each may be nil.
type Hooks struct {
	Name func(*Node) string        // names a task in messages
	Edge func(before, after *Node) // after had to wait for before, one call for each of after's accesses
	// Combiner returns a new node, without Init, for the combination of a reduction among parent's children. It comes out of
	// TakeReady like others; its task calls what Node.Combination returns, and ends as others do.
	Combiner func(parent *Node) *Node
}

// message sets bits on an access, and confirms an early grant to its sender afterwards. With ranged it is about the
// bytes in the two topmost spans: those of to, and below them those of from.
type message struct {
	to, from *access
	set, ack word
}

const ranged word = 1 << 31 // in message.set

// NewMailbox returns a Mailbox for tasks that share tokens.
func NewMailbox(tokens *Tokens, hooks Hooks) *Mailbox {
	if hooks.Combiner == nil {
		hooks.Combiner = newNode
	}
	return &Mailbox{msgs: make([]message, 64), tokens: tokens, hooks: hooks}
}

//go:norace
func newNode(*Node) *Node { return new(Node) }

// TakeReady removes and returns the nodes that became ready, oldest first, chained by Link.
//
//go:norace
func (mb *Mailbox) TakeReady() *Node { return mb.ready.take() }

// TakeFree removes and returns the nodes to which nobody refers any more, chained by Link.
//
//go:norace
func (mb *Mailbox) TakeFree() *Node {
	n := mb.free
	mb.free = nil
	return n
}

// event sets bits on x and posts what becomes due.
//
//go:norace
func (mb *Mailbox) event(x *access, set word) {
	now := atomic.AddUint32(&x.flags, set)
	if now&split != 0 {
		mb.partsEvent(x, set, wholeRange, nil)
		return
	}
	if e := step(now-set, set); e != 0 {
		mb.post(x, now, e)
	}
}

// eventIn is event for the bytes of x in r.
//
//go:norace
func (mb *Mailbox) eventIn(x *access, set word, r span) {
	if r == wholeRange || x.section() == nil && r == x.span() {
		mb.event(x, set)
		return
	}
	mb.partsEvent(x, set, r, nil)
}

// link makes next what follows x on the bytes in r, which are all of x if r is wholeRange. how is linked, with toParent
// if next is the access of the parent's task.
//
//go:norace
func (mb *Mailbox) link(x *access, how word, r span, next *access) {
	if r != wholeRange {
		mb.partsEvent(x, how, r, next)
		return
	}
	x.next = next
	now := atomic.AddUint32(&x.flags, how)
	if now&split != 0 {
		mb.partsEvent(x, how, r, next)
	} else if e := step(now-how, how); e != 0 {
		mb.post(x, now, e)
	}
}

// nest makes child the first among the children of x's task that uses the bytes in r.
//
//go:norace
func (mb *Mailbox) nest(x *access, r span, child *access) {
	if r != wholeRange {
		mb.partsEvent(x, nested, r, child)
		return
	}
	x.child = child
	now := atomic.AddUint32(&x.flags, nested)
	if now&split != 0 {
		mb.partsEvent(x, nested, r, child)
	} else if e := step(now-nested, nested); e != 0 {
		mb.post(x, now, e)
	}
}

// post carries out the effects e of an event that left x with the word f.
//
// Once the task was counted ready, or W was sent, x may be used by others or be gone. The order of the steps below
// follows from that.
//
//go:norace
func (mb *Mailbox) post(x *access, f word, e effect) {
	n := x.node
	if e&untoken != 0 {
		mb.tokens.release(x, mb)
	}
	if g := e / toChild & (early | inW); g != 0 {
		child := x.child
		x.passDown(f, child)
		m := message{to: child, from: x, set: g, ack: g & early << downShift}
		if x.like(child) {
			mb.push(m)
		} else {
			mb.send(x, m)
		}
	}
	if g := e & (early | inW); g != 0 {
		if f&terminal == 0 {
			next, from, set := x.next, fromBefore, g
			if f&toParent != 0 {
				from, set = fromBelow, g<<upShift
			}
			x.pass(f, next, from)
			m := message{to: next, from: x, set: set, ack: g & early << ackShift}
			if x.like(next) {
				mb.push(m)
			} else {
				mb.send(x, m)
			}
		}
		if g == inW {
			n.unref(1, mb)
		}
	}
	if e&start != 0 {
		mb.trace(mb.current, n)
		if n.pending.Add(-1) == 0 && n.admit(mb) {
			mb.ready.push(n)
		}
	}
}

// like tells whether two accesses are plain ones to the same bytes.
//
//go:norace
func (x *access) like(y *access) bool {
	return x.ptr == y.ptr && x.size == y.size && x.more.Load() == y.more.Load()
}

// send posts a message about all of x.
//
//go:norace
func (mb *Mailbox) send(x *access, m message) {
	to := m.to
	if to.ptr == x.ptr && to.size == x.size && sameSection(to.section(), x.section()) {
		mb.push(m)
		return
	}
	s := x.section()
	if s == nil {
		mb.pushIn(m, x.span(), wholeRange)
		return
	}
	// The confirmation is one, and comes when all runs have been told: what is pushed first is delivered last.
	for i := 0; i < s.runs; i++ {
		mb.pushIn(m, x.run(i), wholeRange)
		m.ack = 0
	}
}

//go:norace
func (mb *Mailbox) push(m message) {
	if mb.n == len(mb.msgs) {
		more := make([]message, 2*len(mb.msgs))
		for i := range mb.msgs {
			more[i] = mb.msgs[i]
		}
		mb.msgs = more
	}
	mb.msgs[mb.n] = m
	mb.n++
}

// pushIn posts a message about the bytes of m.to in to, which came from those of m.from in from.
//
//go:norace
func (mb *Mailbox) pushIn(m message, to, from span) {
	if mb.spansN+2 > len(mb.spans) {
		more := make([]span, 2*len(mb.spans)+16)
		for i := range mb.spans {
			more[i] = mb.spans[i]
		}
		mb.spans = more
	}
	mb.spans[mb.spansN] = from
	mb.spans[mb.spansN+1] = to
	mb.spansN += 2
	m.set |= ranged
	mb.push(m)
}

// drain delivers until nothing is left.
//
//go:norace
func (mb *Mailbox) drain() {
	for mb.n > 0 {
		mb.n--
		m := mb.msgs[mb.n]
		if m.set&ranged != 0 {
			mb.spansN -= 2
			from, to := mb.spans[mb.spansN], mb.spans[mb.spansN+1]
			mb.eventIn(m.to, m.set&^ranged, to)
			if m.ack != 0 {
				mb.eventIn(m.from, m.ack, from)
			}
			continue
		}
		mb.event(m.to, m.set)
		if m.ack != 0 {
			mb.event(m.from, m.ack)
		}
	}
}

//go:norace
func (mb *Mailbox) trace(before, after *Node) {
	if tracing.Built && mb.hooks.Edge != nil && before != nil {
		mb.hooks.Edge(before, after)
	}
}

//go:norace
func (mb *Mailbox) name(n *Node) string {
	if mb.hooks.Name == nil {
		return "a task"
	}
	return mb.hooks.Name(n)
}

// list is a queue of nodes chained by Link.
type list struct{ head, tail *Node }

//go:norace
func (l *list) push(n *Node) {
	n.Link = nil
	if l.head == nil {
		l.head = n
	} else {
		l.tail.Link = n
	}
	l.tail = n
}

//go:norace
func (l *list) pop() *Node {
	n := l.head
	if n != nil {
		l.head = n.Link
		n.Link = nil
	}
	return n
}

//go:norace
func (l *list) take() *Node {
	n := l.head
	if n != nil {
		l.head, l.tail = nil, nil
	}
	return n
}
