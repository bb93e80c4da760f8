package deque

import "sync/atomic"

// Deque is one owner's queue. The zero value is empty and ready to use. It must not be copied.
//
// Indices count pushes and never wrap; the element with index i lives in cell i mod the ring's size.
//
//	        swept        top            bottom
//	  nil  │  stolen    │  elements    │  nil
//	───────┴────────────┴──────────────┴───────
//	          old end ──►              ◄── new end
//
// Words and who moves them:
//
//	top     index of the oldest element    +1 by compare-and-swap: thieves, and the owner for a last element
//	bottom  one past the newest element    owner only: +1 by Push, −1 by Pop
//	ring    the cells                      owner only: replaced by one of twice the size
//	swept   first cell not known to be nil owner only, and read by nobody else
//
// Invariants: swept ≤ top ≤ bottom ≤ swept + size of the ring, where for an instant inside Pop bottom may be top−1;
// cells outside [swept, bottom) are nil; the element at index top leaves only by moving top.
//
// What each move publishes:
//
//	bottom+1  the new cell, the ring that holds it, and all that the owner wrote to the element before
//	top+1     that its mover has read the cell: the owner may now overwrite it
//
// Pop and Steal meet by the store-load pair of Dekker: Pop lowers bottom, then reads top; Steal reads top, then bottom.
// Atomics in Go are sequentially consistent, so of an owner and a thief after the same element at least one sees the
// other. They can both be after it only when it is the last, and then the swap of top decides.
//
// The same pair serves the caller: Push is a sequentially consistent store, hence "push, then look for sleeping workers"
// against "announce sleep, then look at Len or Steal" needs no further fence. That, and the lack of a release store in Go,
// is why bottom is stored atomically (an XCHG on amd64) and cells are not.
//
// Cells are plain words. The thief that wins its swap read the cell after loading the bottom that published it, and the
// owner writes it again only after loading a later top: both orders are happens-before edges, so there is no race. A
// thief that loses may have read a cell while the owner overwrote it. The Go memory model gives such a read of a single
// word some value that was really written there, never a torn or invented one; the thief drops it unseen.
//
// A stolen element stays in its cell until the owner sweeps: when it next finds the deque empty or the ring full. So a
// cell keeps a stolen element reachable for one lap of the ring at most, and an owner that polls its empty deque before
// going to sleep keeps none.
type Deque[T any] struct {
	_   [128]byte // each group on lines of its own; 128 because processors fetch lines in pairs
	top atomic.Int64

	_      [128]byte
	bottom atomic.Int64
	ring   atomic.Pointer[ring[T]]
	swept  int64 // beside bottom, which the owner has at hand when it needs swept

	_ [128]byte
}

// ring is a buffer whose size is a power of two.
type ring[T any] struct{ cells []*T }

// firstSize is the size of an owner's first ring, made by its first Push.
const firstSize = 64

//go:norace
func newRing[T any](size int64) *ring[T] { return &ring[T]{make([]*T, size)} }

//go:norace
func (r *ring[T]) size() int64 { return int64(len(r.cells)) }

//go:norace
func (r *ring[T]) at(i int64) **T { return &r.cells[i&int64(len(r.cells)-1)] }

// Len is about the number of elements. While the owner is inside Pop it may be one too small.
//
//go:norace
func (d *Deque[T]) Len() int {
	t := d.top.Load()
	return int(max(d.bottom.Load()-t, 0))
}

// Push adds v at the new end. Owner only; v must not be nil.
//
//go:norace
func (d *Deque[T]) Push(v *T) {
	b := d.bottom.Load()
	r := d.ring.Load()
	if r == nil || b-d.swept >= r.size() {
		r = d.room(1)
	}
	*r.at(b) = v
	d.bottom.Store(b + 1) // publishes the cell
}

// Pop takes the newest element, or returns nil when there is none. Owner only.
//
//go:norace
func (d *Deque[T]) Pop() *T {
	b, t := d.bottom.Load(), d.top.Load()
	if b-t < 2 {
		v := d.takeLast(t, b)
		d.sweep(b)
		return v
	}
	d.bottom.Store(b - 1) // before the load of top: see Steal
	t = d.top.Load()
	if t < b-1 { // no thief can come to b-1 any more
		c := d.ring.Load().at(b - 1)
		v := *c
		*c = nil
		return v
	}
	// Thieves took all the others meanwhile. Decide the last before bottom shows it again: a thief that saw the deque
	// empty in between stays right, since no later thief gets it.
	v := d.takeLast(t, b)
	d.bottom.Store(b)
	d.sweep(b)
	return v
}

// takeLast takes the element at t == b-1 unless a thief is faster. Either way the deque is empty afterwards.
//
//go:norace
func (d *Deque[T]) takeLast(t, b int64) *T {
	if t >= b {
		return nil
	}
	v := *d.ring.Load().at(t)
	if !d.top.CompareAndSwap(t, t+1) {
		return nil
	}
	return v
}

// Peek returns the newest element without taking it, or nil. Owner only.
//
// A Pop that follows returns this element, or nil if thieves have emptied the deque: never another one. The element may
// be stolen at any time, even before Peek returns, so the caller may read only what a thief will not write.
//
//go:norace
func (d *Deque[T]) Peek() *T {
	b := d.bottom.Load()
	if b <= d.top.Load() {
		return nil
	}
	return *d.ring.Load().at(b - 1)
}

// Steal takes the oldest element. With v == nil, retry tells that another taker was faster and there may be more; it is
// false when the deque was empty.
//
//go:norace
func (d *Deque[T]) Steal() (v *T, retry bool) {
	t := d.top.Load() // before the load of bottom: see Pop
	if t >= d.bottom.Load() {
		return nil, false
	}
	v = *d.ring.Load().at(t) // after the load of bottom, which published ring and cell; stale unless the swap succeeds
	if !d.top.CompareAndSwap(t, t+1) {
		return nil, true
	}
	return v, false
}

// StealBatch takes up to half of d's elements, rounded up, and no more than limit, oldest first. It returns the first
// and adds the others to into, in order, where other thieves see them when it returns. n counts all of them; 0 means that
// d was empty. The caller owns into, which is not d.
//
// They are taken one at a time: a swap that moved top by more could take elements that the owner is popping.
//
//go:norace
func (d *Deque[T]) StealBatch(into *Deque[T], limit int) (first *T, n int) {
	for first == nil {
		var retry bool
		if limit = min(limit, (d.Len()+1)/2); limit < 1 {
			return nil, 0
		}
		if first, retry = d.Steal(); first == nil && !retry {
			return nil, 0
		}
	}
	if n = 1; n == limit {
		return first, n
	}
	r := into.room(int64(limit - 1))
	b := into.bottom.Load()
	for ; n < limit; n++ {
		v, _ := d.Steal()
		if v == nil {
			break
		}
		*r.at(b) = v
		b++
	}
	into.bottom.Store(b) // publishes them all
	return first, n
}

// room returns a ring that can take n more elements.
//
//go:norace
func (d *Deque[T]) room(n int64) *ring[T] {
	r := d.ring.Load()
	if r == nil {
		r = newRing[T](firstSize)
		d.ring.Store(r)
	}
	t, b := d.top.Load(), d.bottom.Load()
	d.sweep(t)
	if b-t+n <= r.size() {
		return r
	}
	size := 2 * r.size()
	for size < b-t+n {
		size *= 2
	}
	// Thieves may go on reading the old ring: the owner writes it no more, so the element at top stays in it.
	bigger := newRing[T](size)
	for i := t; i < b; i++ {
		*bigger.at(i) = *r.at(i)
	}
	d.ring.Store(bigger)
	return bigger
}

// sweep empties the cells below t, which is at most top.
//
//go:norace
func (d *Deque[T]) sweep(t int64) {
	r := d.ring.Load()
	for ; d.swept < t; d.swept++ {
		*r.at(d.swept) = nil
	}
}
