package deps

import "unsafe"

// What find returns besides an index.
const (
	absent      = -1 // the item shares no byte with an entry
	overlapping = -2 // it does, but there is none equal to it
)

// removed marks an entry of the table that is free, but was passed by on the way to others.
var removed = unsafe.Pointer(new(byte))

// find returns the index of the item's entry, absent or overlapping.
//
//go:norace
func (d *domain) find(ptr unsafe.Pointer, size uintptr, s *section) int {
	if len(d.entries) == fewEntries {
		lo, hi := uintptr(ptr), uintptr(ptr)+size
		at := absent
		for i := 0; i < d.used; i++ {
			e := &d.entries[i]
			if e.ptr == ptr && e.size == size && sameSection(e.section, s) {
				return i
			}
			if elo := uintptr(e.ptr); lo < elo+e.size && elo < hi && share(lo, size, s, elo, e.size, e.section) {
				at = overlapping
			}
		}
		return at
	}
	mask := uint64(len(d.entries) - 1)
	for i := hash(ptr) & mask; ; i = (i + 1) & mask {
		e := &d.entries[i]
		if e.ptr == ptr {
			if e.size == size && sameSection(e.section, s) {
				return int(i)
			}
			return overlapping
		}
		if e.ptr == nil {
			break
		}
	}
	for i := 0; i < runs(s); i++ {
		r := runOf(uintptr(ptr), size, s, i)
		if _, _, _, ok := d.order.Overlap(r.lo, r.hi); ok {
			return overlapping
		}
	}
	return absent
}

// share tells whether two items have a byte in common.
//
//go:norace
func share(lo1, size1 uintptr, s1 *section, lo2, size2 uintptr, s2 *section) bool {
	i, j := 0, 0
	for i < runs(s1) && j < runs(s2) {
		a, b := runOf(lo1, size1, s1, i), runOf(lo2, size2, s2, j)
		if a.lo < b.hi && b.lo < a.hi {
			return true
		}
		if a.hi <= b.lo {
			i++
		} else {
			j++
		}
	}
	return false
}

// lowest returns the entry that has the lowest byte in r, and the run of the entry that it is in; a negative index if
// there is none.
//
//go:norace
func (d *domain) lowest(r span) (int, span) {
	at, best := -1, span{}
	if len(d.entries) == fewEntries {
		for i := 0; i < d.used; i++ {
			e := &d.entries[i]
			if s := e.span(); s.hi <= r.lo || r.hi <= s.lo {
				continue
			}
			for k := 0; k < runs(e.section); k++ {
				s := runOf(uintptr(e.ptr), e.size, e.section, k)
				if s.hi > r.lo {
					if s.lo < r.hi && (at < 0 || s.lo < best.lo) {
						at, best = i, s
					}
					break
				}
			}
		}
		return at, best
	}
	v, lo, hi, ok := d.order.Overlap(r.lo, r.hi)
	if !ok {
		return -1, span{}
	}
	first := lo
	if v != nil {
		first = uintptr(v.ptr)
	}
	mask := uint64(len(d.entries) - 1)
	for i := hashAddr(first) & mask; ; i = (i + 1) & mask {
		if uintptr(d.entries[i].ptr) == first {
			return int(i), span{lo, hi}
		}
	}
}

// add puts in an entry that shares no byte with another one and returns its index. Entries may move.
//
//go:norace
func (d *domain) add(e entry, mb *Mailbox) int {
	d.reserve(1, mb)
	i := d.used
	if len(d.entries) != fewEntries {
		d.index(&e)
		i = d.place(e.ptr)
		if d.entries[i].ptr == removed {
			d.used--
		}
	}
	d.entries[i] = e
	d.used++
	return i
}

// index puts the runs of an entry into the ordered map.
//
//go:norace
func (d *domain) index(e *entry) {
	var v *anchor
	if e.section != nil {
		v = &anchor{e.ptr}
	}
	for i := 0; i < runs(e.section); i++ {
		r := runOf(uintptr(e.ptr), e.size, e.section, i)
		d.order.Insert(r.lo, r.hi, v)
	}
}

//go:norace
func (d *domain) unindex(lo, size uintptr, s *section) {
	for i := 0; i < runs(s); i++ {
		d.order.Delete(runOf(lo, size, s, i).lo)
	}
}

// remove takes entry i out. Others may move.
//
//go:norace
func (d *domain) remove(i int) {
	e := &d.entries[i]
	if len(d.entries) == fewEntries {
		d.used--
		*e = d.entries[d.used]
		d.entries[d.used] = entry{}
		return
	}
	d.unindex(uintptr(e.ptr), e.size, e.section)
	*e = entry{ptr: removed}
}

// place returns a free slot for an item that is not in the table.
//
//go:norace
func (d *domain) place(ptr unsafe.Pointer) int {
	mask := uint64(len(d.entries) - 1)
	i := hash(ptr) & mask
	for p := d.entries[i].ptr; p != nil && p != removed; p = d.entries[i].ptr {
		i = (i + 1) & mask
	}
	return int(i)
}

// hash spreads addresses that differ by a few bytes or by large powers of two over the low bits.
//
//go:norace
func hash(p unsafe.Pointer) uint64 { return hashAddr(uintptr(p)) }

//go:norace
func hashAddr(a uintptr) uint64 {
	h := uint64(a) * 0x9e3779b97f4a7c15
	return h ^ h>>32
}

// reserve makes room for more new items.
//
//go:norace
func (d *domain) reserve(more int, mb *Mailbox) {
	limit := fewEntries
	if len(d.entries) != fewEntries {
		limit = len(d.entries) / 8 * 5
	}
	if d.used+more <= limit {
		return
	}
	live := d.forget(mb, false)
	size := fewEntries
	if need := live + more; need > fewEntries {
		// Half again as much room as there is need of: the next sweep has something to do.
		for size = 4 * fewEntries; size/8*5 < need+need/2; {
			size *= 2
		}
	}
	d.rebuild(size)
}

// forget frees the entries that are history and returns how many are left. The ordered map then has those that are
// left, if there is one before and after.
//
//go:norace
func (d *domain) forget(mb *Mailbox, forgive bool) (left int) {
	ordered := len(d.entries) != fewEntries
	for i := range d.entries {
		e := &d.entries[i]
		if e.ptr == nil {
			continue
		}
		if e.ptr == removed {
			e.ptr = nil
			continue
		}
		lo, size, s := uintptr(e.ptr), e.size, e.section
		if !e.history(mb, forgive) {
			left++
		} else if ordered {
			d.unindex(lo, size, s)
		}
	}
	return left
}

// rebuild moves the entries that still have an item to a table of the given size.
//
//go:norace
func (d *domain) rebuild(size int) {
	old := d.entries
	if size == fewEntries && len(old) == fewEntries {
		d.used = 0
		for i := range old {
			if e := old[i]; e.ptr != nil {
				old[i] = entry{}
				old[d.used] = e
				d.used++
			}
		}
		return
	}
	d.entries = make([]entry, size)
	d.used = 0
	if size == fewEntries {
		d.order.Clear()
	}
	for i := range old {
		e := &old[i]
		if e.ptr == nil {
			continue
		}
		at := d.used
		if size != fewEntries {
			at = d.place(e.ptr)
			if len(old) == fewEntries {
				d.index(e)
			}
		}
		d.entries[at] = *e
		d.used++
	}
}
