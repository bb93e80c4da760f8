package gravity

import "fmt"

// Kernel names an implementation of the force loop.
type Kernel string

const (
	Portable Kernel = "go"   // plain Go; the same bits on every architecture
	AVX2     Kernel = "avx2" // amd64 assembly for AVX2 with FMA, eight float32 or four float64 targets at a time
)

// ParseKernel turns auto, go or avx2 into a kernel this machine can run; auto is the fastest one.
func ParseKernel(name string) (Kernel, error) { return parseKernel(name, hasAVX2) }

func parseKernel(name string, hasAVX2 bool) (Kernel, error) {
	switch name {
	case "auto":
		if hasAVX2 {
			return AVX2, nil
		}
		return Portable, nil
	case string(Portable):
		return Portable, nil
	case string(AVX2):
		if !hasAVX2 {
			return "", fmt.Errorf("kernel avx2: this processor has no AVX2 with FMA")
		}
		return AVX2, nil
	}
	return "", fmt.Errorf("kernel %q: want auto, go or avx2", name)
}
