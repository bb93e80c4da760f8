package deps

import "unsafe"

// The accesses of one task are made disjoint before the task is registered: it must not wait for itself. Bytes that it
// declares twice are combined (Access.and), so an access that overlaps another one in part falls apart.

// shares tells whether x and a have a byte in common.
//
//go:norace
func (x *access) shares(a *Access) bool {
	return share(uintptr(x.ptr), x.size, x.section(), uintptr(a.ptr), a.size, a.section())
}

// combine adds a, of which some bytes are declared already, but not as an item equal to a.
//
//go:norace
func (n *Node) combine(a Access) {
	s := a.section()
	for i := 0; i < runs(s); i++ {
		run := a
		run.ext = nil
		if s != nil {
			run.ptr, run.size = unsafe.Add(a.ptr, s.offset(i)), s.run
		}
		n.combineRun(run)
	}
}

// combineRun is combine for contiguous bytes.
//
//go:norace
func (n *Node) combineRun(a Access) {
	for i := 0; i < len(n.accs); i++ {
		x := &n.accs[i]
		lo, hi := uintptr(a.ptr), uintptr(a.ptr)+a.size
		if r := x.span(); r.hi <= lo || hi <= r.lo || !x.shares(&a) {
			continue
		}
		if s := x.section(); s != nil {
			n.unfold(i)
			i--
			continue
		}
		d := x.declared()
		r := x.span().and(span{lo, hi})
		// x becomes the bytes in common. What it had before and behind them stays what it was, in accesses of its own.
		first := uintptr(d.ptr)
		x.ptr, x.size = unsafe.Add(d.ptr, r.lo-first), r.hi-r.lo
		x.flags = staticFlags(d.and(a, a.weak))
		if first < r.lo {
			left := d
			left.size = r.lo - first
			n.add(&left, left.weak)
		}
		if end := first + d.size; r.hi < end {
			right := d
			right.ptr, right.size = unsafe.Add(d.ptr, r.hi-first), end-r.hi
			n.add(&right, right.weak)
		}
		// The same for a: the part before is done with now, the part behind goes on.
		if lo < r.lo {
			left := a
			left.size = r.lo - lo
			n.combineRun(left)
		}
		if r.hi == hi {
			return
		}
		a.ptr, a.size = unsafe.Add(a.ptr, r.hi-lo), hi-r.hi
		i = -1
	}
	n.add(&a, a.weak)
}

// unfold replaces the i-th access, a section, by one for each run.
//
//go:norace
func (n *Node) unfold(i int) {
	d := n.accs[i].declared()
	s := d.section()
	d.ext = nil
	for k := 0; k < s.runs; k++ {
		run := d
		run.ptr, run.size = unsafe.Add(d.ptr, s.offset(k)), s.run
		if k > 0 {
			n.add(&run, run.weak)
			continue
		}
		x := &n.accs[i]
		x.ptr, x.size = run.ptr, run.size
		x.setSection(nil)
	}
}

// grow makes room for more accesses than Init was told.
//
//go:norace
func (n *Node) grow() {
	more := make([]access, len(n.accs), 2*len(n.accs)+2)
	for i := range n.accs {
		more[i].take(&n.accs[i])
	}
	n.accs = more
}

// take makes x, unpublished, what y was.
//
//go:norace
func (x *access) take(y *access) {
	x.flags, x.ptr, x.size, x.node = y.flags, y.ptr, y.size, y.node
	x.next, x.child = nil, nil
	if y.flags&reducing != 0 {
		d := y.declared()
		x.setExtra(&d)
	} else if s := y.section(); s != nil || x.more.Load() != nil {
		x.setSection(s)
	}
}

// disentangle makes many accesses disjoint, which Declare has compared only with few.
//
//go:norace
func (n *Node) disentangle() {
	ascending := true
	for i := 1; i < len(n.accs) && ascending; i++ {
		ascending = n.accs[i-1].span().hi <= uintptr(n.accs[i].ptr)
	}
	if ascending {
		return
	}
	old := make([]access, len(n.accs))
	for i := range n.accs {
		old[i].take(&n.accs[i])
	}
	sortByAddress(old)
	n.accs = n.accs[:0]
	reach := uintptr(0) // the highest end so far
	for i := range old {
		x := &old[i]
		if uintptr(x.ptr) >= reach {
			d := x.declared()
			n.add(&d, d.weak)
		} else {
			n.combineOrdered(x.declared())
		}
		reach = max(reach, x.span().hi)
	}
}

// combineOrdered is combine for many accesses: most often a is equal to one that was added last.
//
//go:norace
func (n *Node) combineOrdered(a Access) {
	for i := len(n.accs) - 1; i >= 0 && i >= len(n.accs)-8; i-- {
		x := &n.accs[i]
		if x.flags&reducing == 0 && a.kind != KindReduction && x.ptr == a.ptr && x.size == a.size && sameSection(x.section(), a.section()) {
			x.flags = staticFlags(x.declared().and(a, a.weak))
			return
		}
	}
	lo := uintptr(a.ptr)
	for i := range n.accs {
		if x := &n.accs[i]; a.kind == KindReduction || x.flags&reducing != 0 {
			if n.sameReduction(x, &a, a.weak) {
				return
			}
		}
	}
	for i := range n.accs {
		if x := &n.accs[i]; x.span().hi > lo && uintptr(x.ptr) < lo+a.size && x.shares(&a) {
			n.combine(a)
			return
		}
	}
	n.add(&a, a.weak)
}

// sortByAddress is a heap sort: package sort would be seen by the race detector.
//
//go:norace
func sortByAddress(a []access) {
	for i := len(a)/2 - 1; i >= 0; i-- {
		sift(a, i)
	}
	for n := len(a) - 1; n > 0; n-- {
		swap(&a[0], &a[n])
		sift(a[:n], 0)
	}
}

//go:norace
func sift(a []access, i int) {
	for {
		c := 2*i + 1
		if c >= len(a) {
			return
		}
		if c+1 < len(a) && uintptr(a[c+1].ptr) > uintptr(a[c].ptr) {
			c++
		}
		if uintptr(a[i].ptr) >= uintptr(a[c].ptr) {
			return
		}
		swap(&a[i], &a[c])
		i = c
	}
}

//go:norace
func swap(x, y *access) {
	x.flags, y.flags = y.flags, x.flags
	x.ptr, y.ptr = y.ptr, x.ptr
	x.size, y.size = y.size, x.size
	m := x.more.Load() // changes hands, which costs no copy: an extra belongs to one access
	x.more.Store(y.more.Load())
	y.more.Store(m)
}
