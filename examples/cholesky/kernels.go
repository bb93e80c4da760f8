package main

import (
	"fmt"
	"math"
)

// The four kernels of the factorisation have the names that BLAS and LAPACK made known. Each works on whole tiles, which
// it takes in panels so that nearly all the work is done by gemm. Of a triangle only the part on and below the diagonal is
// read and written.

// panel is how many columns potrf and trsm, and how many rows syrk, take at a time.
const panel = 16

// notPositive is the failure of a factorisation: no real number has this square.
type notPositive struct {
	index int // of the column, in its tile
	pivot float64
}

func (e *notPositive) Error() string { return fmt.Sprintf("pivot %d is %.3g", e.index, e.pivot) }

// potrf replaces the symmetric a by its Cholesky factor l, a lower triangle with l·lᵀ = a.
func potrf(a block) error {
	for j := 0; j < a.rows; j += panel {
		p := min(panel, a.rows-j)
		left := a.part(j, 0, p, j)
		diagonal := a.part(j, j, p, p)
		syrk(diagonal, left)
		for i := range p {
			row := diagonal.row(i)
			for k := range i {
				other := diagonal.row(k)
				row[k] = (row[k] - dot(row[:k], other[:k])) / other[k]
			}
			pivot := row[i] - dot(row[:i], row[:i])
			if !(pivot > 0) { // true for NaN, too
				return &notPositive{j + i, pivot}
			}
			row[i] = math.Sqrt(pivot)
		}
		rest := a.rows - j - p
		below := a.part(j+p, j, rest, p)
		gemm(below, a.part(j+p, 0, rest, j), left)
		trsm(below, diagonal)
	}
	return nil
}

// trsm solves x·lᵀ = b for x, which replaces b; l is a lower triangle.
func trsm(b, l block) {
	for j := 0; j < l.rows; j += panel {
		p := min(panel, l.rows-j)
		x := b.part(0, j, b.rows, p)
		gemm(x, b.part(0, 0, b.rows, j), l.part(j, 0, p, j))
		diagonal := l.part(j, j, p, p)
		for i := range x.rows {
			row := x.row(i)
			for k := range row {
				other := diagonal.row(k)
				row[k] = (row[k] - dot(row[:k], other[:k])) / other[k]
			}
		}
	}
}

// syrk subtracts a·aᵀ from the triangle c.
func syrk(c, a block) {
	for i := 0; i < c.rows; i += panel {
		p := min(panel, c.rows-i)
		rows := a.part(i, 0, p, a.cols)
		gemm(c.part(i, 0, p, i), rows, a.part(0, 0, i, a.cols))
		diagonal := c.part(i, i, p, p)
		for r := range p {
			row := diagonal.row(r)
			for s := range r + 1 {
				if a.cols > 0 {
					row[s] -= dot(rows.row(r), rows.row(s))
				}
			}
		}
	}
}

// gemm subtracts a·bᵀ from c.
func gemm(c, a, b block) {
	if c.rows == 0 || c.cols == 0 || a.cols == 0 {
		return
	}
	i := 0
	for ; i+4 <= c.rows; i += 4 {
		j := 0
		for ; j+2 <= c.cols; j += 2 {
			gemm4x2(c, a, b, i, j)
		}
		for ; j < c.cols; j++ {
			for r := i; r < i+4; r++ {
				c.row(r)[j] -= dot(a.row(r), b.row(j))
			}
		}
	}
	for ; i < c.rows; i++ {
		row, left := c.row(i), a.row(i)
		for j := range row {
			row[j] -= dot(left, b.row(j))
		}
	}
}

// gemm4x2 makes four rows by two columns of c. Its eight sums do not wait for each other and, with the six factors,
// just fit the sixteen floating-point registers that amd64 has.
func gemm4x2(c, a, b block, i, j int) {
	a0 := a.row(i)
	a1, a2, a3 := a.row(i + 1)[:len(a0)], a.row(i + 2)[:len(a0)], a.row(i + 3)[:len(a0)]
	b0, b1 := b.row(j)[:len(a0)], b.row(j + 1)[:len(a0)]
	var s00, s01, s10, s11, s20, s21, s30, s31 float64
	for k, x0 := range a0 {
		x1, x2, x3, y0, y1 := a1[k], a2[k], a3[k], b0[k], b1[k]
		s00 += x0 * y0
		s01 += x0 * y1
		s10 += x1 * y0
		s11 += x1 * y1
		s20 += x2 * y0
		s21 += x2 * y1
		s30 += x3 * y0
		s31 += x3 * y1
	}
	subtract := func(r int, s0, s1 float64) {
		row := c.row(i + r)
		row[j] -= s0
		row[j+1] -= s1
	}
	subtract(0, s00, s01)
	subtract(1, s10, s11)
	subtract(2, s20, s21)
	subtract(3, s30, s31)
}

func dot(a, b []float64) (sum float64) {
	b = b[:len(a)]
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
