// Stream measures memory bandwidth with the four kernels of the STREAM benchmark: copy c = a, scale b = 3c, add c = a + b and
// triad a = b + 3c, in blocks. A task makes one kernel on one block and says what blocks it reads and writes. No barrier
// separates the kernels, so one block may be rounds ahead of another; with -barrier each kernel waits for the one before, as
// in the original.
//
//	stream                                 10 rounds over 10 million numbers
//	stream -barrier                        the original's way to do it, and to measure
//	stream -check                          compare with a serial run, bit by bit, as well
//	stream -trace out.json -v              a timeline for https://ui.perfetto.dev, and its summary
//
// The arrays should be four times as large as all caches, and the first round does not count. Without barriers a block that
// stays in a cache from one kernel to the next is faster than memory: that is what the data-flow is for, but then the figures
// are no longer those of the memory alone.
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
		fmt.Fprintf(stderr, "stream: wrong command line\n%v\n", err)
		return 2
	}
	if err := perform(ctx, cfg, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "stream: %v\n", err)
		return 1
	}
	return 0
}

func perform(ctx context.Context, cfg *config, stdout, stderr io.Writer) error {
	fmt.Fprintf(stdout, "arrays    3 of %d numbers in blocks of %d, %d rounds\n", cfg.n, cfg.block, cfg.rounds)
	s := newStream(cfg)
	elapsed, err := cfg.run(ctx, stdout, stderr, s.tasks)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "time      %.3f s\n\nkernel    best GB/s    mean s     min s     max s\n", elapsed.Seconds())
	for k := range kernels {
		mean, least, most := s.times(k)
		fmt.Fprintf(stdout, "%-8s %10.2f %9.6f %9.6f %9.6f\n", kernels[k].name, rate(kernels[k].arrays, cfg.n, least),
			mean.Seconds(), least.Seconds(), most.Seconds())
	}
	fmt.Fprintln(stdout)
	if err := s.validate(); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "valid     mean error below %.0e on all three arrays\n", maxError)
	if !cfg.check {
		return nil
	}
	want := newStream(cfg)
	began := time.Now()
	want.serial()
	serial := time.Since(began)
	fmt.Fprintf(stdout, "serial    %.3f s, speed-up %.2f\n", serial.Seconds(), serial.Seconds()/elapsed.Seconds())
	if err := s.sameBits(want); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "check     same bits as the serial form\n")
	return nil
}

// rate returns the bandwidth in GB/s of a kernel that reads or writes each of n numbers of so many arrays once.
func rate(arrays, n int, d time.Duration) float64 {
	return float64(arrays) * 8 * float64(n) / float64(d.Nanoseconds())
}

// config is what the command line asks for, checked.
type config struct {
	runner
	n, block, rounds int
	barrier, check   bool
}

const (
	maxN      = 1 << 30 // 24 GiB for the three arrays
	maxRounds = 200     // each makes the numbers fifteen times as large
)

// parseFlags reads args. Its error names every flag that is wrong; it is flag.ErrHelp if help was asked for, which has
// then been printed to w.
func parseFlags(args []string, w io.Writer) (*config, error) {
	var cfg config
	fs := flag.NewFlagSet("stream", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.IntVar(&cfg.n, "n", 10_000_000, "numbers in an array")
	fs.IntVar(&cfg.block, "block", 1<<16, "numbers in a block; need not divide -n")
	fs.IntVar(&cfg.rounds, "rounds", 10, "how often each kernel runs; the first time is not measured")
	fs.BoolVar(&cfg.barrier, "barrier", false, "wait for all blocks after each kernel")
	fs.BoolVar(&cfg.check, "check", false, "run the serial form as well, and compare bit by bit")
	cfg.register(fs)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	return &cfg, errors.Join(cfg.validate(fs), between("n", cfg.n, 1, maxN), between("block", cfg.block, 1, maxN),
		between("rounds", cfg.rounds, 2, maxRounds))
}
