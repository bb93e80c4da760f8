package mpi

import (
	"fmt"
	"sync"
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
func (c *Comm) join(k *collective, what signature) error {
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
		e.err = misuse(what.verb, ErrMismatch, "in collective %d of %s rank %d calls %v, rank %d called %v", e.number, c.Name(), c.Rank(), what, e.rank, e.what)
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
	return err
}

// library is the ledgers of a world that not all members have opened yet.
type library struct {
	mu    sync.Mutex
	books map[uint64]*opening // by context
}

type opening struct {
	book  *ledger
	start *entry
	left  int
}

// open returns the ledger of the communicator with this context and size, and the entry before its first collective.
func (l *library) open(context uint64, size int) (*ledger, *entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.books[context]
	if o == nil {
		if l.books == nil {
			l.books = make(map[uint64]*opening)
		}
		o = &opening{&ledger{size: size}, &entry{}, size}
		l.books[context] = o
	}
	if o.left--; o.left == 0 {
		delete(l.books, context)
	}
	return o.book, o.start
}
