// Fibonacci computes fib(n) the slow way, two tasks and a wait for every call. The calls do nothing, so what it shows is
// what a task costs, and how a cut-off gets rid of most of the cost.
//
//	fibonacci -n 25                        a task for every call
//	fibonacci -n 35 -cutoff 20             tasks down to fib(20), plain calls below
//	fibonacci -n 20 -trace out.json -v     a timeline for https://ui.perfetto.dev, and its summary
//
// SIGQUIT (Ctrl-\) prints what the tasks wait for.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/gompss/gompss/tasks"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program without the process around it. It returns the exit status: 1 if the run failed, 2 if the command
// line is wrong.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	cfg, err := parseFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "fibonacci: wrong command line\n%v\n", err)
		return 2
	}
	if err := compute(ctx, cfg, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "fibonacci: %v\n", err)
		return 1
	}
	return 0
}

func compute(ctx context.Context, cfg *config, stdout, stderr io.Writer) error {
	rec := newRecorder(cfg)
	rt, err := tasks.New(tasks.Config{Workers: cfg.workers, Trace: rec})
	if err != nil {
		return err
	}
	defer dumpOnQuit(stderr, rt.Dump)()

	var value uint64
	began := time.Now()
	err = rt.Run(ctx, func(t *tasks.Task) error {
		if cfg.cutoff > 0 {
			return fibCutoff(t, cfg.n, cfg.cutoff, &value)
		}
		return fibTasks(t, cfg.n, &value)
	})
	elapsed := time.Since(began)
	if err := errors.Join(err, rt.Close()); err != nil {
		return err
	}

	n, workers := rt.Stats().Spawned, rt.Workers()
	fmt.Fprintf(stdout, "fib(%d) = %d\n", cfg.n, value)
	fmt.Fprintf(stdout, "calls    %d\n", calls(cfg.n))
	fmt.Fprintf(stdout, "tasks    %d\n", n)
	fmt.Fprintf(stdout, "workers  %d\n", workers)
	fmt.Fprintf(stdout, "time     %.3f s", elapsed.Seconds())
	if cfg.cutoff == 0 && n > 0 {
		fmt.Fprintf(stdout, ", %.0f ns of a worker for each task", float64(elapsed.Nanoseconds())*float64(workers)/float64(n))
	}
	fmt.Fprintln(stdout)
	return show(rec, cfg, stdout)
}
