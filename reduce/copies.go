package reduce

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
)

// copies are the private copies of one scope (deps.Copies). What tasks call is here and runs hidden from the race
// detector; the combination, in sight, is in combine.go.
//
// A copy is either in the hands of a task or in idle. Idle copies are taken last given first: a worker whose task just
// ended finds in its cache what it gave. There is a free cell for each copy made, so Give allocates nothing.
//
// In race builds, and if the order matters, a copy is never handed out twice: there every task of the scope has one of
// its own, and Give has nothing to do.
type copies[T any] struct {
	op      operator[T]
	item    []T
	ordered bool

	_     [128]byte // the words that tasks fight for, apart from those above, which they read
	lock  atomic.Uint32
	idle  *cell // each with a copy
	spare *cell // empty, one for each copy that is in the hands of a task
	made  *made[T]
	count int

	layout[T]
	_ [128]byte
}

// made is a copy, in the list of all of them, newest first.
type made[T any] struct {
	data  []T
	place *deps.Place
	next  *made[T]
	cell  cell
}

type cell struct {
	copy unsafe.Pointer
	next *cell
}

//go:norace
func open[T any](op operator[T], item unsafe.Pointer, bytes uintptr, ordered bool) deps.Copies {
	var e T
	n := uintptr(0)
	if size := unsafe.Sizeof(e); size > 0 {
		n = bytes / size
	}
	return &copies[T]{op: op, item: unsafe.Slice((*T)(item), n), ordered: ordered}
}

// Take implements deps.Copies. A panic of a user's neutral function goes through.
//
//go:norace
func (c *copies[T]) Take(place *deps.Place) unsafe.Pointer {
	if c.ordered && place == nil {
		panic("reduce: Take without a place from an ordered scope")
	}
	if c.recycles() {
		c.acquire()
		if f := c.idle; f != nil {
			p := f.copy
			c.idle, f.next, f.copy = f.next, c.spare, nil
			c.spare = f
			c.release()
			return p
		}
		c.release()
	}
	m := &made[T]{data: fresh[T](len(c.item)), place: place}
	c.op.prime(m.data)
	p := unsafe.Pointer(unsafe.SliceData(m.data))

	c.acquire()
	m.next = c.made
	c.made = m
	c.count++
	m.cell.next = c.spare
	c.spare = &m.cell
	c.release()
	return p
}

// Give implements deps.Copies.
//
//go:norace
func (c *copies[T]) Give(copy unsafe.Pointer) {
	if !c.recycles() {
		return
	}
	c.acquire()
	f := c.spare
	if f == nil {
		c.release()
		panic("reduce: Give of a copy that was not taken")
	}
	c.spare, f.next, f.copy = f.next, c.idle, copy
	c.idle = f
	c.release()
}

// Renew makes c as Open returned it, but keeps the copies that were made, and reports whether it could. It is for a scope
// that is opened again and again (tasks.Graph), after Combine, when nobody uses it.
//
//go:norace
func (c *copies[T]) Renew() bool {
	if !c.recycles() {
		return false
	}
	for m := c.made; m != nil; m = m.next {
		clear(m.data)
		c.op.prime(m.data)
	}
	return true
}

//go:norace
func (c *copies[T]) recycles() bool { return !c.ordered && !race.Enabled }

// acquire takes the lock. Nobody allocates or runs user code while he has it, so a few tries nearly always do.
//
//go:norace
func (c *copies[T]) acquire() {
	for tries := 0; !c.lock.CompareAndSwap(0, 1); {
		if tries++; tries == 64 {
			tries = 0
			runtime.Gosched() // its owner may have lost the processor
		}
	}
}

//go:norace
func (c *copies[T]) release() { c.lock.Store(0) }

// apart is the distance that keeps two copies from sharing a cache line, or two lines that processors fetch as a pair.
const apart = 128

// wholePages is the size from which the Go heap gives an object pages of its own.
const wholePages = 32 << 10

// padded is a copy of a scalar. It is typed memory, as T may hold pointers.
type padded[T any] struct {
	value T
	_     [apart]byte
}

// fresh returns n zero elements. The next one that it returns begins at least apart bytes after their end.
//
//go:norace
func fresh[T any](n int) []T {
	if n == 1 {
		return unsafe.Slice(&new(padded[T]).value, 1)
	}
	var e T
	size := int(unsafe.Sizeof(e))
	room := n
	if n*size < wholePages && size > 0 {
		room += (apart + size - 1) / size
	}
	return make([]T, room)[:n:n]
}
