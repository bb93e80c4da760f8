// Nqueens counts the ways to place n queens on an n × n board so that none attacks another. A task tries the squares of a row
// and spawns a task for each that is free; below a cut-off the rest is searched without tasks. Nobody waits: all tasks add to
// one count. Those that only spawn declare it as a weak reduction, so their children contribute to the same scope at any depth,
// and whoever reads the count comes after the last of them.
//
//	nqueens -n 14                          how many solutions, and how fast
//	nqueens -cutoff 5                      tasks for five rows
//	nqueens -check                         against the known number, and the serial program
//	nqueens -trace out.json -v             a timeline for https://ui.perfetto.dev, and its summary
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
		fmt.Fprintf(stderr, "nqueens: wrong command line\n%v\n", err)
		return 2
	}
	if err := perform(ctx, cfg, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "nqueens: %v\n", err)
		return 1
	}
	return 0
}

func perform(ctx context.Context, cfg *config, stdout, stderr io.Writer) error {
	fmt.Fprintf(stdout, "queens    %d, tasks for %d rows\n", cfg.n, min(cfg.cutoff, cfg.n))
	var count, seen uint64
	elapsed, err := cfg.run(ctx, stdout, stderr, func(t *tasks.Task) error {
		search(t, board{n: cfg.n}, cfg.cutoff, &count)
		tasks.Spawn(t, func() { seen = count }, resultType, deps.In(&count))
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "solutions %d\n", seen)
	fmt.Fprintf(stdout, "time      %.3f s\n", elapsed.Seconds())
	if !cfg.check {
		return nil
	}
	began := time.Now()
	want := board{n: cfg.n}.count()
	serial := time.Since(began)
	fmt.Fprintf(stdout, "serial    %.3f s, speed-up %.2f\n", serial.Seconds(), serial.Seconds()/elapsed.Seconds())
	switch {
	case seen != want:
		return fmt.Errorf("%d solutions, and %d in the serial form", seen, want)
	case seen != known[cfg.n]:
		return fmt.Errorf("%d solutions, and %d are known", seen, known[cfg.n])
	}
	fmt.Fprintf(stdout, "check     the serial form's number, and the known one\n")
	return nil
}

// config is what the command line asks for, checked.
type config struct {
	runner
	n, cutoff int
	check     bool
}

// parseFlags reads args. Its error names every flag that is wrong; it is flag.ErrHelp if help was asked for, which has
// then been printed to w.
func parseFlags(args []string, w io.Writer) (*config, error) {
	var cfg config
	fs := flag.NewFlagSet("nqueens", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.IntVar(&cfg.n, "n", 13, "queens, and rows and columns of the board")
	fs.IntVar(&cfg.cutoff, "cutoff", 3, "rows whose queens have tasks; 0 is one task for all")
	fs.BoolVar(&cfg.check, "check", false, "run the serial form as well, and compare")
	cfg.register(fs)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	return &cfg, errors.Join(cfg.validate(fs), between("n", cfg.n, 1, maxN), between("cutoff", cfg.cutoff, 0, maxN))
}
