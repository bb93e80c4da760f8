package gravity

import "math"

// addForcesGo is the kernel in plain Go, for any machine. The conversions F(…) round each product, which forbids the
// compiler to fuse it with the addition: all architectures give the same bits.
func addForcesGo[F Float](forces *Forces[F], targets, sources *Points[F], softening2 F) {
	least := coincident[F]()
	sx, sy, sz, sm := sources.X, sources.Y, sources.Z, sources.Mass
	sy, sz, sm = sy[:len(sx)], sz[:len(sx)], sm[:len(sx)]
	for i, x := range targets.X {
		y, z := targets.Y[i], targets.Z[i]
		var fx, fy, fz F
		for j := range sx {
			dx, dy, dz := sx[j]-x, sy[j]-y, sz[j]-z
			r2 := F(dx*dx) + F(dy*dy) + F(dz*dz) + softening2
			if r2 <= least {
				continue
			}
			w := sm[j] / F(r2*F(math.Sqrt(float64(r2))))
			fx += F(w * dx)
			fy += F(w * dy)
			fz += F(w * dz)
		}
		forces.X[i] += fx
		forces.Y[i] += fy
		forces.Z[i] += fz
	}
}
