// Quicksort sorts numbers by regions: a task moves the smaller numbers to the front of its part of a slice, spawns a task for
// those and one for the others, and is over. Nobody waits, and nobody counts who is ready: a task that reads some of the numbers
// says so, and comes when those are in place, while others are being sorted still. The program ends with such readers, one for
// each piece of the result, whose ends fall anywhere between those of the parts.
//
//	quicksort -n 10000000                  how fast
//	quicksort -type int -cutoff 1000       other numbers, smaller pieces
//	quicksort -check                       the same order as that of package slices?
//	quicksort -trace out.json -v           a timeline for https://ui.perfetto.dev, and its summary
//
// SIGQUIT (Ctrl-\) prints what the tasks wait for.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"time"

	"github.com/gompss/gompss/tasks"
)

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
		fmt.Fprintf(stderr, "quicksort: wrong command line\n%v\n", err)
		return 2
	}
	random := rand.New(rand.NewPCG(cfg.seed, 0))
	if cfg.kind == "int" {
		err = perform(ctx, cfg, numbers(cfg.n, func() int { return random.IntN(1e9) }), stdout, stderr)
	} else {
		err = perform(ctx, cfg, numbers(cfg.n, random.Float64), stdout, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "quicksort: %v\n", err)
		return 1
	}
	return 0
}

// numbers returns n numbers that next makes.
func numbers[T any](n int, next func() T) []T {
	v := make([]T, n)
	for i := range v {
		v[i] = next()
	}
	return v
}

func perform[T cmp.Ordered](ctx context.Context, cfg *config, v []T, stdout, stderr io.Writer) error {
	var unsorted []T
	if cfg.check {
		unsorted = slices.Clone(v)
	}
	fmt.Fprintf(stdout, "numbers   %d of type %T, pieces of %d\n", len(v), v[0], cfg.cutoff)
	var pieces []piece[T]
	elapsed, err := cfg.run(ctx, stdout, stderr, func(t *tasks.Task) error {
		sortTasks(t, v, cfg.cutoff)
		pieces = inspectTasks(t, v, cfg.cutoff)
		return nil
	})
	if err != nil {
		return err
	}
	for i, p := range pieces {
		if !p.sorted || i > 0 && p.first < pieces[i-1].last {
			return fmt.Errorf("piece %d was read before it was sorted", i)
		}
	}
	fmt.Fprintf(stdout, "smallest  %v\nmedian    %v\nlargest   %v\n", pieces[0].first, v[len(v)/2], pieces[len(pieces)-1].last)
	fmt.Fprintf(stdout, "time      %.3f s, %.2f million/s\n", elapsed.Seconds(), float64(len(v))/elapsed.Seconds()/1e6)
	if !cfg.check {
		return nil
	}
	want := slices.Clone(unsorted)
	began := time.Now()
	sortSerial(unsorted, cfg.cutoff)
	serial := time.Since(began)
	fmt.Fprintf(stdout, "serial    %.3f s, speed-up %.2f\n", serial.Seconds(), serial.Seconds()/elapsed.Seconds())
	slices.Sort(want)
	switch {
	case !slices.Equal(v, want):
		return errors.New("not the order that slices.Sort makes")
	case !slices.Equal(unsorted, want):
		return errors.New("not the order that slices.Sort makes, in the serial form")
	}
	fmt.Fprintf(stdout, "check     the order that slices.Sort makes\n")
	return nil
}

// config is what the command line asks for, checked.
type config struct {
	runner
	n, cutoff int
	kind      string // of the numbers: float64 or int
	seed      uint64
	check     bool
}

const maxN = 1 << 30

// parseFlags reads args. Its error names every flag that is wrong; it is flag.ErrHelp if help was asked for, which has
// then been printed to w.
func parseFlags(args []string, w io.Writer) (*config, error) {
	var cfg config
	fs := flag.NewFlagSet("quicksort", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.IntVar(&cfg.n, "n", 1<<22, "how many numbers")
	fs.StringVar(&cfg.kind, "type", "float64", "type of the numbers: float64 or int")
	fs.IntVar(&cfg.cutoff, "cutoff", 1<<14, "sort so many numbers without tasks")
	fs.Uint64Var(&cfg.seed, "seed", 1, "seed of the numbers")
	fs.BoolVar(&cfg.check, "check", false, "run the serial form as well, and compare with package slices")
	cfg.register(fs)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	err := errors.Join(cfg.validate(fs), between("n", cfg.n, 1, maxN), between("cutoff", cfg.cutoff, 1, maxN))
	if cfg.kind != "float64" && cfg.kind != "int" {
		err = errors.Join(err, fmt.Errorf("-type: %q is neither float64 nor int", cfg.kind))
	}
	return &cfg, err
}
