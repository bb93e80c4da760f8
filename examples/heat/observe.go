package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/gompss/gompss/trace"
)

// newRecorder returns nil, which records nothing, unless somebody is going to look.
func newRecorder(cfg *config) *trace.Recorder {
	if cfg.trace == "" && !cfg.verbose {
		return nil
	}
	return trace.New(trace.Config{})
}

// show writes and prints what was recorded. The runtime is closed before, so that nothing is missing.
func show(rec *trace.Recorder, cfg *config, stdout io.Writer) error {
	if cfg.verbose {
		fmt.Fprintf(stdout, "\n%s", rec.Summary())
	}
	if cfg.trace == "" {
		return nil
	}
	f, err := os.Create(cfg.trace)
	if err != nil {
		return err
	}
	return errors.Join(rec.WriteChrome(f), f.Close())
}

// dumpOnQuit has SIGQUIT print who waits for what until stop is called; the program goes on.
func dumpOnQuit(w io.Writer, dump func(io.Writer)) (stop func()) {
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGQUIT)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-quit:
				dump(w)
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(quit)
		close(done)
	}
}
