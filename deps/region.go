package deps

import (
	"sync/atomic"
	"unsafe"
)

// piece is a part of a new access that meets one state of the domain: an entry's, or none.
type piece struct {
	span    span
	tail    *access // as in entry
	up      *access
	had     bool
	granted bool // nothing is to be waited for on these bytes
}

// joinRegions is join for an access whose bytes overlap entries that are not equal to it. It cuts the entries at the
// ends of x, links x behind, or below, what each of the pieces holds, and puts entries for x in their place: one, if
// the parent's access is the same everywhere, so that what follows on the same item finds it at once.
//
//go:norace
func (x *access) joinRegions(d *domain, mb *Mailbox) bool {
	mb.tokens.compareRegions()
	mb.pieces = mb.pieces[:0]
	section := x.section()
	for i := 0; i < runs(section); i++ {
		d.carve(x.run(i), mb)
	}
	pieces := mb.pieces
	x.hbFirst()
	static, waiting, oneUp := x.flags, 0, true
	for i := range pieces {
		p := &pieces[i]
		p.granted = true
		oneUp = oneUp && p.up == pieces[0].up
		if p.tail != nil {
			x.hbAlsoAfter(p.tail)
			if p.tail.flags&combining != 0 {
				p.tail.closeScope(mb)
			}
			static |= atomic.LoadUint32(&p.tail.flags) & scoped
			if p.granted, _ = p.tail.completeIn(p.span); p.granted {
				p.tail.leaveTo(x, p.span, false)
			}
		} else if p.up != nil {
			x.hbAlsoBelow(p.up)
			if atomic.LoadUint32(&p.up.flags)&(scoped|private) != 0 {
				static |= scoped
			}
			if !p.had {
				if p.granted = p.up.grantedIn(p.span); p.granted {
					p.up.leaveTo(x, p.span, true)
				}
			}
		}
		if !p.granted {
			waiting++
		}
	}
	x.prepare(static, pieces, waiting)
	for i := range pieces {
		switch p := &pieces[i]; {
		case p.tail != nil && p.granted:
			mb.trace(p.tail.node, x.node)
			mb.letGo(p.tail, p.tail.rangeOf(p.span, nil))
		case p.tail != nil:
			mb.link(p.tail, linked, p.tail.rangeOf(p.span, nil), x)
		case !p.granted:
			mb.nest(p.up, p.up.rangeOf(p.span, nil), x)
		}
	}
	if oneUp {
		up := pieces[0].up
		d.add(entry{ptr: x.ptr, size: x.size, section: section, tail: x, up: up, had: up != nil}, mb)
	} else {
		for i := range pieces {
			p := &pieces[i]
			at := unsafe.Add(x.ptr, p.span.lo-uintptr(x.ptr))
			d.add(entry{ptr: at, size: p.span.hi - p.span.lo, tail: x, up: p.up, had: p.up != nil}, mb)
		}
	}
	return waiting == 0 || static&isWeak != 0
}

// prepare gives x the state in which it is published: whole if all pieces have the same, else a fragment for each.
//
//go:norace
func (x *access) prepare(static word, pieces []piece, waiting int) {
	switch {
	case waiting == 0:
		x.flags = static | inW
		return
	case len(pieces) == 1:
		x.flags = static
		return
	}
	e := x.more.Load()
	if e == nil {
		e = new(extra)
		x.more.Store(e)
	}
	e.parts = make([]fragment, len(pieces))
	for i := range pieces {
		f := static
		if pieces[i].granted {
			f |= inW
		}
		e.parts[i] = fragment{lo: pieces[i].span.lo, hi: pieces[i].span.hi, flags: f}
	}
	if exclusive(static) {
		e.untokened = len(pieces)
	}
	n := x.node
	n.refs.Add(int32(len(pieces) - 1))
	if static&isWeak == 0 {
		n.pending.Add(int32(waiting - 1))
	}
	x.flags = static | split
}

// carve takes the bytes of r out of the domain and lists what was there in mb.pieces.
//
//go:norace
func (d *domain) carve(r span, mb *Mailbox) {
	for r.lo < r.hi {
		i, s := d.lowest(r)
		if i < 0 {
			mb.addPiece(piece{span: r})
			return
		}
		if s.lo > r.lo {
			mb.addPiece(piece{span: span{r.lo, s.lo}})
			r.lo = s.lo
		}
		e := d.cutOut(i, r, mb)
		if e.size == 0 {
			continue
		}
		mb.addPiece(piece{span: e.span(), tail: e.tail, up: e.up, had: e.had})
		r.lo = e.span().hi
	}
}

// cutOut removes from entry i the bytes in r, of which the entry has the lowest, and returns the state that they had.
// If the entry is a section, it becomes one entry for each run, and nothing is returned.
//
//go:norace
func (d *domain) cutOut(i int, r span, mb *Mailbox) entry {
	e := d.entries[i]
	d.remove(i)
	if e.section != nil {
		for k := 0; k < e.section.runs; k++ {
			run := e
			run.ptr, run.size, run.section = unsafe.Add(e.ptr, e.section.offset(k)), e.section.run, nil
			d.add(run, mb)
		}
		return entry{}
	}
	s := e.span()
	if s.lo < r.lo {
		left := e
		left.size = r.lo - s.lo
		d.add(left, mb)
		e.ptr = unsafe.Add(e.ptr, left.size)
		e.size -= left.size
	}
	if s.hi > r.hi {
		right := e
		right.size = s.hi - r.hi
		right.ptr = unsafe.Add(e.ptr, e.size-right.size)
		d.add(right, mb)
		e.size -= right.size
	}
	return e
}

//go:norace
func (mb *Mailbox) addPiece(p piece) {
	n := len(mb.pieces)
	if n == cap(mb.pieces) {
		more := make([]piece, n, 2*n+8)
		for i := range mb.pieces {
			more[i] = mb.pieces[i]
		}
		mb.pieces = more
	}
	mb.pieces = mb.pieces[:n+1]
	mb.pieces[n] = p
}
