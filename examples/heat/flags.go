package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
)

var formNames = []string{"serial", "tasks", "tampi-blocking", "tampi-iwait"}

// config is what the command line asks for, checked.
type config struct {
	rows, cols int // of cells, without the rim
	block      int
	steps      int
	every      int     // steps between two residuals; 0: only one, after the last step
	tolerance  float64 // of the residual; the run ends when it is reached
	sources    []source
	form       string
	ranks      int
	workers    int // per rank; 0: the processors, shared out evenly
	compare    bool
	out        string
	trace      string
	verbose    bool
}

const (
	maxCells   = 32768 // rows, and columns
	maxSteps   = 1 << 30
	maxRanks   = 1024
	maxWorkers = 1024
)

// parseFlags reads args. Its error names every flag that is wrong; it is flag.ErrHelp if help was asked for, which has
// then been printed to w.
func parseFlags(args []string, w io.Writer) (*config, error) {
	var cfg config
	fs := flag.NewFlagSet("heat", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.IntVar(&cfg.rows, "rows", 1024, "rows of cells")
	fs.IntVar(&cfg.cols, "cols", 1024, "columns of cells")
	fs.IntVar(&cfg.block, "block", 128, "rows and columns of a block; need not divide the others")
	fs.IntVar(&cfg.steps, "steps", 200, "steps, at most")
	fs.IntVar(&cfg.every, "every", 0, "take the residual every so many steps (default 0: only after the last)")
	fs.Float64Var(&cfg.tolerance, "tolerance", 0, "stop when no cell changes by more than this; needs -every")
	fs.Func("source", "heat the rim near a point of the unit square: `x,y,radius,temperature`; may be repeated",
		func(text string) error {
			s, err := parseSource(text)
			cfg.sources = append(cfg.sources, s)
			return err
		})
	fs.StringVar(&cfg.form, "form", "tasks", "form of the program: "+strings.Join(formNames, ", "))
	fs.IntVar(&cfg.ranks, "ranks", 1, "number of ranks, for the tampi forms")
	fs.IntVar(&cfg.workers, "workers", 0, "workers per rank (default: the processors, shared out evenly)")
	fs.BoolVar(&cfg.compare, "compare", false, "run the serial form as well, and compare the cells bit by bit")
	fs.StringVar(&cfg.out, "out", "", "write a picture of the plate to a PNG `file`")
	fs.StringVar(&cfg.trace, "trace", "", "write a trace of the tasks to a JSON `file`")
	fs.BoolVar(&cfg.verbose, "v", false, "print a summary of the trace")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	if cfg.sources == nil {
		cfg.sources = defaultSources
	}
	var errs []error
	if fs.NArg() > 0 {
		errs = append(errs, fmt.Errorf("unexpected argument %q", fs.Arg(0)))
	}
	return &cfg, errors.Join(append(errs, cfg.validate()...)...)
}

func (c *config) validate() (errs []error) {
	wrong := func(format string, a ...any) { errs = append(errs, fmt.Errorf(format, a...)) }
	between := func(name string, v, lo, hi int) {
		if v < lo || v > hi {
			wrong("-%s: %d is not between %d and %d", name, v, lo, hi)
		}
	}
	between("rows", c.rows, 1, maxCells)
	between("cols", c.cols, 1, maxCells)
	between("block", c.block, 1, maxCells)
	between("steps", c.steps, 1, maxSteps)
	between("every", c.every, 0, maxSteps)
	between("ranks", c.ranks, 1, maxRanks)
	between("workers", c.workers, 0, maxWorkers)
	if !(c.tolerance >= 0) || math.IsInf(c.tolerance, 0) {
		wrong("-tolerance: %v is not zero or a positive number", c.tolerance)
	}
	if c.tolerance > 0 && c.every == 0 {
		wrong("-tolerance: -every says how often to look")
	}
	if c.ranks > c.rows {
		wrong("-ranks: %d ranks cannot share %d rows", c.ranks, c.rows)
	}
	switch {
	case !slices.Contains(formNames, c.form):
		wrong("-form: %q is none of %s", c.form, strings.Join(formNames, ", "))
	case !strings.HasPrefix(c.form, "tampi-") && c.ranks > 1:
		wrong("-ranks: -form %s passes no messages; tampi-blocking and tampi-iwait do", c.form)
	case c.form == "serial" && c.compare:
		wrong("-compare: -form serial is what is compared with")
	case c.form == "serial" && (c.trace != "" || c.verbose):
		wrong("-trace, -v: -form serial has no tasks to trace")
	}
	return errs
}

// measures tells whether the residual is taken after so many steps.
func (c *config) measures(steps int) bool {
	return steps == c.steps || c.every > 0 && steps%c.every == 0
}

// workersPerRank is -workers, or the processors shared out among the ranks, at least one each.
func (c *config) workersPerRank() int {
	if c.workers > 0 {
		return c.workers
	}
	return max(1, runtime.GOMAXPROCS(0)/c.ranks)
}
