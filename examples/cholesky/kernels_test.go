package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sizes are below, at and beyond what the kernels take at a time.
var sizes = []int{1, 2, 3, 4, 5, 15, 16, 17, 33, 64}

func randomBlock(rows, cols int) block {
	b := newBlock(rows, cols)
	for i := range b.cells {
		b.cells[i] = 2*rand.Float64() - 1
	}
	return b
}

// triangle returns a lower triangle that is safe to divide by, with NaN where nobody may look.
func triangle(n int) block {
	l := randomBlock(n, n)
	for i := range n {
		l.row(i)[i] = 2
		for j := i + 1; j < n; j++ {
			l.row(i)[j] = math.NaN()
		}
	}
	return l
}

// product returns a·bᵀ.
func product(a, b block) block {
	c := newBlock(a.rows, b.rows)
	for i := range a.rows {
		for j := range b.rows {
			for k := range a.cols {
				c.row(i)[j] += a.row(i)[k] * b.row(j)[k]
			}
		}
	}
	return c
}

// lower returns l with zeros above the diagonal.
func lower(l block) block {
	c := newBlock(l.rows, l.cols)
	for i := range l.rows {
		copy(c.row(i)[:i+1], l.row(i))
	}
	return c
}

func assertNear(t *testing.T, want, got block, where string) {
	t.Helper()
	require.Equal(t, want.rows, got.rows)
	for i := range want.rows {
		require.InDeltaSlice(t, want.row(i), got.row(i), 1e-11, "%s, row %d", where, i)
	}
}

func TestGemmIsTheProduct(t *testing.T) {
	for _, rows := range sizes {
		for _, cols := range sizes {
			for _, depth := range []int{1, 7, 16} {
				a, b, c := randomBlock(rows, depth), randomBlock(cols, depth), newBlock(rows, cols)
				gemm(c, a, b)
				for i := range c.cells {
					c.cells[i] = -c.cells[i]
				}
				assertNear(t, product(a, b), c, fmt.Sprint(rows, cols, depth))
			}
		}
	}
}

func TestSyrkIsGemmBelowTheDiagonal(t *testing.T) {
	for _, n := range sizes {
		for _, depth := range []int{1, 7, 16} {
			a, c := randomBlock(n, depth), triangle(n)
			want := lower(c)
			gemm(want, a, a)
			syrk(c, a)
			assertNear(t, lower(want), lower(c), fmt.Sprint(n, depth))
		}
	}
}

func TestTrsmSolves(t *testing.T) {
	for _, rows := range sizes {
		for _, n := range []int{1, 3, 16, 17} { // random triangles of more rows are too close to singular
			b, l := randomBlock(rows, n), triangle(n)
			x := block{b.rows, b.cols, b.stride, append([]float64(nil), b.cells...)}
			trsm(x, l)
			assertNear(t, b, product(x, lower(l)), fmt.Sprint(rows, n))
		}
	}
}

func TestPotrfFactors(t *testing.T) {
	for _, n := range sizes {
		l := randomMatrix(n, n, 1).tiles[0][0]
		a := block{n, n, n, append([]float64(nil), l.cells...)}
		for i := range n {
			for j := range i {
				a.row(j)[i] = a.row(i)[j]
			}
		}
		require.NoError(t, potrf(l))
		assertNear(t, a, product(l, l), fmt.Sprint(n))
	}
}

func TestPotrfFindsTheFirstBadPivot(t *testing.T) {
	for _, bad := range []float64{-1, 0, math.NaN()} {
		a := newBlock(40, 40)
		for i := range 40 {
			a.row(i)[i] = 1
		}
		a.row(30)[30], a.row(35)[35] = bad, bad
		var e *notPositive
		require.True(t, errors.As(potrf(a), &e))
		assert.Equal(t, 30, e.index)
	}
}
