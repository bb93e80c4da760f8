package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/trace"
)

const maxWorkers = 1024

// A runner holds the flags that say on how many workers the tasks run and what is recorded of them.
type runner struct {
	workers int // 0: one for each processor
	trace   string
	verbose bool
}

func (r *runner) register(fs *flag.FlagSet) {
	fs.IntVar(&r.workers, "workers", 0, "workers (default: one for each processor)")
	fs.StringVar(&r.trace, "trace", "", "write a trace of the tasks to a JSON `file`")
	fs.BoolVar(&r.verbose, "v", false, "print a summary of the trace")
}

// validate returns what is wrong with the runner's own flags, and with words that are no flags.
func (r *runner) validate(fs *flag.FlagSet) error {
	err := between("workers", r.workers, 0, maxWorkers)
	if fs.NArg() > 0 {
		err = errors.Join(fmt.Errorf("unexpected argument %q", fs.Arg(0)), err)
	}
	return err
}

// between returns an error unless lo ≤ v ≤ hi.
func between(name string, v, lo, hi int) error {
	if v < lo || v > hi {
		return fmt.Errorf("-%s: %d is not between %d and %d", name, v, lo, hi)
	}
	return nil
}

// run makes main the main task of a runtime of its own, reports on it, and returns how long all tasks took.
func (r *runner) run(ctx context.Context, stdout, stderr io.Writer, main func(*tasks.Task) error) (elapsed time.Duration, err error) {
	var rec *trace.Recorder // nil records nothing
	if r.trace != "" || r.verbose {
		rec = trace.New(trace.Config{})
	}
	if r.trace != "" {
		f, failed := os.Create(r.trace) // before the tasks run: they may take long
		if failed != nil {
			return 0, failed
		}
		defer func() { err = errors.Join(err, rec.WriteChrome(f), f.Close()) }()
	}
	rt, err := tasks.New(tasks.Config{Workers: r.workers, Trace: rec})
	if err != nil {
		return 0, err
	}
	defer dumpOnQuit(stderr, rt.Dump)()
	began := time.Now()
	failure := rt.Run(ctx, main)
	elapsed = time.Since(began)
	err = errors.Join(failure, rt.Close())
	s := rt.Stats()
	fmt.Fprintf(stdout, "workers   %d\n", rt.Workers())
	fmt.Fprintf(stdout, "tasks     %d, of which %d were skipped\n", s.Spawned, s.Skipped)
	if r.verbose {
		fmt.Fprintf(stdout, "\n%s\n", rec.Summary())
	}
	return elapsed, err
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
