package deps

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/internal/interval"
	"github.com/gompss/gompss/internal/race"
)

const (
	scanLimit   = 16 // accesses of one task up to which duplicates are found by looking at each
	fewEntries  = 8  // entries up to which a domain is searched from end to end
	keepPerSlot = 8  // a table filled to less than 1/keepPerSlot is not kept over a taskwait
)

// domain orders the children of one task. Only the goroutine that runs the task's body touches it, so it has no lock.
//
// It holds one entry per item: a short list up to fewEntries, an open-addressing table with linear probing beyond. An
// item equal to an entry is found at once. A new item must not share a byte with any other: in the list that is seen
// on the way, in the table the ordered map answers it. Entries whose tasks are all history are dropped when the table
// is about to grow, so a task that spawns for ever on fresh memory stays small.
type domain struct {
	entries []entry
	used    int // entries with an item
	order   interval.Map[access]
	next    *domain // in a Mailbox's list of free ones
}

// entry is the state of one item in a domain: the last access to it among the children, and the parent's own access,
// below which the first child's is linked.
type entry struct {
	ptr   unsafe.Pointer // nil: free
	size  uintptr
	tail  *access // nil: no child uses the item, or those that did are history
	up    *access // nil: the parent did not declare the item, or gave it up
	claim *access // see domain.seat
}

// drainedChain is in place of an access's first child when all children that used the item are history.
var drainedChain = new(access)

// openDomain returns the domain of n's children. The task's own accesses are its first entries.
//
//go:norace
func (n *Node) openDomain(mb *Mailbox) *domain {
	if n.domain != nil {
		return n.domain
	}
	d := mb.domains
	if d != nil {
		mb.domains = d.next
		d.next = nil
	} else {
		d = &domain{entries: make([]entry, fewEntries)}
	}
	n.domain = d
	d.reserve(len(n.accs), mb)
	for i := range n.accs {
		x := &n.accs[i]
		if atomic.LoadUint32(&x.flags)&done == 0 {
			d.entries[d.insert(x.ptr, x.size)].up = x
		}
	}
	return d
}

// seat gives every access of n its entry. It panics before anything is linked if an item overlaps another one partly.
//
//go:norace
func (d *domain) seat(n *Node, mb *Mailbox) {
	d.reserve(len(n.accs), mb)
	many := len(n.accs) > scanLimit
	for i := 0; i < len(n.accs); i++ {
		x := &n.accs[i]
		at, clash := d.find(x.ptr, x.size)
		if clash >= 0 {
			d.unclaim(n, i)
			text := d.overlap(n, x, &d.entries[clash], mb)
			d.forget(mb, false) // the entries made for n, too: nobody else knows them
			d.rebuild(len(d.entries))
			panic(text)
		}
		if at < 0 {
			at = d.insert(x.ptr, x.size)
		}
		x.seat = uint32(at)
		if !many {
			continue
		}
		if first := d.entries[at].claim; first != nil {
			// Declared twice, too far apart for Declare to have seen it.
			first.flags = staticFlags(first.declared().and(x.declared()))
			last := len(n.accs) - 1
			*x = n.accs[last]
			n.accs = n.accs[:last]
			i--
			continue
		}
		d.entries[at].claim = x
	}
	d.unclaim(n, len(n.accs))
}

//go:norace
func (d *domain) unclaim(n *Node, count int) {
	if len(n.accs) > scanLimit {
		for i := range n.accs[:count] {
			d.entries[n.accs[i].seat].claim = nil
		}
	}
}

// history lets go of the last access to the item if it is complete, and frees the entry if nothing else is known of
// the item. It reports whether the entry is free now. A mark of a failed task is kept unless forgive is set.
//
//go:norace
func (e *entry) history(mb *Mailbox, forgive bool) bool {
	if e.tail == nil && e.up == nil {
		*e = entry{}
		return true
	}
	if race.Enabled && !forgive {
		return false // the entry carries the chain's declared edges
	}
	if t := e.tail; t != nil {
		f := atomic.LoadUint32(&t.flags)
		if !complete(f) || !forgive && t.cause(f) != nil {
			return false
		}
		e.tail = nil
		if e.up != nil {
			e.up.child = drainedChain
		}
		t.node.unref(mb)
	}
	if e.up != nil {
		return false
	}
	*e = entry{}
	return true
}

// Waited tells the domain that a taskwait of n's task is over and has returned the children's errors: what they did
// is history, and their marks are forgiven.
//
//go:norace
func (n *Node) Waited(mb *Mailbox) {
	d := n.domain
	if d == nil || d.used == 0 {
		return
	}
	before := d.used
	left := d.forget(mb, true)
	switch {
	case left == 0 && (len(d.entries) == fewEntries || before*keepPerSlot >= len(d.entries)):
		d.used = 0
		d.order.Clear()
	case left != before:
		size := len(d.entries)
		if before*keepPerSlot < size || left <= fewEntries {
			size = fewEntries
			for left > size/8*5 && left > fewEntries {
				size *= 2
			}
		}
		d.rebuild(size)
	}
}

// CloseDomain ends the creation of children: the last access to each item is linked to the parent's, or told that
// nobody follows. Finish calls it; a task that keeps its accesses until its children are complete calls it when its
// body is over.
//
//go:norace
func (n *Node) CloseDomain(mb *Mailbox) {
	d := n.domain
	if d == nil {
		return
	}
	n.domain = nil
	for i := range d.entries {
		e := &d.entries[i]
		if e.tail != nil {
			e.close(mb)
		}
		*e = entry{}
	}
	d.used = 0
	d.order.Clear()
	if len(d.entries) > maxKept {
		d.entries = make([]entry, fewEntries)
	}
	d.next = mb.domains
	mb.domains = d
}

// maxKept bounds the tables that wait in a Mailbox for the next task with children.
const maxKept = 1024

//go:norace
func (e *entry) close(mb *Mailbox) {
	t := e.tail
	if e.up != nil {
		t.next = e.up
		mb.event(t, linked|toParent)
	} else if complete(atomic.LoadUint32(&t.flags)) {
		t.node.unref(mb)
	} else {
		mb.event(t, linked|terminal)
	}
	mb.drain()
}

// closeItem does for one item of the parent what CloseDomain does for all.
//
//go:norace
func (d *domain) closeItem(x *access, mb *Mailbox) {
	at, _ := d.find(x.ptr, x.size)
	if at < 0 || d.entries[at].up != x {
		return
	}
	e := &d.entries[at]
	if e.tail != nil {
		e.close(mb)
	}
	e.tail, e.up = nil, nil
}

// overlap returns the text of the panic for an item x of n that partly overlaps the item of e.
//
//go:norace
func (d *domain) overlap(n *Node, x *access, e *entry, mb *Mailbox) string {
	other, who := Access{ptr: e.ptr, size: e.size}, "another access of the same task"
	if e.tail != nil {
		other, who = e.tail.declared(), mb.name(e.tail.node)
	} else if e.up != nil {
		other, who = e.up.declared(), mb.name(e.up.node)+", the parent"
	} else {
		for i := range n.accs {
			if y := &n.accs[i]; y.ptr == e.ptr && y.size == e.size {
				other = y.declared()
			}
		}
	}
	race.Enable() // fmt shares its buffers with everybody
	defer race.Disable()
	return fmt.Sprintf("deps: %v of %s partly overlaps %v of %s: items must be equal or disjoint", x.declared(), mb.name(n), other, who)
}
