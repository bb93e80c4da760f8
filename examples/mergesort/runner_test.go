//go:build unix

package main

import (
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestQuitDumpsAndGoesOn(t *testing.T) {
	dumped := make(chan bool)
	stop := dumpOnQuit(io.Discard, func(io.Writer) { dumped <- true })
	defer stop()
	for range 2 {
		require.NoError(t, syscall.Kill(syscall.Getpid(), syscall.SIGQUIT))
		select {
		case <-dumped:
		case <-time.After(10 * time.Second):
			t.Fatal("nothing was dumped")
		}
	}
}
