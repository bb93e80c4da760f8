// Matmul adds a product of matrices to a matrix in tiles, c += a·b. A task adds the product of two tiles to one of c. Additions
// commute, so the tasks of one tile of c are declared commutative: they exclude each other, and each comes when its factors are
// there and the tile is free. With -inout they keep the order of the program, and a factor that is late holds up all behind it.
//
//	matmul -n 1024 -tile 128               the product, and the speed
//	matmul -check                          compare with the serial product
//	matmul -check -integers                the same with whole numbers, of which every order gives the same sum
//	matmul -trace out.json -v              a timeline for https://ui.perfetto.dev, and its summary
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
	fillType = tasks.NewType("fill", 1) // before products that are ready: more of them become so
	gemmType = tasks.NewType("gemm", 0)
)

// A problem is the three matrices.
type problem struct {
	cfg     *config
	a, b, c matrix
}

func newProblem(cfg *config) *problem {
	return &problem{cfg, newMatrix(cfg), newMatrix(cfg), newMatrix(cfg)}
}

// tasks spawns what serial does.
func (p *problem) tasks(t *tasks.Task) error {
	for which, m := range []matrix{p.a, p.b, p.c} {
		for i := range m {
			for j := range m[i] {
				tasks.Spawn(t, func() { p.fill(m, which, i, j) }, fillType, deps.OutSlice(m[i][j].cells))
			}
		}
	}
	update := deps.CommutativeSlice[float64]
	if p.cfg.inout {
		update = deps.InOutSlice[float64]
	}
	for i := range p.c {
		for j, c := range p.c[i] {
			for k := range p.b {
				a, b := p.a[i][k], p.b[k][j]
				tasks.Spawn(t, func() { gemm(c, a, b) }, gemmType, deps.InSlice(a.cells), deps.InSlice(b.cells), update(c.cells))
			}
		}
	}
	return nil
}

func (p *problem) serial() {
	for which, m := range []matrix{p.a, p.b, p.c} {
		for i := range m {
			for j := range m[i] {
				p.fill(m, which, i, j)
			}
		}
	}
	for i := range p.c {
		for j, c := range p.c[i] {
			for k := range p.b {
				gemm(c, p.a[i][k], p.b[k][j])
			}
		}
	}
}

// allowed returns by how much two results may differ. A number of c is a sum of n products and what was there, each of at most
// one. However it is added up, the rounding errors are at most n·2⁻⁵³ for each unit of the sum of absolute values, which is at
// most n + 1; and there are two results. Whole numbers are exact, and -inout adds in the serial order.
func (c *config) allowed() float64 {
	if c.integers || c.inout {
		return 0
	}
	n := float64(c.n + 1)
	return 2 * n * n * 0x1p-53
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
		fmt.Fprintf(stderr, "matmul: wrong command line\n%v\n", err)
		return 2
	}
	if err := perform(ctx, cfg, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "matmul: %v\n", err)
		return 1
	}
	return 0
}

func perform(ctx context.Context, cfg *config, stdout, stderr io.Writer) error {
	p := newProblem(cfg)
	fmt.Fprintf(stdout, "matrices  %d × %d in %d × %d tiles of %d\n", cfg.n, cfg.n, len(p.c), len(p.c), cfg.tile)
	elapsed, err := cfg.run(ctx, stdout, stderr, p.tasks)
	if err != nil {
		return err
	}
	n := float64(cfg.n)
	fmt.Fprintf(stdout, "time      %.3f s, %.2f GFLOP/s\n", elapsed.Seconds(), 2*n*n*n/float64(elapsed.Nanoseconds()))
	if !cfg.check {
		return nil
	}
	want := newProblem(cfg)
	began := time.Now()
	want.serial()
	serial := time.Since(began)
	fmt.Fprintf(stdout, "serial    %.3f s, speed-up %.2f\n", serial.Seconds(), serial.Seconds()/elapsed.Seconds())
	d := difference(want.c, p.c)
	fmt.Fprintf(stdout, "check     differs by %.1e from the serial product, at most %.1e allowed\n", d, cfg.allowed())
	if !(d <= cfg.allowed()) {
		return errors.New("the product is wrong")
	}
	return nil
}

// config is what the command line asks for, checked.
type config struct {
	runner
	n, tile                int
	seed                   uint64
	integers, inout, check bool
}

// parseFlags reads args. Its error names every flag that is wrong; it is flag.ErrHelp if help was asked for, which has
// then been printed to w.
func parseFlags(args []string, w io.Writer) (*config, error) {
	var cfg config
	fs := flag.NewFlagSet("matmul", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.IntVar(&cfg.n, "n", 1024, "rows, and columns, of the matrices")
	fs.IntVar(&cfg.tile, "tile", 128, "rows, and columns, of a tile; need not divide -n")
	fs.Uint64Var(&cfg.seed, "seed", 1, "seed of the matrices")
	fs.BoolVar(&cfg.integers, "integers", false, "whole numbers, so that sums are exact in any order")
	fs.BoolVar(&cfg.inout, "inout", false, "add to a tile in the order of the program")
	fs.BoolVar(&cfg.check, "check", false, "run the serial form as well, and compare")
	cfg.register(fs)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	return &cfg, errors.Join(cfg.validate(fs), between("n", cfg.n, 1, maxN), between("tile", cfg.tile, 1, maxN))
}
