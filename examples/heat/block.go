package main

import "math"

// A block is a rectangle of the plate with memory of its own, which names it in the accesses of tasks. Around a rank's
// blocks lies a frame of thin ones, one cell across: the rim of the plate, or copies of the neighbours' nearest rows.
type block struct {
	rows, cols int
	cells      []float64 // row by row
	change     float64   // the largest change of a cell in the last step
}

func newBlock(rows, cols int) *block {
	return &block{rows: rows, cols: cols, cells: make([]float64, rows*cols)}
}

func (b *block) row(i int) []float64 { return b.cells[i*b.cols:][:b.cols] }
func (b *block) top() []float64      { return b.row(0) }
func (b *block) bottom() []float64   { return b.row(b.rows - 1) }

// relax replaces every cell of b, row by row from the left, by the mean of its four neighbours. Those above and to the
// left have this step's values already, the others still those of the step before: that is what makes it Gauss–Seidel.
func (b *block) relax(up, left, right, down *block) {
	change := 0.0
	above := up.bottom()
	for i := range b.rows {
		row, below := b.row(i), down.top()
		if i+1 < b.rows {
			below = b.row(i + 1)
		}
		west := left.row(i)[left.cols-1]
		east := right.row(i)[0]
		for j, old := range row {
			next := east
			if j+1 < len(row) {
				next = row[j+1]
			}
			// The cell to the left comes last: it is the one that has just been computed, and all else is ready by then.
			west = 0.25 * (above[j] + below[j] + next + west)
			if d := math.Abs(west - old); d > change {
				change = d
			}
			row[j] = west
		}
		above = row
	}
	b.change = change
}
