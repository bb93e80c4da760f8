package main

import (
	"errors"
	"fmt"
)

// factorSerial replaces a by its Cholesky factor, one kernel after the other.
func factorSerial(a *matrix) error {
	for k := range a.tiles {
		if err := a.potrf(k); err != nil {
			return err
		}
		for i := k + 1; i < len(a.tiles); i++ {
			trsm(a.tiles[i][k], a.tiles[k][k])
		}
		for i := k + 1; i < len(a.tiles); i++ {
			for j := k + 1; j < i; j++ {
				gemm(a.tiles[i][j], a.tiles[i][k], a.tiles[j][k])
			}
			syrk(a.tiles[i][i], a.tiles[i][k])
		}
	}
	return nil
}

// potrf factors the k-th tile of the diagonal. Its error names the tile.
func (m *matrix) potrf(k int) error {
	err := potrf(m.tiles[k][k])
	var e *notPositive
	if errors.As(err, &e) {
		return fmt.Errorf("tile (%d,%d): the matrix is not positive definite: pivot %d is %.3g", k, k, k*m.tile+e.index, e.pivot)
	}
	return err
}
