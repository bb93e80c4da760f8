//go:build !race

package taskstest

import (
	"flag"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSchedulesFindsAMissingAccess(t *testing.T) {
	r := &recorder{TB: t}
	Schedules(r, 100, forgetful)
	require.True(t, r.bad)
	require.Contains(t, r.text.String(), "-taskstest.seed=0x")

	// The printed seed fails again, alone, the same way.
	text := r.text.String()
	seed := text[strings.LastIndex(text, "=")+1 : len(text)-1]
	require.NoError(t, flag.Set(seedFlag, seed))
	defer flag.Set(seedFlag, "0")
	again := &recorder{TB: t}
	Schedules(again, 100, forgetful)
	require.Equal(t, text, again.text.String())
}
