package main

import (
	"math/rand/v2"
	"slices"
)

// A matrix is a symmetric matrix, or the lower triangle that is its factor, in tiles. Each tile has memory of its own,
// which names it in the accesses of tasks.
type matrix struct {
	n     int
	tile  int       // rows and columns of a tile; the last row of tiles may have fewer
	tiles [][]block // [i][j] for j ≤ i
}

func newMatrix(n, tile int) *matrix {
	m := &matrix{n: n, tile: tile}
	for i := 0; i*tile < n; i++ {
		var row []block
		for j := range i + 1 {
			row = append(row, newBlock(min(tile, n-i*tile), min(tile, n-j*tile)))
		}
		m.tiles = append(m.tiles, row)
	}
	return m
}

// randomMatrix returns a matrix of random numbers between −1 and 1 with n on the diagonal, which makes it positive
// definite: on every row the diagonal outweighs the rest. It does not depend on the size of the tiles.
func randomMatrix(n, tile int, seed uint64) *matrix {
	m := newMatrix(n, tile)
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range n {
		for j := range i {
			*m.at(i, j) = 2*random.Float64() - 1
		}
		*m.at(i, i) = float64(n)
	}
	return m
}

// spoil makes a matrix indefinite: a number on the diagonal is negative, so one of the pivots will be.
func (m *matrix) spoil(i int) { *m.at(i, i) = -float64(m.n) }

// at returns the place of row i and column j ≤ i.
func (m *matrix) at(i, j int) *float64 {
	return &m.tiles[i/m.tile][j/m.tile].row(i % m.tile)[j%m.tile]
}

func (m *matrix) clone() *matrix {
	c := *m
	c.tiles = make([][]block, len(m.tiles))
	for i, row := range m.tiles {
		c.tiles[i] = slices.Clone(row)
		for j := range row {
			c.tiles[i][j].cells = slices.Clone(row[j].cells)
		}
	}
	return &c
}
