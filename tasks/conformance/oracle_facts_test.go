package conformance

import (
	"testing"

	"github.com/stretchr/testify/require"
)

var x = span(0, 8)

func TestSmoke(t *testing.T) {
	for _, slots := range []int{0, 8} {
		s := newStage(t, slots)
		for _, pol := range policies {
			_, err := s.run(T("root", T("a", out(x)), T("b", in(x)), T("c", in(x)), T("d", adds(x)), T("e", adds(x)), T("f", inout(x))), pol)
			require.NoError(t, err)
		}
	}
}
