package gravity

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestParseKernel(t *testing.T) {
	for _, c := range []struct {
		name string
		avx2 bool
		want Kernel
		err  string
	}{
		{"auto", true, AVX2, ""},
		{"auto", false, Portable, ""},
		{"go", true, Portable, ""},
		{"avx2", true, AVX2, ""},
		{"avx2", false, "", "kernel avx2: this processor has no AVX2 with FMA"},
		{"sse", true, "", `kernel "sse": want auto, go or avx2`},
	} {
		got, err := parseKernel(c.name, c.avx2)
		assert.Equal(t, c.want, got)
		if c.err != "" {
			assert.EqualError(t, err, c.err)
		} else {
			assert.NoError(t, err)
		}
	}
}
