package deps

import (
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
// It holds disjoint entries, each the state of some bytes: a short list up to fewEntries, an open-addressing table
// with linear probing beyond. An item equal to an entry is found at once. Whether a new one shares bytes with others is
// seen on the way in the list, and answered by an ordered map in the table; then the entries are cut (region.go).
// Entries whose tasks are all history are dropped when the table is about to grow, so a task that spawns for ever on
// fresh memory stays small.
type domain struct {
	entries []entry
	used    int  // entries with an item, removed ones of the table included
	scopes  int  // reduction scopes opened since the last taskwait
	reduces bool // the task itself reduces something, which is in no entry
	order   interval.Map[anchor]
	next    *domain // in a Mailbox's list of free ones
}

// anchor is the first byte of the entry whose runs are in the ordered map; nil there stands for the run's own.
type anchor struct{ ptr unsafe.Pointer }

// entry is the state of some bytes in a domain: the last access to them among the children, and the parent's own access,
// below which the first child's is linked. The bytes are all of tail's, or of up's, or contiguous.
type entry struct {
	ptr     unsafe.Pointer // nil: free; removed: see table.go
	size    uintptr
	section *section
	tail    *access // nil: no child uses the bytes, or those that did are history
	up      *access // nil: the parent did not declare the bytes, or gave them up
	had     bool    // a child used the bytes of up
}

//go:norace
func (e *entry) span() span { return span{uintptr(e.ptr), uintptr(e.ptr) + e.size} }

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
		mb.domainsN--
		d.next = nil
	} else {
		d = &domain{entries: make([]entry, fewEntries)}
	}
	n.domain = d
	d.reserve(len(n.accs), mb)
	for i := range n.accs {
		x := &n.accs[i]
		if f := atomic.LoadUint32(&x.flags); f&reducing != 0 {
			d.reduces = true
		} else if f&split != 0 {
			x.openIn(d, mb)
		} else if f&done == 0 {
			d.add(entry{ptr: x.ptr, size: x.size, section: x.section(), up: x}, mb)
		}
	}
	return d
}

// openIn adds the entries of an access of which parts may have been released.
//
//go:norace
func (x *access) openIn(d *domain, mb *Mailbox) {
	e := x.open()
	some := false
	for i := range e.parts {
		some = some || e.parts[i].flags&done != 0
	}
	if !some {
		e.mu.Unlock()
		d.add(entry{ptr: x.ptr, size: x.size, section: x.section(), up: x}, mb)
		return
	}
	mb.tokens.compareRegions()
	for i := range e.parts {
		if p := &e.parts[i]; p.flags&done == 0 {
			d.add(entry{ptr: unsafe.Add(x.ptr, p.lo-uintptr(x.ptr)), size: p.hi - p.lo, up: x}, mb)
		}
	}
	e.mu.Unlock()
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
		if ok, cause := t.completeIn(e.span()); !ok || !forgive && cause != nil {
			return false
		}
		e.tail = nil
		mb.letGo(t, t.rangeOf(e.span(), e.section))
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
		if e.ptr == nil {
			continue
		}
		e.close(mb)
		*e = entry{}
	}
	d.used, d.scopes, d.reduces = 0, 0, false
	d.order.Clear()
	if len(d.entries) > maxKept {
		d.entries = make([]entry, fewEntries)
	}
	if mb.domainsN == domainsKept {
		return // this mailbox ends more tasks than it begins: those that events complete, for instance
	}
	d.next = mb.domains
	mb.domains = d
	mb.domainsN++
}

// domainsKept bounds how many domains wait in a Mailbox for the next task with children, and maxKept their tables.
const (
	domainsKept = 64
	maxKept     = 1024
)

// close ends the chain of the entry: its last access is followed by the parent's, which learns whether a chain stands
// in its place, or by nobody.
//
//go:norace
func (e *entry) close(mb *Mailbox) {
	t, up := e.tail, e.up
	if t != nil && t.flags&combining != 0 {
		t.closeScope(mb)
	}
	if up == nil {
		if t != nil {
			e.endChain(t, mb)
			mb.drain()
		}
		return
	}
	if !e.had {
		return
	}
	all := up.ptr == e.ptr && up.size == e.size && sameSection(up.section(), e.section)
	if !all && up.untouched() {
		// If the children's work is history, it makes no difference that there were children.
		if t == nil {
			return
		}
		if ok, cause := t.completeIn(e.span()); ok && cause == nil {
			mb.letGo(t, t.rangeOf(e.span(), e.section))
			return
		}
	}
	stands := t
	if t == nil {
		stands = drainedChain
	}
	if all {
		if up.child == nil || t == nil {
			up.child = stands // fragments look here, too, when they are given up
		}
	} else {
		for i := 0; i < runs(e.section); i++ {
			up.setChild(runOf(uintptr(e.ptr), e.size, e.section, i), stands)
		}
	}
	if t != nil {
		mb.link(t, linked|toParent, t.rangeOf(e.span(), e.section), up)
		mb.drain()
	}
}

// untouched tells whether nothing about x's children was recorded in x: it is whole, no child was linked below it, and
// no failure arrived.
//
//go:norace
func (x *access) untouched() bool {
	return atomic.LoadUint32(&x.flags)&(split|nested) == 0 && x.child == nil && x.node.marks.first.Load() == nil
}

// endChain tells the last access of the entry that nobody follows.
//
//go:norace
func (e *entry) endChain(t *access, mb *Mailbox) {
	r := t.rangeOf(e.span(), e.section)
	if ok, _ := t.completeIn(e.span()); ok {
		mb.letGo(t, r)
	} else {
		mb.link(t, linked|terminal, r, nil)
	}
}

// closeIn does for the bytes of the parent's access x in r what CloseDomain does for all.
//
//go:norace
func (d *domain) closeIn(x *access, r span, mb *Mailbox) {
	if at := d.find(x.ptr, x.size, x.section()); at >= 0 && r == x.span() {
		if e := &d.entries[at]; e.up == x {
			e.close(mb)
			e.tail, e.up = nil, nil
		}
		return
	}
	for r.lo < r.hi {
		i, s := d.lowest(r)
		if i < 0 {
			return
		}
		if d.entries[i].up != x {
			r.lo = s.hi
			continue
		}
		r.lo = max(r.lo, s.lo)
		mb.tokens.compareRegions()
		e := d.cutOut(i, r, mb)
		if e.size == 0 {
			continue
		}
		e.close(mb)
		r.lo = e.span().hi
	}
}
