package tasks

import (
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEffectiveReplacesZeroes(t *testing.T) {
	c, err := Config{}.Effective()
	require.NoError(t, err)
	require.Equal(t, runtime.GOMAXPROCS(0), c.Workers)
	require.Equal(t, defaultThrottle, c.Throttle)
	require.NotNil(t, c.Logger)

	again, err := c.Effective()
	require.NoError(t, err)
	require.Equal(t, c, again)

	for _, one := range []Config{{Serial: true}, {Pick: func(int) int { return 0 }}} {
		c, err := one.Effective()
		require.NoError(t, err)
		require.Equal(t, 1, c.Workers)
	}
}

// TestNoBoundIsNoBound: the runtime keeps the bound in 32 bits, and a very negative one must not come out as zero there.
func TestNoBoundIsNoBound(t *testing.T) {
	for _, n := range []int{-1, -2, math.MinInt32, math.MinInt} {
		c, err := Config{Throttle: n}.Effective()
		require.NoError(t, err)
		require.Equal(t, -1, c.Throttle)
	}
}

func TestEffectiveNamesTheField(t *testing.T) {
	pick := func(int) int { return 0 }
	for want, c := range map[string]Config{
		"tasks: Config.Workers is -1, want 0 to 65536":                  {Workers: -1},
		"tasks: Config.Workers is 65537, want 0 to 65536":               {Workers: maxWorkers + 1},
		"tasks: Config.Throttle is 1073741825, want at most 1073741824": {Throttle: maxThrottle + 1},
		"tasks: Config.Serial needs Workers 1, not 2, and no Pick":      {Workers: 2, Serial: true},
		"tasks: Config.Serial needs Workers 1, not 1, and no Pick":      {Serial: true, Pick: pick},
		"tasks: Config.Pick needs Workers 1, not 2":                     {Workers: 2, Pick: pick},
	} {
		_, err := c.Effective()
		require.EqualError(t, err, want)
		rt, err := New(c)
		require.EqualError(t, err, want)
		require.Nil(t, rt)
	}
}
