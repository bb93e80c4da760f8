// Dotproduct computes x·y in blocks. A task makes the products of a block and leaves their sum in a place of the block's own; one
// more task, which reads all these places, adds them up. It does so block by block, so the result does not depend on who was
// faster, and nobody waits: whoever needs the product says that it reads it.
//
//	dotproduct                             16 million numbers in each vector, 20 times
//	dotproduct -check                      the same result as the serial program?
//	dotproduct -trace out.json -v          a timeline for https://ui.perfetto.dev, and its summary
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

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

var (
	dotType     = tasks.NewType("dot", 0)
	combineType = tasks.NewType("combine", 1)
)

// product spawns the tasks that set *result to x·y. A task that reads *result is ordered after them, and one that changes a
// block after those that read it.
func product(t *tasks.Task, x, y []float64, size int, result *float64) {
	partial := make([]float64, (len(x)+size-1)/size)
	combine := deps.List{deps.Out(result)}
	for b := range partial {
		bx, by := block(x, b*size, size), block(y, b*size, size)
		tasks.Spawn(t, func() { partial[b] = dot(bx, by) }, dotType, deps.InSlice(bx), deps.InSlice(by), deps.Out(&partial[b]))
		combine = append(combine, deps.In(&partial[b]))
	}
	tasks.Spawn(t, func() {
		*result = 0
		for _, p := range partial {
			*result += p
		}
	}, combineType, combine)
}

// block returns the numbers of v from lo on, size of them or fewer at the end.
func block(v []float64, lo, size int) []float64 { return v[lo:min(lo+size, len(v))] }

// newVectors returns vectors of n numbers that are whole and small, so that sums are exact in any order.
func newVectors(n int) (x, y []float64) {
	x, y = make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = float64(i%17), float64(i%5)
	}
	return x, y
}

func dot(x, y []float64) (sum float64) {
	y = y[:len(x)]
	for i, a := range x {
		sum += a * y[i]
	}
	return sum
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
		fmt.Fprintf(stderr, "dotproduct: wrong command line\n%v\n", err)
		return 2
	}
	if err := perform(ctx, cfg, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "dotproduct: %v\n", err)
		return 1
	}
	return 0
}

func perform(ctx context.Context, cfg *config, stdout, stderr io.Writer) error {
	fmt.Fprintf(stdout, "vectors   %d numbers in blocks of %d, %d times\n", cfg.n, cfg.block, cfg.rounds)
	x, y := newVectors(cfg.n)
	var result float64
	elapsed, err := cfg.run(ctx, stdout, stderr, func(t *tasks.Task) error {
		for round := 0; round < cfg.rounds && t.Context().Err() == nil; round++ {
			product(t, x, y, cfg.block, &result)
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "product   %.0f\n", result)
	flop := 2 * float64(cfg.n) * float64(cfg.rounds)
	fmt.Fprintf(stdout, "time      %.3f s, %.2f GFLOP/s\n", elapsed.Seconds(), flop/float64(elapsed.Nanoseconds()))
	if !cfg.check {
		return nil
	}
	var want float64
	began := time.Now()
	for range cfg.rounds {
		want = dot(x, y)
	}
	serial := time.Since(began)
	fmt.Fprintf(stdout, "serial    %.3f s, speed-up %.2f\n", serial.Seconds(), serial.Seconds()/elapsed.Seconds())
	if result != want {
		return fmt.Errorf("the product is %v, and %v in the serial form", result, want)
	}
	fmt.Fprintf(stdout, "check     same result as the serial form\n")
	return nil
}

// config is what the command line asks for, checked.
type config struct {
	runner
	n, block, rounds int
	check            bool
}

const (
	maxN      = 1 << 30 // 16 GiB for both vectors
	maxRounds = 1 << 20
)

// parseFlags reads args. Its error names every flag that is wrong; it is flag.ErrHelp if help was asked for, which has
// then been printed to w.
func parseFlags(args []string, w io.Writer) (*config, error) {
	var cfg config
	fs := flag.NewFlagSet("dotproduct", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.IntVar(&cfg.n, "n", 1<<24, "numbers in a vector")
	fs.IntVar(&cfg.block, "block", 1<<16, "numbers in a block; need not divide -n")
	fs.IntVar(&cfg.rounds, "rounds", 20, "how often the product is computed")
	fs.BoolVar(&cfg.check, "check", false, "run the serial form as well, and compare")
	cfg.register(fs)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	return &cfg, errors.Join(cfg.validate(fs), between("n", cfg.n, 1, maxN), between("block", cfg.block, 1, maxN),
		between("rounds", cfg.rounds, 1, maxRounds))
}
