package deps

import "unsafe"

// find returns the index of the item's entry, or -1; and if the item shares bytes with another one, that one's index
// as clash, otherwise -1.
//
//go:norace
func (d *domain) find(ptr unsafe.Pointer, size uintptr) (at, clash int) {
	if len(d.entries) == fewEntries {
		lo, hi := uintptr(ptr), uintptr(ptr)+size
		clash = -1
		for i := 0; i < d.used; i++ {
			e := &d.entries[i]
			if e.ptr == ptr && e.size == size {
				return i, -1
			}
			if elo := uintptr(e.ptr); lo < elo+e.size && elo < hi {
				clash = i
			}
		}
		return -1, clash
	}
	mask := uint64(len(d.entries) - 1)
	for i := hash(ptr) & mask; ; i = (i + 1) & mask {
		e := &d.entries[i]
		if e.ptr == ptr {
			if e.size == size {
				return int(i), -1
			}
			return -1, int(i)
		}
		if e.ptr == nil {
			break
		}
	}
	if _, lo, _, ok := d.order.Overlap(uintptr(ptr), uintptr(ptr)+size); ok {
		for i := hashAddr(lo) & mask; ; i = (i + 1) & mask {
			if uintptr(d.entries[i].ptr) == lo {
				return -1, int(i)
			}
		}
	}
	return -1, -1
}

// insert adds an item that is neither there nor overlaps one. There is room: reserve came before.
//
//go:norace
func (d *domain) insert(ptr unsafe.Pointer, size uintptr) int {
	if len(d.entries) == fewEntries {
		i := d.used
		d.entries[i] = entry{ptr: ptr, size: size}
		d.used++
		return i
	}
	d.order.Insert(uintptr(ptr), uintptr(ptr)+size, nil)
	i := d.place(ptr)
	d.entries[i] = entry{ptr: ptr, size: size}
	d.used++
	return i
}

// place returns the free slot for an item that is not in the table.
//
//go:norace
func (d *domain) place(ptr unsafe.Pointer) int {
	mask := uint64(len(d.entries) - 1)
	i := hash(ptr) & mask
	for d.entries[i].ptr != nil {
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

// reserve makes room for more new items, so that entries stay where they are until they are in.
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
		lo := uintptr(e.ptr)
		if !e.history(mb, forgive) {
			left++
		} else if ordered {
			d.order.Delete(lo)
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
				d.order.Insert(uintptr(e.ptr), uintptr(e.ptr)+e.size, nil)
			}
		}
		d.entries[at] = *e
		d.used++
	}
}
