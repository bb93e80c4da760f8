package bench

import (
	"testing"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// BenchmarkRegions is what an access costs by how it meets those before it: empty tasks, each with one inout.
//
//	none     no access at all: the task itself
//	equal    the same 8 intervals again and again: an item that is equal to an earlier one
//	new      an interval that no task had, each time
//	tile     the same 8 tiles of a matrix again and again
//	newtile  a tile that no task had, each time
//	overlap  intervals that share a half with the one before and a half with the one after: a cut for each
//	shifted  tiles that share a quarter with up to three earlier ones
//	levels   the whole, then its 8 blocks, again and again; the time is per access
//
// That equal items cost what they did before there were regions is for two builds to show: make bench-regions.
func BenchmarkRegions(b *testing.B) {
	const n = 2048
	const half = 64
	line := make([]Cell, half*(n+1))
	const rows = 512 // 64 × 64 tiles of 8 × 8
	square := make([]Cell, rows*rows)
	tile := func(i, size int) deps.Access {
		r, c := i/64*8, i%64*8
		return deps.InOutTile(square, rows, r, min(r+size, rows), c, min(c+size, rows))
	}
	each := func(name string, access func(i int) deps.Access) side {
		return side{name, n, func(t *tasks.Task) {
			for i := range n {
				tasks.Spawn(t, nothing, access(i))
			}
		}}
	}
	sides := []side{
		each("equal", func(i int) deps.Access { return deps.InOutSlice(line[i%8*half:][:half]) }),
		{"none", n, func(t *tasks.Task) {
			for range n {
				tasks.Spawn(t, nothing)
			}
		}},
		each("new", func(i int) deps.Access { return deps.InOutSlice(line[i*half:][:half]) }),
		each("tile", func(i int) deps.Access { return tile(i%8, 8) }),
		each("newtile", func(i int) deps.Access { return tile(i, 8) }),
		each("overlap", func(i int) deps.Access { return deps.InOutSlice(line[i*half:][:2*half]) }),
		each("shifted", func(i int) deps.Access { return tile(i, 12) }),
		each("levels", func(i int) deps.Access {
			if i%9 == 0 {
				return deps.InOutSlice(line[:8*half])
			}
			return deps.InOutSlice(line[(i%9-1)*half:][:half])
		}),
	}
	compare(b, 1, sides)
}
