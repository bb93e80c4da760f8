package main

import (
	"math"
	"math/rand/v2"
)

const maxN = 8192 // 1.5 GiB for the three matrices

// A tile is a rectangle of numbers, row by row. It has memory of its own, which names it in the accesses of tasks.
type tile struct {
	rows, cols int
	cells      []float64
}

func (t tile) row(i int) []float64 { return t.cells[i*t.cols:][:t.cols] }

// A matrix is tiles, row by row; those of the last row and column may be smaller.
type matrix [][]tile

func newMatrix(cfg *config) matrix {
	var m matrix
	for i := 0; i < cfg.n; i += cfg.tile {
		var line []tile
		for j := 0; j < cfg.n; j += cfg.tile {
			rows, cols := min(cfg.tile, cfg.n-i), min(cfg.tile, cfg.n-j)
			line = append(line, tile{rows, cols, make([]float64, rows*cols)})
		}
		m = append(m, line)
	}
	return m
}

// fill sets tile (i, j) of m, which is the which-th matrix, to random numbers between −1 and 1, or whole ones between −100 and
// 100. Each tile has a sequence of its own, so they can be filled in any order.
func (p *problem) fill(m matrix, which, i, j int) {
	random := rand.New(rand.NewPCG(p.cfg.seed, uint64(which)<<32|uint64(i)<<16|uint64(j)))
	cells := m[i][j].cells
	for n := range cells {
		if p.cfg.integers {
			cells[n] = float64(random.IntN(201) - 100)
		} else {
			cells[n] = 2*random.Float64() - 1
		}
	}
}

// gemm adds a·b to c. It takes four rows of b at once: a number of c is then loaded and stored for four products, not for
// each.
func gemm(c, a, b tile) {
	for i := range c.rows {
		row, left := c.row(i), a.row(i)
		k := 0
		for ; k+4 <= len(left); k += 4 {
			x0, x1, x2, x3 := left[k], left[k+1], left[k+2], left[k+3]
			b0, b1, b2, b3 := b.row(k)[:len(row)], b.row(k + 1)[:len(row)], b.row(k + 2)[:len(row)], b.row(k + 3)[:len(row)]
			for j := range row {
				row[j] = row[j] + x0*b0[j] + x1*b1[j] + x2*b2[j] + x3*b3[j]
			}
		}
		for ; k < len(left); k++ {
			x, other := left[k], b.row(k)
			for j := range row {
				row[j] += x * other[j]
			}
		}
	}
}

// difference returns the largest difference of two numbers in the same place, or NaN if there is one in either.
func difference(a, b matrix) (most float64) {
	for i := range a {
		for j := range a[i] {
			for n, x := range a[i][j].cells {
				most = max(most, math.Abs(x-b[i][j].cells[n]))
			}
		}
	}
	return most
}
