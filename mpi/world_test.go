package mpi_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/gompss/gompss/mpi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// modes are the configurations in which every rule must hold: with buffering, and with every standard send waiting for its
// receive.
var modes = []struct {
	name string
	cfg  mpi.Config
}{
	{"eager", mpi.Config{}},
	{"rendezvous", mpi.Config{EagerLimit: -1}},
	{"tight", mpi.Config{EagerLimit: 64, EagerMemory: 1000}},
}

// inModes runs body in a world of ranks ranks in every mode, and expects no failure.
func inModes(t *testing.T, ranks int, body func(w *mpi.Comm) error) {
	t.Helper()
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			require.NoError(t, run(t, mode.cfg, ranks, body))
		})
	}
}

// run runs body on ranks ranks, and ends the test process if it hangs.
func run(t testing.TB, cfg mpi.Config, ranks int, body func(w *mpi.Comm) error) error {
	t.Helper()
	cfg.Ranks = ranks
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	err := mpi.Run(ctx, cfg, func(_ context.Context, w *mpi.Comm) error { return body(w) })
	assert.NoError(t, ctx.Err(), "hung")
	noLeak(t, before)
	return err
}

// noLeak waits until no more goroutines run than before.
func noLeak(t testing.TB, before int) {
	t.Helper()
	for range 100 {
		if runtime.NumGoroutine() <= before+1 { // the timer of a context may start one
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	buf := make([]byte, 1<<20)
	t.Errorf("goroutines leaked:\n%s", buf[:runtime.Stack(buf, true)])
}

// first returns the first error.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
