package main

import (
	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
)

var (
	rowType    = tasks.NewType("row", 1) // before searches that are ready: more of them become so
	searchType = tasks.NewType("search", 0)
	resultType = tasks.NewType("result", 0)
)

const maxN = 20 // which takes a core some minutes

// known are the numbers of solutions for 0, 1, 2 … queens, https://oeis.org/A000170.
var known = [maxN + 1]uint64{
	1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624, 4968057848,
	39029188884,
}

// A board has queens in its first rows. Column c of the next row is attacked if bit c is set in one of the masks.
type board struct {
	n, row                 int
	columns, falls, climbs uint32 // attacks straight down, towards lower columns, towards higher ones
}

// free returns the columns of the next row that no queen attacks, as bits.
func (b board) free() uint32 { return (1<<b.n - 1) &^ (b.columns | b.falls | b.climbs) }

// with returns the board with a queen in the next row, at the column whose bit is set in square.
func (b board) with(square uint32) board {
	return board{b.n, b.row + 1, b.columns | square, (b.falls | square) >> 1, (b.climbs | square) << 1}
}

// count is the program without tasks: how many ways there are to fill the other rows.
func (b board) count() (solutions uint64) {
	if b.row == b.n {
		return 1
	}
	for free := b.free(); free != 0; free &= free - 1 {
		solutions += b.with(free & -free).count()
	}
	return solutions
}

// search spawns a task that adds to *count what b.count returns.
//
// Up to the row cutoff the task only spawns, and so its reduction is weak. From there on it is final: it searches all rows that
// are left, without tasks, and contributes itself. One clause says both, because in a final task a weak access is strong.
func search(t *tasks.Task, b board, cutoff int, count *uint64) {
	kind, last := rowType, b.row >= min(cutoff, b.n)
	if last {
		kind = searchType
	}
	tasks.Spawn(t, func(t *tasks.Task) {
		if t.InFinal() {
			*reduce.Local(t, count) += b.count()
			return
		}
		for free := b.free(); free != 0; free &= free - 1 {
			search(t, b.with(free&-free), cutoff, count)
		}
	}, kind, tasks.Final(last), deps.Weak(reduce.Sum(count)))
}
