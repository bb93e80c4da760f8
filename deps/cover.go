package deps

import "sync/atomic"

// Beyond looks for an access of a task, declared and not yet registered, to bytes on which its parent declared less: one
// that reads by which the child writes, say. It returns both; found is false if there is none. Such a child is ordered
// as its parent's access is, which is too weak for it. Bytes of which the parent declares nothing do not count: they may
// be its own.
//
//	parent                       covers
//	in                           in
//	concurrent                   concurrent
//	commutative                  commutative; everything, if the parent has no weak access
//	out, inout                   everything
//
// From then on Access returns what is in force, however many there are. Only the goroutine that runs the parent's body may
// call it. It panics as Register does if the task uses otherwise what it reduces. Cost: a comparison with each of the
// parent's accesses, of their runs if they overlap; it is for checks.
//
//go:norace
func (n *Node) Beyond() (child, parent Access, found bool) {
	if len(n.accs) > scanLimit {
		n.disentangle() // which Register finds done
	}
	if n.parent == nil {
		return
	}
	if len(n.accs) > scanLimit { // accesses that overlap count as one
		n.disentangle()
	}
	for i := range n.accs {
		x := &n.accs[i]
		for j := range n.parent.accs {
			if up := &n.parent.accs[j]; up.overlaps(x) && up.less(x) {
				return x.declared(), up.declared(), true
			}
		}
	}
	return
}

// less tells whether up, of the parent, does not cover x somewhere.
//
//go:norace
func (up *access) less(x *access) bool {
	f, k := atomic.LoadUint32(&up.flags), kindOf(x.flags)
	if f&split == 0 && (f&(done|private|reducing) != 0 || kindOf(f).covers(k)) {
		return false
	}
	if f&(private|reducing) != 0 {
		return false // what a parent reduces is looked at by Register
	}
	for i := 0; i < runs(x.section()); i++ {
		r := x.run(i)
		for j := 0; j < runs(up.section()); j++ {
			if q := up.run(j).and(r); q.lo < q.hi {
				if have := up.kindIn(q); have != kindNone && !have.covers(k) {
					return true
				}
			}
		}
	}
	return false
}

//go:norace
func (k Kind) covers(child Kind) bool {
	return k == child || k == KindInOut || k == KindOut
}
