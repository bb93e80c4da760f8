package reduce

import (
	"runtime"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

const (
	// pieceBytes of the item are the least that is worth a worker of its own: combining them takes longer than waking it.
	pieceBytes = 32 << 10
	// piecesPerCore even out workers that come late.
	piecesPerCore = 4
	// blockBytes of the item stay in the first-level cache while all copies are folded into them, two at a time.
	blockBytes = 8 << 10
)

// layout is how the combination is cut. The first call of Parts makes it.
type layout[T any] struct {
	all    [][]T // the copies, in the order in which they are folded
	pieces int
	chunk  int // elements in a piece
	skew   int // elements by which the first piece is shorter, so that the others begin on a cache line
}

// Parts implements deps.Copies.
func (c *copies[T]) Parts() int {
	race.Disable() // two callers are not ordered by meeting here
	c.acquire()
	if len(c.all) < c.count { // more may have been made since the scope was renewed
		c.gather()
		c.cut()
	}
	n := c.pieces
	c.release()
	race.Enable()
	return n
}

// Combine implements deps.Copies. A panic of a user's combine function goes through.
func (c *copies[T]) Combine(part int) {
	if part < 0 || part >= c.pieces {
		panic("reduce: Combine of a part that Parts did not announce")
	}
	lo, end := max(part*c.chunk-c.skew, 0), min((part+1)*c.chunk-c.skew, len(c.item))
	for block := perBytes[T](blockBytes); lo < end; lo += block {
		hi := min(lo+block, end)
		into, all := c.item[lo:hi], c.all
		for ; len(all) >= 2; all = all[2:] {
			c.op.foldTwo(into, all[0][lo:hi], all[1][lo:hi])
		}
		if len(all) == 1 {
			c.op.fold(into, all[0][lo:hi])
		}
	}
}

// cut decides the pieces.
//
//go:norace
func (c *copies[T]) cut() {
	var e T
	size, line := int(unsafe.Sizeof(e)), perBytes[T](apart)
	if size <= apart && apart%size == 0 {
		c.skew = int(uintptr(unsafe.Pointer(&c.item[0]))%apart) / size
	}
	n := len(c.item) + c.skew
	pieces := min(n/perBytes[T](pieceBytes), piecesPerCore*runtime.GOMAXPROCS(0))
	pieces = max(pieces, 1)
	c.chunk = (n + pieces - 1) / pieces
	c.chunk = (c.chunk + line - 1) / line * line
	c.pieces = (n + c.chunk - 1) / c.chunk
}

// perBytes returns how many elements fill n bytes, at least one.
//
//go:norace
func perBytes[T any](n int) int {
	var e T
	return max(n/max(int(unsafe.Sizeof(e)), 1), 1)
}

// gather lists the copies, by place if the order matters, else as they were made.
//
//go:norace
func (c *copies[T]) gather() {
	nodes := make([]*made[T], c.count)
	i := len(nodes)
	for m := c.made; m != nil; m = m.next {
		i--
		nodes[i] = m
	}
	if c.ordered {
		nodes = byPlace(nodes)
	}
	c.all = make([][]T, len(nodes))
	for i, m := range nodes {
		c.all[i] = m.data
	}
}

// byPlace returns the nodes in the order of their places: a merge sort, because the functions of package slices are
// instrumented in race builds.
//
//go:norace
func byPlace[T any](nodes []*made[T]) []*made[T] {
	from, to := nodes, make([]*made[T], len(nodes))
	for run := 1; run < len(from); run *= 2 {
		for lo := 0; lo < len(from); lo += 2 * run {
			mid, hi := min(lo+run, len(from)), min(lo+2*run, len(from))
			merge(to[lo:hi], from[lo:mid], from[mid:hi])
		}
		from, to = to, from
	}
	return from
}

//go:norace
func merge[T any](to, a, b []*made[T]) {
	for i := range to {
		if len(b) == 0 || len(a) > 0 && a[0].place.Compare(b[0].place) <= 0 {
			to[i], a = a[0], a[1:]
		} else {
			to[i], b = b[0], b[1:]
		}
	}
}
