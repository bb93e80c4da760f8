//go:build !amd64

package gravity

const hasAVX2 = false

func addForcesAVX2[F Float]([]F, []F, []F, F) {
	panic("gravity: the avx2 kernel needs an amd64 processor")
}
