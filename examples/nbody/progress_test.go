package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProgressIsSilentUnlessOnATerminal(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	defer f.Close()
	p := newProgress(f, 10)
	assert.Nil(t, p)
	p.clear()
}

func TestProgressDrawsAtMostTenTimesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		p := &progress{w: &out, total: 4000, start: time.Now()}
		for range 2000 {
			time.Sleep(time.Millisecond)
			p.add(1)
		}
		assert.Equal(t, 20, strings.Count(out.String(), "\r"))
		assert.Contains(t, out.String(), "[================== ", "nearly half")
		assert.Contains(t, out.String(), " 2s left ")
		assert.NotContains(t, out.String(), "\n")
	})
}
