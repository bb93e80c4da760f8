package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// maxResidual is what the residual may be. In the worst case the rounding errors of n additions give √n/2 for the matrices
// of this program, but errors of both signs stay far below one; a wrong result is far above.
const maxResidual = 1

// residual returns ‖a − l·lᵀ‖ / (n·‖a‖·ε) in the Frobenius norm.
func residual(t *tasks.Task, a, l *matrix) (float64, error) {
	// Each tile has a place for its sum, and they are added up in order: the result does not depend on who is faster.
	type sums struct{ a, difference float64 }
	parts := make([]sums, 0, len(a.tiles)*(len(a.tiles)+1)/2)
	for i := range a.tiles {
		for j := range i + 1 {
			parts = append(parts, sums{})
			part := &parts[len(parts)-1]
			tasks.Spawn(t, func() {
				tile := a.tiles[i][j]
				d := block{tile.rows, tile.cols, tile.stride, slices.Clone(tile.cells)}
				for k := range j + 1 {
					if i == j {
						syrk(d, l.tiles[i][k])
					} else {
						gemm(d, l.tiles[i][k], l.tiles[j][k])
					}
				}
				part.a, part.difference = squares(tile, i == j), squares(d, i == j)
			}, tasks.Label("residual"), deps.Out(part))
		}
	}
	if err := t.Wait(); err != nil {
		return 0, err
	}
	var total sums
	for _, p := range parts {
		total.a += p.a
		total.difference += p.difference
	}
	const epsilon = 0x1p-52
	return math.Sqrt(total.difference/total.a) / (float64(a.n) * epsilon), nil
}

// squares returns what the tile adds to the square of the norm. Numbers off the matrix's diagonal are there twice.
func squares(b block, diagonal bool) (sum float64) {
	for i := range b.rows {
		row := b.row(i)
		if diagonal {
			row = row[:i]
			x := b.row(i)[i]
			sum += x * x
		}
		sum += 2 * dot(row, row)
	}
	return sum
}

// sameBits returns an error that names the first place in which the factors differ.
func sameBits(a, b *matrix) error {
	for i := range a.n {
		for j := range i + 1 {
			if x, y := *a.at(i, j), *b.at(i, j); math.Float64bits(x) != math.Float64bits(y) {
				return fmt.Errorf("row %d, column %d: %v is not %v", i, j, x, y)
			}
		}
	}
	return nil
}
