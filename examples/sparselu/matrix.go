package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

const maxRows = 1 << 14 // 2 GiB for the factors, if no block stays empty

// A block is a square of numbers, row by row. It has memory of its own, which names it in the accesses of tasks.
type block []float64

// rows returns how many rows the block has, as it has columns.
func (b block) rows() int { return int(math.Sqrt(float64(len(b)))) }

// A matrix is blocks, row by row; nil where all numbers are zero. Of a factorised matrix, what is below the diagonal is l,
// the rest u.
type matrix [][]block

// randomMatrix returns a matrix of random numbers between −1 and 1, with the number of rows on the diagonal. There the
// diagonal outweighs the rest of its row, and pivoting is not needed.
func randomMatrix(cfg *config) matrix {
	random := rand.New(rand.NewPCG(cfg.seed, 0))
	a := make(matrix, cfg.blocks)
	for i := range a {
		a[i] = make([]block, cfg.blocks)
		for j := range a[i] {
			if random.Float64() >= cfg.density && j != i-1 && j != i && j != i+1 {
				continue
			}
			b := make(block, cfg.block*cfg.block)
			for n := range b {
				b[n] = 2*random.Float64() - 1
			}
			a[i][j] = b
		}
		for r := range cfg.block {
			a[i][i][r*cfg.block+r] = float64(cfg.blocks * cfg.block)
		}
	}
	if cfg.singular {
		i := cfg.blocks / 2
		for _, b := range a[i] {
			clear(b[:min(len(b), cfg.block)])
		}
	}
	return a
}

// fillIn returns block (i, j), which it allocates if it was empty.
func (a matrix) fillIn(i, j int) block {
	if a[i][j] == nil {
		a[i][j] = make(block, len(a[i][i]))
	}
	return a[i][j]
}

// stored returns how many blocks are not empty.
func (a matrix) stored() (n int) {
	for _, row := range a {
		for _, b := range row {
			if b != nil {
				n++
			}
		}
	}
	return n
}

func (a matrix) clone() matrix {
	c := make(matrix, len(a))
	for i, row := range a {
		c[i] = make([]block, len(row))
		for j, b := range row {
			c[i][j] = slices.Clone(b)
		}
	}
	return c
}

// sameBits returns an error that names the first difference.
func sameBits(want, got matrix) error {
	for i, row := range want {
		for j, w := range row {
			g := got[i][j]
			if len(g) != len(w) {
				return fmt.Errorf("block (%d,%d) has %d numbers, not %d", i, j, len(g), len(w))
			}
			for n := range w {
				if math.Float64bits(g[n]) != math.Float64bits(w[n]) {
					return fmt.Errorf("block (%d,%d), number %d: %v is not %v", i, j, n, g[n], w[n])
				}
			}
		}
	}
	return nil
}
