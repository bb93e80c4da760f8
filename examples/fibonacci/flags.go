package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// config is what the command line asks for, checked.
type config struct {
	n       int
	cutoff  int // 0: none
	workers int // 0: one for each processor
	trace   string
	verbose bool
}

const (
	maxN       = 50 // fib(50) is 40 thousand million calls: minutes even without tasks
	maxWorkers = 1024
)

// parseFlags reads args. Its error names every flag that is wrong; it is flag.ErrHelp if help was asked for, which has
// then been printed to w.
func parseFlags(args []string, w io.Writer) (*config, error) {
	var cfg config
	fs := flag.NewFlagSet("fibonacci", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.IntVar(&cfg.n, "n", 25, "compute fib(n)")
	fs.IntVar(&cfg.cutoff, "cutoff", 0, "make the calls for smaller numbers without tasks (default 0, every call is a task)")
	fs.IntVar(&cfg.workers, "workers", 0, "workers (default: one for each processor)")
	fs.StringVar(&cfg.trace, "trace", "", "write a trace of the tasks to a JSON `file`, some 300 bytes for each")
	fs.BoolVar(&cfg.verbose, "v", false, "print a summary of the trace")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	var errs []error
	if fs.NArg() > 0 {
		errs = append(errs, fmt.Errorf("unexpected argument %q", fs.Arg(0)))
	}
	between := func(name string, v, lo, hi int) {
		if v < lo || v > hi {
			errs = append(errs, fmt.Errorf("-%s: %d is not between %d and %d", name, v, lo, hi))
		}
	}
	between("n", cfg.n, 0, maxN)
	between("cutoff", cfg.cutoff, 0, maxN)
	between("workers", cfg.workers, 0, maxWorkers)
	return &cfg, errors.Join(errs...)
}
