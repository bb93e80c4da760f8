// Smithwaterman finds the best local alignment of two sequences by the method of Smith and Waterman: its score, and where it
// ends. Each cell of a table of all pairs of letters needs its neighbours to the left, above, and on the diagonal between. The
// table is cut into blocks; a task fills one when the blocks on these three sides are done, so a wave of tasks runs over it
// from corner to corner. Of a block only the rim is kept, which is all that its neighbours need.
//
//	smithwaterman -n 20000 -m 20000        two sequences with a common part
//	smithwaterman -input a.fa -input b.fa  the sequences of FASTA files; one file may hold both
//	smithwaterman -check                   the same result as the serial program?
//	smithwaterman -trace out.json -v       a timeline for https://ui.perfetto.dev, and its summary
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
		fmt.Fprintf(stderr, "smithwaterman: wrong command line\n%v\n", err)
		return 2
	}
	if err := perform(ctx, cfg, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "smithwaterman: %v\n", err)
		return 1
	}
	return 0
}

func perform(ctx context.Context, cfg *config, stdout, stderr io.Writer) error {
	a, b, err := sequences(cfg)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "first     %s, %d letters\n", a.name, len(a.letters))
	fmt.Fprintf(stdout, "second    %s, %d letters\n", b.name, len(b.letters))
	w := newTable(a.letters, b.letters, cfg.block)
	elapsed, err := cfg.run(ctx, stdout, stderr, func(t *tasks.Task) error { w.tasks(t, cfg.scoring); return nil })
	if err != nil {
		return err
	}
	best := w.best()
	fmt.Fprintf(stdout, "score     %d\n", best.score)
	if best.score > 0 {
		fmt.Fprintf(stdout, "end       letter %d of the first, %d of the second\n", best.i, best.j)
	}
	cells := float64(len(a.letters)) * float64(len(b.letters))
	fmt.Fprintf(stdout, "time      %.3f s, %.1f million cells/s\n", elapsed.Seconds(), cells/elapsed.Seconds()/1e6)
	if !cfg.check {
		return nil
	}
	began := time.Now()
	want := alignSerial(a.letters, b.letters, cfg.scoring)
	serial := time.Since(began)
	fmt.Fprintf(stdout, "serial    %.3f s, speed-up %.2f\n", serial.Seconds(), serial.Seconds()/elapsed.Seconds())
	if best != want {
		return fmt.Errorf("the serial form has score %d at (%d,%d), not %d at (%d,%d)",
			want.score, want.i, want.j, best.score, best.i, best.j)
	}
	fmt.Fprintf(stdout, "check     same result as the serial form\n")
	return nil
}

// config is what the command line asks for, checked.
type config struct {
	runner
	scoring
	inputs      []string
	n, m, block int
	seed        uint64
	check       bool
}

const (
	maxLetters = 1 << 20
	maxScore   = 1000 // for a pair of letters; times maxLetters it still is an int32
)

// parseFlags reads args. Its error names every flag that is wrong; it is flag.ErrHelp if help was asked for, which has
// then been printed to w.
func parseFlags(args []string, w io.Writer) (*config, error) {
	var cfg config
	var match, mismatch, gap int
	fs := flag.NewFlagSet("smithwaterman", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.Func("input", "read sequences from a FASTA `file`; may be repeated, two sequences are needed", func(name string) error {
		cfg.inputs = append(cfg.inputs, name)
		return nil
	})
	fs.IntVar(&cfg.n, "n", 8192, "letters of the first sequence, if it is not read")
	fs.IntVar(&cfg.m, "m", 8192, "letters of the second sequence, if it is not read")
	fs.Uint64Var(&cfg.seed, "seed", 1, "seed of sequences that are not read")
	fs.IntVar(&cfg.block, "block", 512, "rows, and columns, of a block; need not divide the lengths")
	fs.IntVar(&match, "match", 2, "score of two equal letters")
	fs.IntVar(&mismatch, "mismatch", -2, "score of two different letters")
	fs.IntVar(&gap, "gap", -3, "score of a letter that is left out")
	fs.BoolVar(&cfg.check, "check", false, "run the serial form as well, and compare")
	cfg.register(fs)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	cfg.scoring = scoring{int32(match), int32(mismatch), int32(gap)}
	err := cfg.validate(fs)
	fs.Visit(func(f *flag.Flag) {
		if len(cfg.inputs) > 0 && (f.Name == "n" || f.Name == "m" || f.Name == "seed") {
			err = errors.Join(err, fmt.Errorf("-%s: with -input nothing is made up", f.Name))
		}
	})
	return &cfg, errors.Join(err, between("n", cfg.n, 1, maxLetters), between("m", cfg.m, 1, maxLetters),
		between("block", cfg.block, 1, maxLetters), between("match", match, 1, maxScore),
		between("mismatch", mismatch, -maxScore, 0), between("gap", gap, -maxScore, 0))
}
