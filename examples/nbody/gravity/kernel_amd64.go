package gravity

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// addForcesAVX2 is addForcesGo in assembly; the slices are whole messages, all of one stride.
func addForcesAVX2[F Float](forces, targets, sources []F, softening2 F) {
	stride := len(forces) / 3
	switch f := any(forces).(type) {
	case []float32:
		t, s := any(targets).([]float32), any(sources).([]float32)
		addForces32AVX2(&f[0], &t[0], &s[0], stride, float32(softening2), coincident[float32]())
	case []float64:
		t, s := any(targets).([]float64), any(sources).([]float64)
		addForces64AVX2(&f[0], &t[0], &s[0], stride, float64(softening2), coincident[float64]())
	}
}

//go:noescape
func addForces32AVX2(forces, targets, sources *float32, stride int, softening2, least float32)

//go:noescape
func addForces64AVX2(forces, targets, sources *float64, stride int, softening2, least float64)
