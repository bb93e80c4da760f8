package main

// A block is a rectangle of numbers, row by row: a tile, or a part of one.
type block struct {
	rows, cols int
	stride     int       // from one row to the next
	cells      []float64 // from the first number on
}

func newBlock(rows, cols int) block {
	return block{rows, cols, cols, make([]float64, rows*cols)}
}

func (b block) row(i int) []float64 { return b.cells[i*b.stride:][:b.cols] }

// part returns the rectangle whose first number is at (i, j) of b, in the same memory. It may be empty.
func (b block) part(i, j, rows, cols int) block {
	if rows == 0 || cols == 0 {
		return block{rows: rows, cols: cols}
	}
	return block{rows, cols, b.stride, b.cells[i*b.stride+j:]}
}
