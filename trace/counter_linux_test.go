//go:build amd64 || arm64

package trace

import "testing"

func TestFlags(t *testing.T) {
	const flags = "processor\t: 0\nflags\t\t: fpu tsc constant_tsc nonstop_tsc\nprocessor\t: 1\nflags\t\t: more\n"
	for _, c := range []struct {
		want []string
		ok   bool
	}{
		{[]string{"constant_tsc", "nonstop_tsc"}, true},
		{[]string{"constant"}, false},
		{[]string{"more"}, false},
	} {
		if hasFlags([]byte(flags), c.want) != c.ok {
			t.Errorf("hasFlags(%q) is not %v", c.want, c.ok)
		}
	}
	if hasFlags(nil, []string{"tsc"}) {
		t.Error("no text has flags")
	}
}
