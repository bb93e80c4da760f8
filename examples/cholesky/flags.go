package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// config is what the command line asks for, checked.
type config struct {
	n, tile    int
	seed       uint64
	indefinite bool
	form       string // tasks or serial
	compare    bool
	workers    int // 0: one for each processor
	trace      string
	verbose    bool
}

const (
	maxN       = 16384 // 1 GiB for the matrix, as much for the factor
	maxTile    = 4096
	maxWorkers = 1024
)

// parseFlags reads args. Its error names every flag that is wrong; it is flag.ErrHelp if help was asked for, which has
// then been printed to w.
func parseFlags(args []string, w io.Writer) (*config, error) {
	var cfg config
	fs := flag.NewFlagSet("cholesky", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.IntVar(&cfg.n, "n", 2048, "rows of the matrix")
	fs.IntVar(&cfg.tile, "tile", 128, "rows of a tile; need not divide -n")
	fs.Uint64Var(&cfg.seed, "seed", 1, "seed of the matrix")
	fs.BoolVar(&cfg.indefinite, "indefinite", false, "spoil the matrix, to see the factorisation fail half way")
	fs.StringVar(&cfg.form, "form", "tasks", "form of the program: tasks or serial")
	fs.BoolVar(&cfg.compare, "compare", false, "factor serially as well, and compare the factors bit by bit")
	fs.IntVar(&cfg.workers, "workers", 0, "workers (default: one for each processor)")
	fs.StringVar(&cfg.trace, "trace", "", "write a trace of the tasks to a JSON `file`")
	fs.BoolVar(&cfg.verbose, "v", false, "print a summary of the trace")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	var errs []error
	wrong := func(format string, a ...any) { errs = append(errs, fmt.Errorf(format, a...)) }
	between := func(name string, v, lo, hi int) {
		if v < lo || v > hi {
			wrong("-%s: %d is not between %d and %d", name, v, lo, hi)
		}
	}
	if fs.NArg() > 0 {
		wrong("unexpected argument %q", fs.Arg(0))
	}
	between("n", cfg.n, 1, maxN)
	between("tile", cfg.tile, 1, maxTile)
	between("workers", cfg.workers, 0, maxWorkers)
	switch cfg.form {
	case "tasks":
	case "serial":
		if cfg.trace != "" || cfg.verbose {
			wrong("-trace, -v: -form serial has no tasks to trace")
		}
		if cfg.compare {
			wrong("-compare: -form serial is what is compared with")
		}
	default:
		wrong("-form: %q is neither tasks nor serial", cfg.form)
	}
	return &cfg, errors.Join(errs...)
}
