package main

import (
	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

var blockType = tasks.NewType("block", 0)

// A table is the blocks for two sequences, with a frame of blocks that are all zeros above and to the left.
type table [][]*block

// A block is what is kept of a rectangle of cells.
type block struct {
	row, col      int    // of the first cell, from 1
	first, second string // letters of its rows and columns
	rim           []int32
	bottom, right []int32 // the two parts of rim; the cell in the corner is in both
	best          end
}

// An end is where an alignment ends, and its score.
type end struct {
	score int32
	i, j  int // letters of the first and second sequence, from 1
}

// before tells whether e is the one to report of two: the higher score, and of equal ones the first, row by row.
func (e end) before(f end) bool {
	if e.score != f.score {
		return e.score > f.score
	}
	return e.i < f.i || e.i == f.i && e.j < f.j
}

// scoring is what pairs of letters are worth.
type scoring struct{ match, mismatch, gap int32 }

func newTable(first, second string, size int) table {
	var w table
	for i := -1; i < pieces(first, size); i++ {
		var line []*block
		for j := -1; j < pieces(second, size); j++ {
			b := &block{row: i*size + 1, col: j*size + 1, first: piece(first, i, size), second: piece(second, j, size)}
			b.rim = make([]int32, len(b.second)+len(b.first))
			b.bottom, b.right = b.rim[:len(b.second)], b.rim[len(b.second):]
			line = append(line, b)
		}
		w = append(w, line)
	}
	return w
}

func pieces(s string, size int) int { return (len(s) + size - 1) / size }

// piece returns the i-th piece of s. That of the frame, −1, is one cell wide.
func piece(s string, i, size int) string {
	if i < 0 {
		return "-"
	}
	return s[i*size : min((i+1)*size, len(s))]
}

// tasks spawns a task for each block. A block touches the rims of its neighbours only, so rims are the items.
func (w table) tasks(t *tasks.Task, s scoring) {
	for i, line := range w[1:] {
		if t.Context().Err() != nil {
			return
		}
		for j, b := range line[1:] {
			diagonal, above, left := w[i][j], w[i][j+1], w[i+1][j]
			tasks.Spawn(t, func() { b.fill(s, diagonal, above, left) }, blockType,
				deps.InSlice(diagonal.rim), deps.InSlice(above.rim), deps.InSlice(left.rim),
				deps.OutSlice(b.rim), deps.Out(&b.best))
		}
	}
}

// fill computes the cells of b. Its bottom row serves as the row above while there is one still to come.
func (b *block) fill(s scoring, diagonal, above, left *block) {
	row := b.bottom
	copy(row, above.bottom)
	corner := diagonal.bottom[len(diagonal.bottom)-1]
	b.best = end{}
	for i := range len(b.first) {
		x := b.first[i]
		d, h := corner, left.right[i] // the cells on the diagonal and to the left
		corner = h
		for j := range row {
			if x == b.second[j] {
				d += s.match
			} else {
				d += s.mismatch
			}
			h = max(0, d, row[j]+s.gap, h+s.gap)
			d, row[j] = row[j], h
			if h > b.best.score {
				b.best = end{h, b.row + i, b.col + j}
			}
		}
		b.right[i] = h
	}
}

// best returns the end of the best alignment, once all tasks are complete.
func (w table) best() (most end) {
	for _, line := range w[1:] {
		for _, b := range line[1:] {
			if b.best.before(most) {
				most = b.best
			}
		}
	}
	return most
}

// alignSerial is the program without blocks and tasks, as one would first write it.
func alignSerial(first, second string, s scoring) (best end) {
	above, row := make([]int32, len(second)+1), make([]int32, len(second)+1)
	for i := 1; i <= len(first); i++ {
		for j := 1; j <= len(second); j++ {
			pair := s.mismatch
			if first[i-1] == second[j-1] {
				pair = s.match
			}
			row[j] = max(0, above[j-1]+pair, above[j]+s.gap, row[j-1]+s.gap)
			if row[j] > best.score {
				best = end{row[j], i, j}
			}
		}
		above, row = row, above
	}
	return best
}
