package mpi

import (
	"fmt"
	"sync"

	"github.com/gompss/gompss/internal/race"
)

// A ledger lists the collectives of one communicator, in the order in which all its ranks must call them. The first rank
// to reach an entry writes what it calls; every later one compares. So a disagreement — another verb, root, count or
// operation — is found when the call is made, before any message of it is sent, and no rank is left waiting: those that
// came earlier are failed, and those that come later find the error in the entry.
//
// The ranks of a world share memory, so the ledger is an ordinary list behind a lock. Each rank holds the entry of its
// latest collective, and what no rank can reach any more is garbage.
type ledger struct {
	mu   sync.Mutex
	size int // ranks
}

// entry is one collective.
type entry struct {
	number  int32 // from 1, modulo the tags
	next    *entry
	what    signature
	rank    int // that wrote what
	joined  int
	err     error       // the ranks disagree
	members *collective // those that agreed, while others are still to come
}

// signature is what all ranks of a collective must agree on.
type signature struct {
	verb  string
	root  int // or Undefined
	count int // elements per rank, in the sense of the verb, or Undefined
	size  int // bytes per element
	op    string
}

func (s signature) String() string {
	text := s.verb
	if s.count != Undefined {
		text += fmt.Sprintf(" of %d elements of %d bytes", s.count, s.size)
	}
	if s.op != "" {
		text += " by " + s.op
	}
	if s.root != Undefined {
		text += fmt.Sprintf(" with root %d", s.root)
	}
	return text
}

// join enters k as c's next collective. If it returns an error, k must not run.
//
//go:norace
func (c *Comm) join(k *collective, what signature) error {
	race.Disable()
	b := c.book
	b.mu.Lock()
	e := c.last.next
	if e == nil {
		e = &entry{number: (c.last.number + 1) & TagUB, what: what, rank: c.Rank()}
		c.last.next = e
	}
	c.last = e
	e.joined++
	k.number = e.number
	var failed *collective
	if e.err == nil && e.what != what {
		e.err = &disagreement{e.number, c.p2p.Name, c.p2p.Rank, e.rank, what, e.what}
		failed, e.members = e.members, nil
	}
	err := e.err
	if err == nil {
		k.nextMember, e.members = e.members, k
	}
	if e.joined == b.size {
		e.members = nil // nobody is left to disagree
	}
	b.mu.Unlock()

	for ; failed != nil; failed = failed.nextMember {
		failed.fail(err)
	}
	race.Enable()
	return err
}

// disagreement is the error of ranks that call different collectives. It is put into words when it is asked, not while
// the ledger is hidden from the race detector.
type disagreement struct {
	number      int32
	comm        string
	rank, first int
	calls       signature
	called      signature
}

func (e *disagreement) Error() string {
	return misuse(e.calls.verb, ErrMismatch, "in collective %d of %s rank %d calls %v, rank %d called %v", e.number, e.comm, e.rank, e.calls, e.first, e.called).Error()
}

func (e *disagreement) Unwrap() error { return ErrMismatch }

// library is the ledgers of a world that not all members have opened yet.
type library struct {
	mu   sync.Mutex
	open *opening // a list, few: a communicator is in it from its first member's call to its last one's
}

type opening struct {
	context uint64
	book    *ledger
	start   *entry
	left    int
	next    *opening
}

// find returns the ledger of the communicator with this context and size, and the entry before its first collective.
//
//go:norace
func (l *library) find(context uint64, size int) (*ledger, *entry) {
	race.Disable()
	l.mu.Lock()
	at := &l.open
	for *at != nil && (*at).context != context {
		at = &(*at).next
	}
	o := *at
	if o == nil {
		o = &opening{context: context, book: &ledger{size: size}, start: &entry{}, left: size}
		*at = o
	}
	if o.left--; o.left == 0 {
		*at = o.next
	}
	l.mu.Unlock()
	race.Enable()
	return o.book, o.start
}
