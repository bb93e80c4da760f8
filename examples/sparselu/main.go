// Sparselu factors a sparse matrix of blocks: it finds a lower triangle l, with ones on its diagonal, and an upper triangle u
// with l·u = a. Most blocks are empty and are neither stored nor worked on, so the work is irregular and a loop over rows
// would leave workers idle. Tasks on blocks balance it by themselves. An empty block that a product lands on is allocated
// when the task is spawned (fill-in): where that happens depends on the pattern alone, so nobody waits to find out.
//
//	sparselu -blocks 50 -block 64          the factors, and the speed
//	sparselu -check                        the same bits as the serial program?
//	sparselu -singular                     a task fails: its dependents are skipped, the error names the block
//	sparselu -trace out.json -v            a timeline for https://ui.perfetto.dev, and its summary
//
// There is no pivoting: the matrices are such that none is needed. SIGQUIT (Ctrl-\) prints what the tasks wait for.
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

// The critical path leads from each lu0 over a fwd and a bdiv to the next, so these are not to wait behind the many bmod that
// could run as well.
var (
	lu0Type  = tasks.NewType("lu0", 2)
	fwdType  = tasks.NewType("fwd", 1)
	bdivType = tasks.NewType("bdiv", 1)
	bmodType = tasks.NewType("bmod", 0)
)

// factorTasks is factorSerial with a task for each kernel. Only this body, which spawns, looks at the pattern and changes it;
// the tasks know their blocks. The order of all kernels on a block is the serial one, so the factors have the same bits.
func (a matrix) factorTasks(t *tasks.Task) error {
	for k := range a {
		akk := a[k][k]
		tasks.Spawn(t, func() error { return lu0(akk, k) }, lu0Type, deps.InOutSlice(akk))
		for j := k + 1; j < len(a); j++ {
			if akj := a[k][j]; akj != nil {
				tasks.Spawn(t, func() { fwd(akk, akj) }, fwdType, deps.InSlice(akk), deps.InOutSlice(akj))
			}
		}
		for i := k + 1; i < len(a); i++ {
			aik := a[i][k]
			if aik == nil {
				continue
			}
			tasks.Spawn(t, func() { bdiv(akk, aik) }, bdivType, deps.InSlice(akk), deps.InOutSlice(aik))
			for j := k + 1; j < len(a); j++ {
				if akj := a[k][j]; akj != nil {
					aij := a.fillIn(i, j)
					tasks.Spawn(t, func() { bmod(aik, akj, aij) }, bmodType,
						deps.InSlice(aik), deps.InSlice(akj), deps.InOutSlice(aij))
				}
			}
		}
	}
	return nil // the tasks are waited for, and their errors returned, by Run
}

// factorSerial replaces a by its factors, one kernel after the other.
func (a matrix) factorSerial() error {
	for k := range a {
		if err := lu0(a[k][k], k); err != nil {
			return err
		}
		for j := k + 1; j < len(a); j++ {
			if a[k][j] != nil {
				fwd(a[k][k], a[k][j])
			}
		}
		for i := k + 1; i < len(a); i++ {
			if a[i][k] == nil {
				continue
			}
			bdiv(a[k][k], a[i][k])
			for j := k + 1; j < len(a); j++ {
				if a[k][j] != nil {
					bmod(a[i][k], a[k][j], a.fillIn(i, j))
				}
			}
		}
	}
	return nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends what does not look at ctx
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program without the process around it. It returns the exit status: 1 if the matrix has no factors or the check
// failed, 2 if the command line is wrong.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	cfg, err := parseFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "sparselu: wrong command line\n%v\n", err)
		return 2
	}
	if err := perform(ctx, cfg, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "sparselu: %v\n", err)
		return 1
	}
	return 0
}

func perform(ctx context.Context, cfg *config, stdout, stderr io.Writer) error {
	a := randomMatrix(cfg)
	fmt.Fprintf(stdout, "matrix    %d × %d blocks of %d × %d, of which %d are not empty\n",
		cfg.blocks, cfg.blocks, cfg.block, cfg.block, a.stored())
	f := a.clone()
	elapsed, err := cfg.run(ctx, stdout, stderr, f.factorTasks)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "factors   %d blocks\n", f.stored())
	fmt.Fprintf(stdout, "time      %.3f s\n", elapsed.Seconds())
	if !cfg.check {
		return nil
	}
	want := a.clone()
	began := time.Now()
	if err := want.factorSerial(); err != nil {
		return err
	}
	serial := time.Since(began)
	fmt.Fprintf(stdout, "serial    %.3f s, speed-up %.2f\n", serial.Seconds(), serial.Seconds()/elapsed.Seconds())
	if err := sameBits(want, f); err != nil {
		return fmt.Errorf("the factors differ from the serial ones: %w", err)
	}
	fmt.Fprintf(stdout, "check     same bits as the serial factors\n")
	return nil
}

// config is what the command line asks for, checked.
type config struct {
	runner
	blocks, block   int
	density         float64
	seed            uint64
	singular, check bool
}

// parseFlags reads args. Its error names every flag that is wrong; it is flag.ErrHelp if help was asked for, which has
// then been printed to w.
func parseFlags(args []string, w io.Writer) (*config, error) {
	var cfg config
	fs := flag.NewFlagSet("sparselu", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.IntVar(&cfg.blocks, "blocks", 50, "rows, and columns, of blocks")
	fs.IntVar(&cfg.block, "block", 64, "rows, and columns, of a block")
	fs.Float64Var(&cfg.density, "density", 0.1, "share of the blocks that are not empty; those on and beside the diagonal never are")
	fs.Uint64Var(&cfg.seed, "seed", 1, "seed of the matrix")
	fs.BoolVar(&cfg.singular, "singular", false, "make a row of zeros, to see the factorisation fail half way")
	fs.BoolVar(&cfg.check, "check", false, "factor serially as well, and compare bit by bit")
	cfg.register(fs)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	err := errors.Join(cfg.validate(fs), between("blocks", cfg.blocks, 1, 1024), between("block", cfg.block, 1, 1024))
	if !(cfg.density >= 0 && cfg.density <= 1) {
		err = errors.Join(err, fmt.Errorf("-density: %v is not between 0 and 1", cfg.density))
	}
	if n := cfg.blocks * cfg.block; err == nil && n > maxRows {
		err = fmt.Errorf("-blocks, -block: %d rows in all are more than %d", n, maxRows)
	}
	return &cfg, err
}
