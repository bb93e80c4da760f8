package deps

import "sync/atomic"

// Release gives up some of the task's own items before the body is over (release directive): all of an access, or any
// part of one or several. The body must not touch the bytes afterwards, nor spawn children that do. Children that use
// them now delay the hand-over. An In given for an item that the task declared as out or inout gives up only the right
// to write: readers that follow may go on; bytes that children use at the moment stay as they are.
//
// It reports whether the task had declared all the bytes, with this kind and weakness (final as for Declare), and had
// not released any of them before; otherwise nothing is changed.
//
//go:norace
func (n *Node) Release(a Access, final bool, mb *Mailbox) bool {
	if final {
		a.weak = false
	}
	if !n.releasable(a) {
		return false
	}
	mb.current = n
	s := a.section()
	for i := 0; i < runs(s); i++ {
		r := runOf(uintptr(a.ptr), a.size, s, i)
		for k := range n.accs {
			x := &n.accs[k]
			if x.ptr == a.ptr && x.size == a.size && sameSection(x.section(), s) {
				if i == 0 {
					n.releaseOf(x, a.kind, wholeRange, mb)
				}
				continue
			}
			for j := 0; j < runs(x.section()); j++ {
				if q := x.run(j).and(r); q.lo < q.hi {
					n.releaseOf(x, a.kind, q, mb)
				}
			}
		}
	}
	mb.current = nil
	return true
}

// releaseOf releases the bytes of x in r.
//
//go:norace
func (n *Node) releaseOf(x *access, k Kind, r span, mb *Mailbox) {
	all := r
	if r == wholeRange {
		all = x.span()
	}
	if k == KindIn && x.kindIn(all) != KindIn {
		if n.domain == nil || n.domain.quietIn(x, all) {
			mb.eventIn(x, classR, r)
		} else {
			for i := 0; i < runs(x.section()); i++ {
				n.domain.downgrade(x, x.run(i).and(all), mb)
			}
		}
		mb.drain()
		return
	}
	if n.domain != nil && k != KindReduction {
		n.domain.closeIn(x, all, mb)
	}
	if r == wholeRange || x.section() == nil && r == x.span() {
		x.giveUp(freed, mb)
	} else {
		mb.partsEvent(x, done|freed, r, nil)
	}
	mb.drain()
}

// releasable tells whether every byte of a belongs to an access of n that may be released like a.
//
//go:norace
func (n *Node) releasable(a Access) bool {
	s, all := a.section(), kindNone
	for i := 0; i < runs(s); i++ {
		r := runOf(uintptr(a.ptr), a.size, s, i)
		found := uintptr(0)
		for k := range n.accs {
			x := &n.accs[k]
			if all := x.span(); all.lo >= r.hi || r.lo >= all.hi {
				continue
			}
			for j := 0; j < runs(x.section()); j++ {
				q := x.run(j).and(r)
				if q.lo >= q.hi {
					continue
				}
				have := x.kindIn(q)
				if have == KindReduction && x.declared() != a {
					return false
				}
				if all == kindNone {
					all = have
				}
				if have != all || atomic.LoadUint32(&x.flags)&isWeak != 0 != a.weak ||
					have != a.kind && !(a.kind == KindIn && (have == KindInOut || have == KindOut)) {
					return false
				}
				found += q.hi - q.lo
			}
		}
		if found != r.hi-r.lo {
			return false
		}
	}
	return true
}

// kindIn returns what the task may do with the bytes of x in r, kindNone if it released some of them, or if they differ.
//
//go:norace
func (x *access) kindIn(r span) Kind {
	f := atomic.LoadUint32(&x.flags)
	if f&split == 0 {
		if f&done != 0 {
			return kindNone
		}
		return kindOf(f)
	}
	e := x.open()
	k, first := kindNone, true
	for i := e.find(r.lo); i < len(e.parts) && e.parts[i].lo < r.hi; i++ {
		f := e.parts[i].flags
		if f&done != 0 || !first && k != kindOf(f) {
			k = kindNone
			break
		}
		k, first = kindOf(f), false
	}
	e.mu.Unlock()
	return k
}

//go:norace
func (s span) and(t span) span { return span{max(s.lo, t.lo), min(s.hi, t.hi)} }

// quietIn tells whether no child uses the bytes of the parent's access x in r.
//
//go:norace
func (d *domain) quietIn(x *access, r span) bool {
	for r.lo < r.hi {
		i, s := d.lowest(r)
		if i < 0 {
			break
		}
		s = s.and(r)
		if e := &d.entries[i]; e.up == x && e.tail != nil {
			if ok, _ := e.tail.completeIn(s); !ok {
				return false
			}
		}
		r.lo = s.hi
	}
	return true
}

// downgrade makes a reader of the parent's access x on those bytes in r that no child uses.
//
//go:norace
func (d *domain) downgrade(x *access, r span, mb *Mailbox) {
	for r.lo < r.hi {
		i, s := d.lowest(r)
		if i < 0 {
			return
		}
		s, quiet := s.and(r), true
		if e := &d.entries[i]; e.up == x && e.tail != nil {
			quiet, s.hi = e.tail.completeFrom(s)
		}
		if quiet {
			mb.eventIn(x, classR, s)
		}
		r.lo = s.hi
	}
}

// completeFrom is completeIn for as many bytes from the first one of r as are alike, and returns where they end.
//
//go:norace
func (x *access) completeFrom(r span) (ok bool, end uintptr) {
	f := atomic.LoadUint32(&x.flags)
	if f&split == 0 {
		return complete(f), r.hi
	}
	e := x.open()
	p := &e.parts[e.find(r.lo)]
	ok, end = complete(p.flags), min(p.hi, r.hi)
	e.mu.Unlock()
	return ok, end
}
