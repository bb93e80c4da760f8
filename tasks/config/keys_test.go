package config

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/tasks"
)

func TestDefaultsAreThoseOfTheZeroConfig(t *testing.T) {
	var s Settings
	cfg, err := s.Tasks()
	require.NoError(t, err)
	require.Equal(t, tasks.Config{}, cfg)

	for i := range keys {
		k := &keys[i]
		k.set(&cfg, k.initial)
	}
	given, err := cfg.Effective()
	require.NoError(t, err)
	zero, err := tasks.Config{}.Effective()
	require.NoError(t, err)
	require.Equal(t, zero, given, "the defaults written out mean the same")
}

// TestRangesAreThoseOfTheRuntime: what a key takes, New takes, and no less.
func TestRangesAreThoseOfTheRuntime(t *testing.T) {
	for i := range keys {
		k := &keys[i]
		s, ok := k.domain.(span)
		if !ok {
			continue
		}
		for value, good := range map[int]bool{s.lo: true, s.hi: true, s.hi + 1: false} {
			var cfg tasks.Config
			k.set(&cfg, value)
			_, err := cfg.Effective()
			require.Equal(t, good, err == nil, "%s = %d: %v", k.name, value, err)
		}
	}
}

func TestKeysAreWellFormed(t *testing.T) {
	seen, left := map[string]bool{}, map[string]bool{}
	section := ""
	for i := range keys {
		k := &keys[i]
		require.Regexp(t, `^[a-z_]+\.[a-z_]+$`, k.name)
		require.NotContains(t, k.doc, "\n", k.name)
		require.True(t, strings.HasSuffix(k.doc, "."), k.name)
		require.False(t, seen[k.name], "%s is there twice", k.name)
		seen[k.name] = true
		if k.section() != section {
			left[section], section = true, k.section()
			require.False(t, left[section], "the keys of %s stand together", section)
		}
	}
}

func TestDefaultFileRoundTrip(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteDefault(&b))
	want, err := os.ReadFile("testdata/default.toml")
	require.NoError(t, err)
	require.Equal(t, string(want), b.String(), "go run ./cmd/gompss info -default-config writes the file anew")

	var s Settings
	require.NoError(t, s.Read(&b, "f"))
	require.Len(t, s.given, len(keys), "it has every key")
	require.Equal(t, values(new(Settings)), values(&s))
}

func TestWriteToRoundTrip(t *testing.T) {
	var s, again Settings
	require.NoError(t, s.Override("throttle.tasks=77,scheduler.serial=true", "V"))
	var b bytes.Buffer
	n, err := s.WriteTo(&b)
	require.NoError(t, err)
	require.EqualValues(t, b.Len(), n)
	require.NoError(t, again.Read(&b, "f"))
	require.Equal(t, values(&s), values(&again))
}

// full is a device without space.
type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrorsComeBack(t *testing.T) {
	require.ErrorIs(t, WriteDefault(full{}), errFull)
	_, err := new(Settings).WriteTo(full{})
	require.ErrorIs(t, err, errFull)
}

func TestDidYouMean(t *testing.T) {
	for wrong, want := range map[string]string{
		"scheduler.worker":       "scheduler.workers",
		"sheduler.workers":       "scheduler.workers",
		"workers":                "scheduler.workers",
		"WORKERS":                "scheduler.workers",
		"throttle.task":          "throttle.tasks",
		"throtle.enable":         "throttle.enabled",
		"cpumanager.workers":     "scheduler.workers",
		"numa.tracking":          "",
		"x":                      "",
		"":                       "",
		strings.Repeat("x", 1e5): "",
	} {
		if want != "" {
			want = "; did you mean " + want + "?"
		}
		require.Equal(t, want, didYouMean(wrong), "%.80s", wrong)
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "axc", 1}, {"abc", "ac", 1}, {"kitten", "sitting", 3}} {
		require.Equal(t, c.want, editDistance(c.a, c.b), "%s %s", c.a, c.b)
	}
}
