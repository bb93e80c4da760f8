package main

import (
	"fmt"
	"math"
)

// The kernels have the names of the sparselu programs of the OmpSs and BOTS suites. All work row by row, as the blocks lie in
// memory.

// lu0 replaces the k-th block of the diagonal by its factors. Its error names the block.
func lu0(d block, k int) error {
	n := d.rows()
	for i := range n {
		row := d[i*n:][:n]
		for c := range i {
			above := d[c*n:][:n]
			row[c] /= above[c]
			subtract(row[c+1:], row[c], above[c+1:])
		}
		if row[i] == 0 || math.IsNaN(row[i]) {
			return fmt.Errorf("block (%d,%d): pivot %d is %v", k, k, k*n+i, row[i])
		}
	}
	return nil
}

// fwd solves l·x = b for x, which replaces b; l is the lower triangle of d.
func fwd(d, b block) {
	n := d.rows()
	for i := range n {
		for c := range i {
			subtract(b[i*n:][:n], d[i*n+c], b[c*n:][:n])
		}
	}
}

// bdiv solves x·u = b for x, which replaces b; u is the upper triangle of d.
func bdiv(d, b block) {
	n := d.rows()
	for i := range n {
		row := b[i*n:][:n]
		for c := range n {
			u := d[c*n:][:n]
			row[c] /= u[c]
			subtract(row[c+1:], row[c], u[c+1:])
		}
	}
}

// bmod subtracts l·u from b. Nearly all the time goes here, so it takes four rows of u at once: a number of b is then loaded
// and stored for four products, not for each.
func bmod(l, u, b block) {
	n := b.rows()
	for i := range n {
		row, left := b[i*n:][:n], l[i*n:][:n]
		c := 0
		for ; c+4 <= n; c += 4 {
			x0, x1, x2, x3 := left[c], left[c+1], left[c+2], left[c+3]
			u0, u1, u2, u3 := u[c*n:][:n], u[(c+1)*n:][:n], u[(c+2)*n:][:n], u[(c+3)*n:][:n]
			for j := range row {
				row[j] = row[j] - x0*u0[j] - x1*u1[j] - x2*u2[j] - x3*u3[j]
			}
		}
		for ; c < n; c++ {
			subtract(row, left[c], u[c*n:][:n])
		}
	}
}

// subtract takes x·b from a.
func subtract(a []float64, x float64, b []float64) {
	b = b[:len(a)]
	for i := range a {
		a[i] -= x * b[i]
	}
}
