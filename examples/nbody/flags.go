package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/gompss/gompss/examples/nbody/gravity"
	"github.com/gompss/gompss/examples/nbody/initial"
)

// formNames are the values of -form. Which of them are built in is a matter of the table in main.go.
var formNames = []string{"serial", "flat", "weak", "tampi-blocking", "tampi-iwait", "for"}

// config is what the command line asks for, complete and checked.
type config struct {
	ranks     int
	sweep     []int // numbers of ranks to run one after the other; empty: only ranks
	workers   int   // per rank; 0: the processors, shared out evenly
	particles int   // ignored when read from input
	block     int
	steps     int
	dt        float64 // time units of the initial conditions
	g         float64 // gravitational constant
	softening float64 // length units of the initial conditions
	input     string  // CSV file; empty: start says what to begin with
	start     string  // plummer, random or solar
	seed      uint64
	form      string
	precision int // 32 or 64
	kernel    gravity.Kernel
	check     bool
	quiet     bool
	out       string // CSV file of the final particles
	trace     string
	fgprof    string
}

// scenario holds the defaults that depend on where the particles come from.
type scenario struct {
	particles, steps int
	dt, g, softening float64
	precision        int
}

// The defaults of plummer keep two cores busy for some seconds; its run lasts about half a dynamical time.
var scenarios = map[string]scenario{
	"plummer": {particles: 8192, steps: 300, dt: 0.002, g: 1, softening: 0.01, precision: 32},
	"random":  {particles: 8192, steps: 300, dt: 0.002, g: 1, softening: 0.01, precision: 32},
	// Twelve years and a few days more: Jupiter comes round once.
	"solar": {particles: len(initial.Bodies), steps: 17600, dt: 0.25, g: initial.GaussianG, precision: 64},
	"input": {steps: 300, dt: 0.002, g: 1, precision: 64},
}

// Limits that keep a slip of the finger from filling the memory. A block of maxBlock meets another in some 0.1 s of
// assembly, during which Go cannot interrupt the worker.
const (
	maxRanks     = 1024
	maxBlock     = 16384
	maxParticles = 1 << 24
)

// parseFlags reads args and completes what they leave open. Its error names every flag that is wrong; it is
// flag.ErrHelp if help was asked for, which has then been printed to w.
func parseFlags(args []string, w io.Writer) (*config, error) {
	var cfg config
	var kernel, sweep string
	fs := flag.NewFlagSet("nbody", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.IntVar(&cfg.ranks, "ranks", 4, "number of ranks")
	fs.StringVar(&sweep, "sweep", "", "run with each of these numbers of ranks and print a table, as in `1,2,4,8`")
	fs.IntVar(&cfg.workers, "workers", 0, "workers per rank (default: the processors, shared out evenly)")
	fs.IntVar(&cfg.particles, "particles", 0, "number of particles (default 8192)")
	fs.IntVar(&cfg.block, "block", 512, "particles per block")
	fs.IntVar(&cfg.steps, "steps", 0, "time steps (default 300; solar 17600)")
	fs.Float64Var(&cfg.dt, "dt", 0, "length of a step (default 0.002; solar 0.25 days)")
	fs.Float64Var(&cfg.g, "G", 0, "gravitational constant (default 1; solar Gauss's, in AU³/(solar mass·day²))")
	fs.Float64Var(&cfg.softening, "softening", 0, "Plummer softening length (default 0.01; solar and -input 0)")
	fs.StringVar(&cfg.input, "input", "", "read the particles from a CSV `file`: x,y,z,vx,vy,vz,mass")
	fs.StringVar(&cfg.start, "init", "plummer", "initial conditions: plummer, random or solar")
	fs.Uint64Var(&cfg.seed, "seed", 1, "seed of plummer and random")
	fs.StringVar(&cfg.form, "form", "tampi-iwait", "form of the program: "+strings.Join(formNames, ", "))
	fs.IntVar(&cfg.precision, "precision", 0, "bits of the arithmetic, 32 or 64 (default 32; solar and -input 64)")
	fs.StringVar(&kernel, "kernel", "auto", "force kernel: auto, go or avx2")
	fs.BoolVar(&cfg.check, "check", false, "compare the final particles with a serial run on one rank")
	fs.StringVar(&cfg.out, "out", "", "write the final particles to a CSV `file`")
	fs.StringVar(&cfg.trace, "trace", "", "write a timeline of tasks and messages to a JSON `file`")
	fs.StringVar(&cfg.fgprof, "fgprof", "", "write a profile of running and waiting goroutines to a `file`")
	fs.BoolVar(&cfg.quiet, "quiet", false, "no progress and no summary of the trace, only the result")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })

	var errs []error
	wrong := func(format string, a ...any) { errs = append(errs, fmt.Errorf(format, a...)) }
	if fs.NArg() > 0 {
		wrong("unexpected argument %q", fs.Arg(0))
	}
	var err error
	if cfg.kernel, err = gravity.ParseKernel(kernel); err != nil {
		wrong("-kernel: %w", err)
	}
	if given["sweep"] {
		if cfg.sweep, err = parseSweep(sweep); err != nil {
			wrong("-sweep: %w", err)
		}
	}
	cfg.complete(given)
	cfg.validate(given, wrong)
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return &cfg, nil
}

// origin is the scenario that the particles come from.
func (c *config) origin() string {
	if c.input != "" {
		return "input"
	}
	return c.start
}

// complete fills in the defaults that depend on the origin.
func (c *config) complete(given map[string]bool) {
	d := scenarios[c.origin()]
	fill(given["particles"], &c.particles, d.particles)
	fill(given["steps"], &c.steps, d.steps)
	fill(given["dt"], &c.dt, d.dt)
	fill(given["G"], &c.g, d.g)
	fill(given["softening"], &c.softening, d.softening)
	fill(given["precision"], &c.precision, d.precision)
}

func fill[T any](given bool, value *T, otherwise T) {
	if !given {
		*value = otherwise
	}
}

func (c *config) validate(given map[string]bool, wrong func(string, ...any)) {
	if _, known := scenarios[c.start]; !known || c.start == "input" {
		wrong("-init: %q is none of plummer, random, solar", c.start)
		return // the defaults of everything else depend on it
	}
	between := func(name string, v, lo, hi int) {
		if v < lo || v > hi {
			wrong("-%s: %d is not between %d and %d", name, v, lo, hi)
		}
	}
	between("ranks", c.ranks, 1, maxRanks)
	between("block", c.block, 1, maxBlock)
	between("steps", c.steps, 1, math.MaxInt32)
	if given["workers"] {
		between("workers", c.workers, 1, maxRanks)
	}
	if c.input == "" {
		between("particles", c.particles, 1, maxParticles)
	}
	if !(c.dt > 0) || math.IsInf(c.dt, 0) {
		wrong("-dt: %v is not a positive number", c.dt)
	}
	if !(c.softening >= 0) || math.IsInf(c.softening, 0) {
		wrong("-softening: %v is not zero or a positive number", c.softening)
	}
	if !(c.g >= 0) || math.IsInf(c.g, 0) {
		wrong("-G: %v is not zero or a positive number", c.g)
	}
	if c.precision != 32 && c.precision != 64 {
		wrong("-precision: %d is neither 32 nor 64", c.precision)
	}
	if !slices.Contains(formNames, c.form) {
		wrong("-form: %q is none of %s", c.form, strings.Join(formNames, ", "))
	}
	if c.form == "serial" && c.trace != "" {
		wrong("-trace: -form serial has no tasks to trace")
	}
	for _, name := range []string{"ranks", "trace", "out"} {
		if given["sweep"] && given[name] {
			wrong("-%s: cannot be combined with -sweep", name)
		}
	}
	switch c.origin() {
	case "input":
		for _, name := range []string{"init", "particles"} {
			if given[name] {
				wrong("-%s: cannot be combined with -input", name)
			}
		}
	case "solar":
		if c.particles != len(initial.Bodies) {
			wrong("-particles: -init solar has %d bodies", len(initial.Bodies))
		}
		if c.block < len(initial.Bodies) {
			wrong("-block: -init solar needs its %d bodies in one block", len(initial.Bodies))
		}
		if c.precision == 32 {
			wrong("-precision: -init solar needs 64")
		}
		if c.softening != 0 {
			wrong("-softening: -init solar needs 0")
		}
	}
}

// parseSweep turns a list such as 1,2,4 into numbers of ranks.
func parseSweep(list string) ([]int, error) {
	var ranks []int
	for _, item := range strings.Split(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(item))
		if err != nil || n < 1 || n > maxRanks {
			return nil, fmt.Errorf("%q is not a number between 1 and %d", item, maxRanks)
		}
		ranks = append(ranks, n)
	}
	return ranks, nil
}

// rankCounts are the numbers of ranks to run with.
func (c *config) rankCounts() []int {
	if len(c.sweep) > 0 {
		return c.sweep
	}
	return []int{c.ranks}
}

// records tells whether tasks are recorded: for the file, or for the summary of a run that is not timed for a table.
func (c *config) records() bool {
	return c.trace != "" || c.form != "serial" && !c.quiet && len(c.sweep) == 0
}

// workersPerRank is -workers, or the processors shared out among ranks, at least one each.
func (c *config) workersPerRank(ranks int) int {
	if c.workers > 0 {
		return c.workers
	}
	return max(1, runtime.GOMAXPROCS(0)/ranks)
}

// builtIn names the forms in table, for messages.
func builtIn[F gravity.Float](table map[string]form[F]) string {
	return strings.Join(slices.Sorted(maps.Keys(table)), ", ")
}
