// Dotproduct computes x·y in blocks, as a reduction: the tasks of all blocks add to one number, each on a private copy, so they
// run together, and whoever reads the number comes after their copies have been added up. Nobody waits. The order of additions
// differs from run to run, and with it the last bits; with -ordered it is that of the program, and so are the bits.
//
//	dotproduct                             16 million numbers in each vector, 20 times
//	dotproduct -check                      the result of the serial program, but for the rounding?
//	dotproduct -ordered -check             the same bits?
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
	"math"
	"math/rand/v2"
	"os"
	"os/signal"
	"time"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
)

var (
	clearType = tasks.NewType("clear", 1)
	dotType   = tasks.NewType("dot", 0)
)

// product spawns the tasks that set *result to x·y. A task that reads *result is ordered after them, and one that changes a
// block after those that read it. The dot tasks do not even wait for the one that clears *result, or for who reads what was
// there before: they work on copies, and only adding these to *result has its place in the order.
func (c *config) product(t *tasks.Task, x, y []float64, result *float64) {
	sum := reduce.Sum(result)
	if c.ordered {
		sum = reduce.Ordered(sum)
	}
	tasks.Spawn(t, func() { *result = 0 }, clearType, deps.Out(result))
	for lo := 0; lo < len(x); lo += c.block {
		bx, by := block(x, lo, c.block), block(y, lo, c.block)
		tasks.Spawn(t, func(t *tasks.Task) { *reduce.Local(t, result) += dot(bx, by) }, dotType,
			deps.InSlice(bx), deps.InSlice(by), sum)
	}
}

// serial returns x·y, block by block, and the sum of the absolute values of the blocks' products.
func (c *config) serial(x, y []float64) (result, absolute float64) {
	for lo := 0; lo < len(x); lo += c.block {
		d := dot(block(x, lo, c.block), block(y, lo, c.block))
		result += d
		absolute += math.Abs(d)
	}
	return result, absolute
}

// allowed returns by how much the result may differ from the serial one, given the sum of the absolute values of the blocks'
// products. These products have the same bits in both. However n numbers are added up, the rounding errors are at most n·2⁻⁵³
// for each unit of the sum of absolute values; and there are two results. -ordered adds in the serial order.
func (c *config) allowed(absolute float64) float64 {
	if c.ordered {
		return 0
	}
	blocks := float64((c.n + c.block - 1) / c.block)
	return 2 * blocks * 0x1p-53 * absolute
}

// block returns the numbers of v from lo on, size of them or fewer at the end.
func block(v []float64, lo, size int) []float64 { return v[lo:min(lo+size, len(v))] }

// newVectors returns vectors of n random numbers between −1 and 1.
func newVectors(n int) (x, y []float64) {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	x, y = make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = 2*random.Float64()-1, 2*random.Float64()-1
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
			cfg.product(t, x, y, &result)
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "product   %.9g\n", result)
	flop := 2 * float64(cfg.n) * float64(cfg.rounds)
	fmt.Fprintf(stdout, "time      %.3f s, %.2f GFLOP/s\n", elapsed.Seconds(), flop/float64(elapsed.Nanoseconds()))
	if !cfg.check {
		return nil
	}
	var want, absolute float64
	began := time.Now()
	for range cfg.rounds {
		want, absolute = cfg.serial(x, y)
	}
	serial := time.Since(began)
	fmt.Fprintf(stdout, "serial    %.3f s, speed-up %.2f\n", serial.Seconds(), serial.Seconds()/elapsed.Seconds())
	d, allowed := math.Abs(result-want), cfg.allowed(absolute)
	fmt.Fprintf(stdout, "check     differs by %.1e from the serial result, at most %.1e allowed\n", d, allowed)
	if !(d <= allowed) {
		return errors.New("the product is wrong")
	}
	return nil
}

// config is what the command line asks for, checked.
type config struct {
	runner
	n, block, rounds int
	ordered, check   bool
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
	fs.BoolVar(&cfg.ordered, "ordered", false, "add up in the order of the program, which gives the same bits in every run")
	fs.BoolVar(&cfg.check, "check", false, "run the serial form as well, and compare")
	cfg.register(fs)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	return &cfg, errors.Join(cfg.validate(fs), between("n", cfg.n, 1, maxN), between("block", cfg.block, 1, maxN),
		between("rounds", cfg.rounds, 1, maxRounds))
}
