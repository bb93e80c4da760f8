package conformance

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Regions for programs written by hand.
var (
	x    = span(0, 8)
	y    = span(8, 16)
	left = span(0, 4)
	rest = span(4, 8)
)

// check plays a program in many ways, on one slot and on many, and holds it to facts, which are not the oracle's:
//
//	a<b   b never runs before a is over
//	a|b   a and b do meet, whatever the way, if nothing that is not the oracle's to decide lets one end before
//	a!b   a and b never meet, in either order
//
// For a|b it is enough that they meet in one way, because in others the one ends before the other is created.
func check(t *testing.T, build func() *task, facts string) {
	t.Helper()
	single, many := newStage(t, 0), newStage(t, 12)
	met := map[string]bool{}
	for k := range 3 * len(policies) {
		s := single
		if k%3 == 2 {
			s = many
		}
		single.seed = uint64(k % 3)
		p, err := s.run(build(), policies[k/3])
		require.NoError(t, err)
		for _, f := range strings.Fields(facts) {
			i := strings.IndexAny(f, "<|!")
			a, b := name(f[:i]), name(f[i+1:])
			together := p.met[[2]string{a, b}] || p.met[[2]string{b, a}]
			switch f[i] {
			case '<':
				require.True(t, p.after[[2]string{a, b}], "%s\n%v%s", f, p.root, p.steps())
			case '|':
				met[f] = met[f] || together
			case '!':
				require.False(t, together, "%s\n%v%s", f, p.root, p.steps())
			}
		}
	}
	for _, f := range strings.Fields(facts) {
		if strings.Contains(f, "|") {
			require.True(t, met[f], f)
		}
	}
}

// name turns a name of a fact into a task's: they have no spaces.
func name(s string) string { return strings.ReplaceAll(s, "_", " ") }
