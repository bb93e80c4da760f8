package main

import "slices"

// rows are a block of rows of the matrix, in compressed form: of row lo+i, numbers[start[i]:start[i+1]] are not zero, and
// columns says where they stand.
type rows struct {
	lo, hi      int
	start       []int32
	columns     []int32
	numbers     []float64
	first, last int // blocks of the vectors that the columns lie in
}

// newRows returns rows lo to hi of the matrix: 27 on the diagonal, and −1 for each neighbour in the box.
func newRows(cfg *config, lo, hi int) *rows {
	a := &rows{lo: lo, hi: hi, start: make([]int32, 1, hi-lo+1)}
	for i := lo; i < hi; i++ {
		x, y, z := i%cfg.nx, i/cfg.nx%cfg.ny, i/(cfg.nx*cfg.ny)
		for w := max(z-1, 0); w <= min(z+1, cfg.nz-1); w++ {
			for v := max(y-1, 0); v <= min(y+1, cfg.ny-1); v++ {
				for u := max(x-1, 0); u <= min(x+1, cfg.nx-1); u++ {
					column, number := (w*cfg.ny+v)*cfg.nx+u, -1.0
					if column == i {
						number = 27
					}
					a.columns = append(a.columns, int32(column))
					a.numbers = append(a.numbers, number)
				}
			}
		}
		a.start = append(a.start, int32(len(a.columns)))
	}
	a.first, a.last = int(slices.Min(a.columns))/cfg.block, int(slices.Max(a.columns))/cfg.block
	return a
}

// The kernels have the names of the original's.

// sparsemv sets the block's part of w to that of a·x; x is the whole vector.
func (a *rows) sparsemv(w, x []float64) {
	w = w[a.lo:a.hi]
	for i := range w {
		from, to := a.start[i], a.start[i+1]
		columns, sum := a.columns[from:to], 0.0
		for k, n := range a.numbers[from:to] {
			sum += n * x[columns[k]]
		}
		w[i] = sum
	}
}

// waxpby sets w to x + c·y. Any two of them may be the same.
func waxpby(w, x []float64, c float64, y []float64) {
	x, y = x[:len(w)], y[:len(w)]
	for i := range w {
		w[i] = x[i] + c*y[i]
	}
}

func ddot(x, y []float64) (sum float64) {
	y = y[:len(x)]
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}
