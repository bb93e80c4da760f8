// Heat finds how warmth spreads over a plate whose rim is heated. Each step replaces every cell by the mean of its four
// neighbours, by the rule of Gauss and Seidel: with values of this step above and to the left, of the last step below and
// to the right. That seems to leave nothing to do in parallel, but blocks along a diagonal do not need each other, and the
// next step may follow while this one is under way: tasks that say which blocks they read find both by themselves.
//
//	heat -out heat.png                               200 steps, and a picture
//	heat -form tampi-iwait -ranks 4 -compare         four ranks; the same bits as the serial program?
//	heat -every 50 -tolerance 1e-3 -steps 10000      until no cell changes by more than that
//	heat -source 0.5,0,0.3,1 -trace out.json -v      one source; a timeline for https://ui.perfetto.dev
//
// Whatever the form, the ranks, the workers and the blocks, the cells are the same in every bit.
// SIGQUIT (Ctrl-\) prints what the tasks wait for.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program without the process around it. It returns the exit status: 1 if the run or the comparison failed, 2
// if the command line is wrong.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	cfg, err := parseFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "heat: wrong command line\n%v\n", err)
		return 2
	}
	if err := perform(ctx, cfg, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "heat: %v\n", err)
		return 1
	}
	return 0
}

func perform(ctx context.Context, cfg *config, stdout, stderr io.Writer) error {
	rec := newRecorder(cfg)
	var res *result
	var err error
	began := time.Now()
	switch cfg.form {
	case "serial":
		res, err = runSerial(ctx, cfg)
	case "tampi-blocking":
		res, err = runTasks(ctx, cfg, blocking, rec, stderr)
	case "tampi-iwait":
		res, err = runTasks(ctx, cfg, iwait, rec, stderr)
	default: // tasks: a single rank has nobody to send to
		res, err = runTasks(ctx, cfg, transfer{}, rec, stderr)
	}
	elapsed := time.Since(began)
	if err != nil || res == nil {
		return err
	}
	report(cfg, res, elapsed, stdout)
	if cfg.compare {
		if err := compare(ctx, cfg, res, stdout); err != nil {
			return err
		}
	}
	if cfg.out != "" {
		if err := writePicture(cfg.out, res.cells, cfg.rows, cfg.cols); err != nil {
			return err
		}
	}
	return show(rec, cfg, stdout)
}

func report(cfg *config, res *result, elapsed time.Duration, stdout io.Writer) {
	fmt.Fprintf(stdout, "plate     %d × %d cells in blocks of %d\n", cfg.rows, cfg.cols, cfg.block)
	if cfg.form != "serial" {
		fmt.Fprintf(stdout, "ranks     %d with %d workers each\n", cfg.ranks, cfg.workersPerRank())
	}
	fmt.Fprintf(stdout, "steps     %d\n", res.steps)
	fmt.Fprintf(stdout, "residual  %.3e\n", res.residual)
	fmt.Fprintf(stdout, "checksum  %016x\n", checksum(res.cells))
	updates := float64(res.steps) * float64(len(res.cells))
	fmt.Fprintf(stdout, "time      %.3f s, %.1f million cells/s\n", elapsed.Seconds(), updates/elapsed.Seconds()/1e6)
}

// checksum differs if any bit of any cell does.
func checksum(cells []float64) uint64 {
	h := fnv.New64a()
	var b [8]byte
	for _, t := range cells {
		for i, bits := 0, math.Float64bits(t); i < len(b); i++ {
			b[i] = byte(bits >> (8 * i))
		}
		h.Write(b[:])
	}
	return h.Sum64()
}

func compare(ctx context.Context, cfg *config, res *result, stdout io.Writer) error {
	want, err := runSerial(ctx, cfg)
	if err != nil {
		return err
	}
	if err := sameBits(want, res, cfg.cols); err != nil {
		return fmt.Errorf("the result differs from the serial one: %w", err)
	}
	fmt.Fprintf(stdout, "compare   same bits as the serial form\n")
	return nil
}

// sameBits returns an error that names the first difference.
func sameBits(want, got *result, cols int) error {
	for i, w := range want.cells {
		if g := got.cells[i]; math.Float64bits(g) != math.Float64bits(w) {
			return fmt.Errorf("row %d, column %d: %v is not %v", i/cols, i%cols, g, w)
		}
	}
	if got.steps != want.steps || got.residual != want.residual {
		return fmt.Errorf("residual %v after %d steps is not %v after %d", got.residual, got.steps, want.residual, want.steps)
	}
	return nil
}
