package deps

import (
	"fmt"
	"strings"
	"unsafe"
)

// section tells which bytes of an item count when they are not contiguous: runs of equal length, at the strides of up
// to any number of dimensions. It is immutable.
type section struct {
	run    uintptr // bytes of each contiguous run
	runs   int
	levels []level // outermost first; product of the counts is runs
}

type level struct {
	count  int
	stride uintptr // bytes
}

// String returns, for instance, "8 runs of 64".
//
//go:norace
func (s *section) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d runs of %d", s.runs, s.run)
	return b.String()
}

// offset returns where the i-th run begins, relative to the first.
//
//go:norace
func (s *section) offset(i int) uintptr {
	var off uintptr
	for k := len(s.levels) - 1; k >= 0; k-- {
		l := &s.levels[k]
		off += uintptr(i%l.count) * l.stride
		i /= l.count
	}
	return off
}

// sameSection tells whether two items with the same first byte and extent have the same bytes.
//
//go:norace
func sameSection(a, b *section) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || a.run != b.run || a.runs != b.runs || len(a.levels) != len(b.levels) {
		return false
	}
	for i := range a.levels {
		if a.levels[i] != b.levels[i] {
			return false
		}
	}
	return true
}

// Dim is one dimension of a section of a row-major array: of its N indices those in [Lo, Hi).
type Dim struct{ N, Lo, Hi int }

// tile selects rows [i0, i1) and columns [j0, j1) of the row-major matrix in s, whose rows are ld elements apart.
//
//go:norace
func tile[T any](s []T, ld, i0, i1, j0, j1 int, k Kind) Access {
	if ld <= 0 || i0 < 0 || j0 < 0 || j1 > ld || i1 > i0 && j1 > j0 && (j1 > len(s) || i1-1 > (len(s)-j1)/ld) {
		badTile(len(s), ld, i0, i1, j0, j1)
	}
	rows, cols := i1-i0, j1-j0
	if rows <= 0 || cols <= 0 {
		return Access{}
	}
	var e T
	size := unsafe.Sizeof(e)
	a := Access{ptr: unsafe.Pointer(&s[i0*ld+j0]), size: (uintptr(rows-1)*uintptr(ld) + uintptr(cols)) * size, kind: k}
	if rows > 1 && cols < ld && size > 0 {
		a.ext = &section{run: uintptr(cols) * size, runs: rows, levels: []level{{rows, uintptr(ld) * size}}}
	}
	return a
}

func badTile(n, ld, i0, i1, j0, j1 int) {
	panic(fmt.Sprintf("deps: tile [%d,%d)×[%d,%d) is not inside %d elements in rows of %d", i0, i1, j0, j1, n, ld))
}

// InTile declares that the task reads rows [i0, i1) and columns [j0, j1) of the row-major matrix in s, whose rows begin
// ld elements apart. Tiles are ordered by the bytes that they share, so neighbours do not wait for each other. It
// panics if the tile is not inside s. An empty tile is ignored.
//
// Cost: one allocation. A tile equal to one used before is found like any item; another one costs a look-up per row.
//
//go:norace
func InTile[T any](s []T, ld, i0, i1, j0, j1 int) Access { return tile(s, ld, i0, i1, j0, j1, KindIn) }

// OutTile is [InTile] for a task that overwrites the tile without reading it.
//
//go:norace
func OutTile[T any](s []T, ld, i0, i1, j0, j1 int) Access {
	return tile(s, ld, i0, i1, j0, j1, KindOut)
}

// InOutTile is [InTile] for a task that reads and writes the tile.
//
//go:norace
func InOutTile[T any](s []T, ld, i0, i1, j0, j1 int) Access {
	return tile(s, ld, i0, i1, j0, j1, KindInOut)
}

// ConcurrentTile is [InTile] with the meaning of [Concurrent].
//
//go:norace
func ConcurrentTile[T any](s []T, ld, i0, i1, j0, j1 int) Access {
	return tile(s, ld, i0, i1, j0, j1, KindConcurrent)
}

// CommutativeTile is [InTile] with the meaning of [Commutative].
//
//go:norace
func CommutativeTile[T any](s []T, ld, i0, i1, j0, j1 int) Access {
	return tile(s, ld, i0, i1, j0, j1, KindCommutative)
}

// InSection declares that the task reads a section of the row-major array in s with the given dimensions, outermost
// first: of dimension d the indices [Lo, Hi) of N. It panics if the section is not inside s.
//
//	deps.InSection(a, deps.Dim{n, i, i + 1}, deps.Dim{m, 0, m}, deps.Dim{k, 2, 5}) // a[i][0:m][2:5]
//
//go:norace
func InSection[T any](s []T, dims ...Dim) Access { return sectionOf(s, dims, KindIn) }

// OutSection is [InSection] for a task that overwrites the section without reading it.
//
//go:norace
func OutSection[T any](s []T, dims ...Dim) Access { return sectionOf(s, dims, KindOut) }

// InOutSection is [InSection] for a task that reads and writes the section.
//
//go:norace
func InOutSection[T any](s []T, dims ...Dim) Access { return sectionOf(s, dims, KindInOut) }

// ConcurrentSection is [InSection] with the meaning of [Concurrent].
//
//go:norace
func ConcurrentSection[T any](s []T, dims ...Dim) Access {
	return sectionOf(s, dims, KindConcurrent)
}

// CommutativeSection is [InSection] with the meaning of [Commutative].
//
//go:norace
func CommutativeSection[T any](s []T, dims ...Dim) Access {
	return sectionOf(s, dims, KindCommutative)
}

//go:norace
func sectionOf[T any](s []T, dims []Dim, k Kind) Access {
	var e T
	first, size, sec := layout(len(s), unsafe.Sizeof(e), dims)
	if size == 0 {
		return Access{}
	}
	a := Access{ptr: unsafe.Pointer(&s[first]), size: size, kind: k}
	if sec != nil {
		a.ext = sec
	}
	return a
}

// layout returns the first element of a section, its extent in bytes, and its runs if there are several.
//
//go:norace
func layout(n int, elem uintptr, dims []Dim) (first int, size uintptr, sec *section) {
	total, empty := 1, len(dims) == 0
	for i := range dims {
		d := &dims[i]
		if d.N <= 0 || d.Lo < 0 || d.Hi > d.N {
			panic(fmt.Sprintf("deps: dimension %d of a section is [%d,%d) of %d", i, d.Lo, d.Hi, d.N))
		}
		if total > n/d.N {
			panic(fmt.Sprintf("deps: a section of %v in %d elements", dims, n))
		}
		total *= d.N
		empty = empty || d.Hi <= d.Lo
	}
	if empty || elem == 0 {
		return 0, 0, nil
	}
	// From the inside out: full inner dimensions join the run; the first one that is not ends it.
	sec = &section{run: elem, runs: 1, levels: make([]level, len(dims))}
	stride, used := elem, len(dims)
	last := uintptr(0)
	joined := true
	step := 1
	for i := len(dims) - 1; i >= 0; i-- {
		d := &dims[i]
		count := d.Hi - d.Lo
		first += d.Lo * step
		last += uintptr(count-1) * stride
		if joined {
			sec.run = uintptr(count) * stride
			joined = count == d.N
		} else if count > 1 {
			used--
			sec.levels[used] = level{count, stride}
			sec.runs *= count
		}
		stride *= uintptr(d.N)
		step *= d.N
	}
	size = last + elem
	if sec.runs == 1 {
		return first, size, nil
	}
	sec.levels = sec.levels[used:]
	return first, size, sec
}

// Runs returns of how many contiguous runs of bytes the item is: 1 but for sections, 0 if it is empty.
//
//go:norace
func (a Access) Runs() int {
	if a.Empty() {
		return 0
	}
	return runs(a.section())
}

// Run returns the i-th of them, 0 ≤ i < Runs(), in ascending order of addresses.
//
//go:norace
func (a Access) Run(i int) (first unsafe.Pointer, bytes uintptr) {
	s := a.section()
	if s == nil {
		return a.ptr, a.size
	}
	return unsafe.Add(a.ptr, s.offset(i)), s.run
}
