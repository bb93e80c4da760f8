// Hpccg solves the system of equations of the HPCCG mini-application by conjugate gradients: a box of points, each coupled with
// its 26 neighbours. Vectors and the rows of the matrix are cut into blocks, and a task makes one kernel (sparsemv, waxpby or
// ddot) on one of them. No barrier separates kernels or iterations; only the two dot products of an iteration, which need all
// blocks, make the next kernels wait. They are reductions, so the order of their additions differs from run to run, and with it
// the last bits of everything; with -ordered it is that of the program, and so are the bits.
//
//	hpccg -nx 64 -ny 64 -nz 64             150 iterations, as the original makes
//	hpccg -tolerance 1e-9                  until the residual is that small
//	hpccg -check                           the result of the serial program, but for the rounding?
//	hpccg -ordered -check                  the same bits?
//	hpccg -form iter                       with the tasks of an iteration recorded once
//	hpccg -trace out.json -v               a timeline for https://ui.perfetto.dev, and its summary
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
		fmt.Fprintf(stderr, "hpccg: wrong command line\n%v\n", err)
		return 2
	}
	if err := perform(ctx, cfg, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "hpccg: %v\n", err)
		return 1
	}
	return 0
}

func perform(ctx context.Context, cfg *config, stdout, stderr io.Writer) error {
	s := newSolver(cfg)
	fmt.Fprintf(stdout, "matrix    %d rows (%d × %d × %d points) in blocks of %d, %d numbers\n",
		len(s.b), cfg.nx, cfg.ny, cfg.nz, cfg.block, s.numbers())
	elapsed, err := cfg.run(ctx, stdout, stderr, s.tasks)
	if err != nil {
		return err
	}
	report(s, elapsed, stdout)
	if !cfg.check {
		return nil
	}
	same := *cfg // the same number of iterations, also if the last residual is within a rounding of the tolerance
	same.iterations, same.tolerance = len(s.residuals), 0
	want := newSolver(&same)
	began := time.Now()
	want.serial()
	serial := time.Since(began)
	fmt.Fprintf(stdout, "serial    %.3f s, speed-up %.2f\n", serial.Seconds(), serial.Seconds()/elapsed.Seconds())
	return compare(want, s, stdout)
}

// report prints some ten residuals, as the original does, how far from the solution the result is, and the speed.
func report(s *solver, elapsed time.Duration, stdout io.Writer) {
	last := len(s.residuals) - 1
	every := min(max(s.cfg.iterations/10, 1), 50)
	for k, r := range s.residuals {
		if k%every == 0 || k == last {
			fmt.Fprintf(stdout, "iteration %3d  residual %.4e\n", k, r)
		}
	}
	farthest := 0.0
	for _, x := range s.x {
		farthest = max(farthest, math.Abs(x-1))
	}
	fmt.Fprintf(stdout, "error     %.1e, the largest difference from the exact solution\n", farthest)
	work := float64(len(s.residuals)) * (4*float64(len(s.b)) + 6*float64(len(s.b)) + 2*float64(s.numbers()))
	fmt.Fprintf(stdout, "time      %.3f s, %.2f GFLOP/s\n", elapsed.Seconds(), work/float64(elapsed.Nanoseconds()))
}

// compare prints how far got is from want, and returns an error if that is too far, or got did not stop where it should.
func compare(want, got *solver, stdout io.Writer) error {
	if err := got.stopped(); err != nil {
		return err
	}
	if len(got.residuals) != len(want.residuals) {
		return fmt.Errorf("%d iterations, and %d in the serial form", len(got.residuals), len(want.residuals))
	}
	residual := difference(got.residuals, want.residuals)
	if residual > 0 {
		residual /= want.residuals[0]
	}
	x, allowed := difference(got.x, want.x), got.allowed()
	fmt.Fprintf(stdout, "check     residuals differ by %.1e from the serial form, the solution by %.1e, at most %.1e allowed\n",
		residual, x, allowed)
	if !(residual <= allowed && x <= allowed) {
		return errors.New("the solution is wrong")
	}
	return nil
}

// difference returns the largest difference of two numbers in the same place, or NaN if there is one in either.
func difference(a, b []float64) (most float64) {
	for i, x := range a {
		most = max(most, math.Abs(x-b[i]))
	}
	return most
}

// allowed returns by how much solutions may differ from those of the serial form, and residuals in units of the first one.
//
// However the n blocks of a dot product are added up, the rounding errors are at most n·2⁻⁵³ for each unit of the sum of absolute
// values; and there are two results. For r·r, all of whose blocks are positive, that is a relative difference of 2n·2⁻⁵³. For
// p·ap it may be 53 times as much: rows have 27 on the diagonal and at most 26 times −1, so the matrix's eigenvalues are between
// 1 and 53, and the sum of absolute values is at most |p|·|ap|, hence at most 53 p·ap. Alpha and beta differ by both together.
// An iteration that goes too far by so much differs by that part of its step, and no step is longer than the way from the start
// to the solution, whose numbers are 1. Differences do not grow after that, because the method goes on from where it is;
// so those of all iterations are added. -ordered adds in the serial order.
func (s *solver) allowed() float64 {
	if s.cfg.ordered {
		return 0
	}
	return float64(len(s.residuals)) * (1 + 53) * 2 * float64(len(s.a)) * 0x1p-53
}

// stopped returns an error unless the last iteration is the first that reached the tolerance, or all were made.
func (s *solver) stopped() error {
	last := len(s.residuals) - 1
	for k, r := range s.residuals {
		if reached := r <= s.cfg.tolerance && s.cfg.tolerance > 0; reached != (k == last) && (reached || last+1 < s.cfg.iterations) {
			return fmt.Errorf("the residual of iteration %d is %v, and iteration %d was the last", k, r, last)
		}
	}
	return nil
}

// config is what the command line asks for, checked.
type config struct {
	runner
	nx, ny, nz, block, iterations int
	tolerance                     float64
	form                          string // loop or iter
	ordered, check                bool
}

const (
	maxSide       = 1 << 12
	maxRows       = 1 << 26 // 22 GiB for the matrix
	maxIterations = 1 << 20
)

// parseFlags reads args. Its error names every flag that is wrong; it is flag.ErrHelp if help was asked for, which has
// then been printed to w.
func parseFlags(args []string, w io.Writer) (*config, error) {
	var cfg config
	fs := flag.NewFlagSet("hpccg", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.IntVar(&cfg.nx, "nx", 64, "points of the box in the first direction")
	fs.IntVar(&cfg.ny, "ny", 64, "points in the second")
	fs.IntVar(&cfg.nz, "nz", 64, "points in the third")
	fs.IntVar(&cfg.block, "block", 1<<13, "rows of a block; need not divide their number")
	fs.IntVar(&cfg.iterations, "iterations", 150, "iterations, at most")
	fs.Float64Var(&cfg.tolerance, "tolerance", 0, "stop after the iteration that finds the residual at most this (default 0: never)")
	fs.StringVar(&cfg.form, "form", "loop", "loop: spawn the tasks of every iteration; iter: record those of one")
	fs.BoolVar(&cfg.ordered, "ordered", false, "add up in the order of the program, which gives the same bits in every run")
	fs.BoolVar(&cfg.check, "check", false, "run the serial form as well, and compare")
	cfg.register(fs)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	err := errors.Join(cfg.validate(fs), between("nx", cfg.nx, 1, maxSide), between("ny", cfg.ny, 1, maxSide),
		between("nz", cfg.nz, 1, maxSide), between("block", cfg.block, 1, maxRows),
		between("iterations", cfg.iterations, 1, maxIterations))
	if !(cfg.tolerance >= 0) || math.IsInf(cfg.tolerance, 0) {
		err = errors.Join(err, fmt.Errorf("-tolerance: %v is not zero or a positive number", cfg.tolerance))
	}
	if cfg.form != "loop" && cfg.form != "iter" {
		err = errors.Join(err, fmt.Errorf("-form: %q is neither loop nor iter", cfg.form))
	}
	if n := int64(cfg.nx) * int64(cfg.ny) * int64(cfg.nz); err == nil && n > maxRows {
		err = fmt.Errorf("-nx, -ny, -nz: %d points are more than %d", n, maxRows)
	}
	return &cfg, err
}
