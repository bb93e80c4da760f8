// Multisaxpy adds a·x to y again and again, in blocks. A task updates one block of y. That is all the order there is: a block
// may be rounds ahead of another one, and stays in the cache of the worker that goes on with it. With -barrier every round
// waits for the one before, as a parallel loop would.
//
//	multisaxpy                             100 rounds over 4 million numbers
//	multisaxpy -check                      the same bits as the serial program?
//	multisaxpy -barrier                    the same with a barrier after each round
//	multisaxpy -trace out.json -v          a timeline for https://ui.perfetto.dev, and its summary
//
// SIGQUIT (Ctrl-\) prints what the tasks wait for.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"time"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

var (
	initType  = tasks.NewType("init", 0)
	saxpyType = tasks.NewType("saxpy", 0)
)

// vectors are x and y, of the same length.
type vectors struct{ x, y []float64 }

func newVectors(n int) vectors { return vectors{make([]float64, n), make([]float64, n)} }

// part returns the numbers from lo on, size of them or fewer at the end.
func (v vectors) part(lo, size int) vectors {
	hi := min(lo+size, len(v.x))
	return vectors{v.x[lo:hi], v.y[lo:hi]}
}

// fill sets the numbers of a part that begins at lo.
func (v vectors) fill(lo int) {
	for i := range v.x {
		v.x[i], v.y[i] = float64((lo+i)%17), float64((lo+i)%5)
	}
}

// saxpy adds a·x to y. (The s once stood for single precision.)
func (v vectors) saxpy(a float64) {
	y := v.y[:len(v.x)]
	for i, x := range v.x {
		y[i] += a * x
	}
}

// tasks spawns what serial does. Tasks of different blocks have nothing in common and so no order.
func (v vectors) tasks(t *tasks.Task, cfg *config) error {
	for lo := 0; lo < len(v.x); lo += cfg.block {
		b := v.part(lo, cfg.block)
		tasks.Spawn(t, func() { b.fill(lo) }, initType, deps.OutSlice(b.x), deps.OutSlice(b.y))
	}
	for round := 0; round < cfg.rounds && t.Context().Err() == nil; round++ {
		for lo := 0; lo < len(v.x); lo += cfg.block {
			b := v.part(lo, cfg.block)
			tasks.Spawn(t, func() { b.saxpy(cfg.a) }, saxpyType, deps.InSlice(b.x), deps.InOutSlice(b.y))
		}
		if cfg.barrier {
			if err := t.Wait(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v vectors) serial(cfg *config) {
	v.fill(0)
	for range cfg.rounds {
		v.saxpy(cfg.a)
	}
}

// sameBits returns an error that names the first difference.
func sameBits(want, got []float64) error {
	for i, w := range want {
		if math.Float64bits(got[i]) != math.Float64bits(w) {
			return fmt.Errorf("y[%d] is %v, and %v in the serial form", i, got[i], w)
		}
	}
	return nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends what does not look at ctx
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program without the process around it. It returns the exit status: 1 if the run or the check failed, 2 if the
// command line is wrong.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	cfg, err := parseFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "multisaxpy: wrong command line\n%v\n", err)
		return 2
	}
	if err := perform(ctx, cfg, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "multisaxpy: %v\n", err)
		return 1
	}
	return 0
}

func perform(ctx context.Context, cfg *config, stdout, stderr io.Writer) error {
	fmt.Fprintf(stdout, "vectors   %d numbers in blocks of %d, %d rounds\n", cfg.n, cfg.block, cfg.rounds)
	v := newVectors(cfg.n)
	elapsed, err := cfg.run(ctx, stdout, stderr, func(t *tasks.Task) error { return v.tasks(t, cfg) })
	if err != nil {
		return err
	}
	updates := float64(cfg.n) * float64(cfg.rounds)
	fmt.Fprintf(stdout, "time      %.3f s, %.2f GFLOP/s\n", elapsed.Seconds(), 2*updates/float64(elapsed.Nanoseconds()))
	if !cfg.check {
		return nil
	}
	want := newVectors(cfg.n)
	began := time.Now()
	want.serial(cfg)
	serial := time.Since(began)
	fmt.Fprintf(stdout, "serial    %.3f s, speed-up %.2f\n", serial.Seconds(), serial.Seconds()/elapsed.Seconds())
	if err := sameBits(want.y, v.y); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "check     same bits as the serial form\n")
	return nil
}

// config is what the command line asks for, checked.
type config struct {
	runner
	n, block, rounds int
	a                float64
	barrier, check   bool
}

const (
	maxN      = 1 << 30 // 16 GiB for both vectors
	maxRounds = 1 << 20
)

// parseFlags reads args. Its error names every flag that is wrong; it is flag.ErrHelp if help was asked for, which has
// then been printed to w.
func parseFlags(args []string, w io.Writer) (*config, error) {
	var cfg config
	fs := flag.NewFlagSet("multisaxpy", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.IntVar(&cfg.n, "n", 1<<22, "numbers in a vector")
	fs.IntVar(&cfg.block, "block", 1<<14, "numbers in a block; need not divide -n")
	fs.IntVar(&cfg.rounds, "rounds", 100, "how often a·x is added")
	fs.Float64Var(&cfg.a, "a", 3, "the factor")
	fs.BoolVar(&cfg.barrier, "barrier", false, "wait for all blocks after each round")
	fs.BoolVar(&cfg.check, "check", false, "run the serial form as well, and compare bit by bit")
	cfg.register(fs)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	return &cfg, errors.Join(cfg.validate(fs), between("n", cfg.n, 1, maxN), between("block", cfg.block, 1, maxN),
		between("rounds", cfg.rounds, 0, maxRounds))
}
