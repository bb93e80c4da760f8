// Cholesky factors a symmetric positive definite matrix: it finds the lower triangle l with l·lᵀ = a. The matrix is cut
// into tiles, every kernel on tiles is a task, and what tiles the tasks read and change is all that orders them.
//
//	cholesky -n 4096 -tile 128          the factor, its residual and the speed
//	cholesky -compare                   the same bits as the serial program?
//	cholesky -indefinite                a task fails: its dependents are skipped, the error names the tile
//	cholesky -trace out.json -v         a timeline for https://ui.perfetto.dev, and its summary
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

	"github.com/gompss/gompss/tasks"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program without the process around it. It returns the exit status: 1 if the matrix has no factor or the
// factor is wrong, 2 if the command line is wrong.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	cfg, err := parseFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "cholesky: wrong command line\n%v\n", err)
		return 2
	}
	if err := perform(ctx, cfg, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "cholesky: %v\n", err)
		return 1
	}
	return 0
}

func perform(ctx context.Context, cfg *config, stdout, stderr io.Writer) error {
	a := randomMatrix(cfg.n, cfg.tile, cfg.seed)
	if cfg.indefinite {
		a.spoil(cfg.n / 2)
	}
	fmt.Fprintf(stdout, "matrix    %d × %d in %d × %d tiles of %d\n", cfg.n, cfg.n, len(a.tiles), len(a.tiles), cfg.tile)
	l := a.clone()
	elapsed, err := factor(ctx, cfg, l, stdout, stderr)
	if err != nil {
		return err
	}
	n := float64(cfg.n)
	work := n*n*n/3 + n*n/2 + n/6
	fmt.Fprintf(stdout, "time      %.3f s, %.2f GFLOP/s\n", elapsed.Seconds(), work/float64(elapsed.Nanoseconds()))
	if cfg.compare {
		if err := compare(a, l, stdout); err != nil {
			return err
		}
	}
	return check(ctx, cfg, a, l, stdout)
}

// factor replaces l by its factor, in the form asked for.
func factor(ctx context.Context, cfg *config, l *matrix, stdout, stderr io.Writer) (time.Duration, error) {
	if cfg.form == "serial" {
		began := time.Now()
		err := factorSerial(l)
		return time.Since(began), err
	}
	rec := newRecorder(cfg)
	rt, err := tasks.New(tasks.Config{Workers: cfg.workers, Trace: rec})
	if err != nil {
		return 0, err
	}
	defer dumpOnQuit(stderr, rt.Dump)()
	began := time.Now()
	failure := rt.Run(ctx, func(t *tasks.Task) error {
		factorTasks(t, l)
		return nil // the tasks are waited for, and their errors returned, by Run
	})
	elapsed := time.Since(began)
	err = rt.Close()
	s := rt.Stats()
	fmt.Fprintf(stdout, "workers   %d\n", rt.Workers())
	fmt.Fprintf(stdout, "tasks     %d, of which %d were skipped\n", s.Spawned, s.Skipped)
	return elapsed, errors.Join(failure, err, show(rec, cfg, stdout))
}

func compare(a, l *matrix, stdout io.Writer) error {
	serial := a.clone()
	if err := factorSerial(serial); err != nil {
		return err
	}
	if err := sameBits(l, serial); err != nil {
		return fmt.Errorf("the factor differs from the serial one: %w", err)
	}
	fmt.Fprintf(stdout, "compare   same bits as the serial factor\n")
	return nil
}

// check has a runtime of its own, so that trace and counts are those of the factorisation.
func check(ctx context.Context, cfg *config, a, l *matrix, stdout io.Writer) error {
	rt, err := tasks.New(tasks.Config{Workers: cfg.workers})
	if err != nil {
		return err
	}
	var r float64
	err = rt.Run(ctx, func(t *tasks.Task) error {
		r, err = residual(t, a, l)
		return err
	})
	if err := errors.Join(err, rt.Close()); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "residual  %.1e, at most %d allowed\n", r, maxResidual)
	if !(r <= maxResidual) {
		return errors.New("the factor is wrong")
	}
	return nil
}
