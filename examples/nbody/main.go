// Nbody simulates particles that attract each other, all pairs, in blocks distributed over ranks. It is the main example
// of OmpSs-2 for Go: the same two functions, calculateForcesBlock and updateParticlesBlock, run serially and as tasks in
// several forms, which are compared with each other in every bit.
//
//	nbody                                    four ranks, 8192 particles of a Plummer sphere
//	nbody -init solar                        the planets for twelve years, with the periods of Earth and Jupiter
//	nbody -input in.csv -out out.csv -check  particles of a file, compared with the serial run
//	nbody -sweep 1,2,4,8                     a table of speeds
//	nbody -form flat -trace out.json         another form, and a timeline for https://ui.perfetto.dev
//
// The forms, each with one thing more than the one before:
//
//	serial          one goroutine
//	flat            tasks for blocks, and plain messages in them, one after the other (nbody.go, flat.go)
//	weak            outer tasks with weak accesses round the block tasks (weak.go)
//	tampi-blocking  the flat program with messages that give the core away while they wait (tampi.go)
//	tampi-iwait     the flat program with messages that nobody waits for (tampi.go)
//	for             the same messages, and forces by worksharing tasks with array reductions (for.go)
//
// Ctrl-C ends a run after the steps under way and reports on those; a second one ends the process. SIGQUIT (Ctrl-\) prints
// who waits for what and lets the run go on.
//
// Physics is in gravity, initial conditions in initial, files in snapshot.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/felixge/fgprof"

	"github.com/gompss/gompss/examples/nbody/gravity"
	"github.com/gompss/gompss/examples/nbody/initial"
	"github.com/gompss/gompss/examples/nbody/snapshot"
	"github.com/gompss/gompss/trace"
)

// forms are the programs behind -form. A form must make a step if begin says so, call updateParticlesBlock once for each
// block and step, and calculateForcesBlock for each target block, with the sources in the order of the ring (see
// partition.source) or so that they add up in that order.
func forms[F gravity.Float]() map[string]form[F] {
	return map[string]form[F]{
		"serial":         runSerial[F],
		"flat":           runFlat[F],
		"weak":           runWeak[F],
		"tampi-blocking": runTampiBlocking[F],
		"tampi-iwait":    runTampiIwait[F],
		"for":            runFor[F],
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // the second Ctrl-C is not caught
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGQUIT)
	go func() {
		for range quit {
			underway.dump(os.Stderr)
		}
	}()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// errInterrupted is the result of a program that was asked to stop, and did.
var errInterrupted = errors.New("interrupted")

// run is the program without the process around it; ctx interrupts it. It returns the exit status: 1 if the run or the
// check failed, 2 if the command line is wrong, 130 if it was interrupted.
func run(ctx context.Context, args []string, stdout io.Writer, stderr *os.File) int {
	cfg, err := parseFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "nbody: wrong command line\n%v\n", err)
		return 2
	}
	err = profiled(cfg.fgprof, func() error { return perform(ctx, cfg, stdout, stderr) })
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "nbody: %v\n", err)
	if errors.Is(err, errInterrupted) {
		return 130 // as a shell reports a process that SIGINT ended
	}
	return 1
}

// profiled runs body under a wall-clock profiler if file is not empty.
func profiled(file string, body func() error) error {
	if file == "" {
		return body()
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	stop := fgprof.Start(f, fgprof.FormatPprof)
	// fgprof samples 99 times a second and divides by the number of samples: a shorter run must wait for the first ones.
	enough := time.After(50 * time.Millisecond)
	err = body()
	<-enough
	return errors.Join(err, stop(), f.Close())
}

func perform(ctx context.Context, cfg *config, stdout io.Writer, stderr *os.File) error {
	ps, err := load(cfg)
	if err != nil {
		return err
	}
	if cfg.precision == 32 {
		return simulate[float32](ctx, cfg, ps, stdout, stderr)
	}
	return simulate[float64](ctx, cfg, ps, stdout, stderr)
}

// load returns the particles to start with.
func load(cfg *config) ([]gravity.Particle, error) {
	switch cfg.origin() {
	case "random":
		return initial.Random(cfg.particles, cfg.seed), nil
	case "solar":
		return initial.SolarSystem(), nil
	case "input":
		return readFile(cfg.input)
	}
	return initial.Plummer(cfg.particles, cfg.seed), nil
}

func readFile(name string) ([]gravity.Particle, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	ps, err := snapshot.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(ps) == 0 {
		return nil, fmt.Errorf("%s: no particles", name)
	}
	return ps, nil
}

func writeFile(name string, ps []gravity.Particle) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(snapshot.Write(f, ps), f.Close())
}

// simulate runs ps with each number of ranks and reports.
func simulate[F gravity.Float](ctx context.Context, cfg *config, ps []gravity.Particle, stdout io.Writer, stderr *os.File) error {
	program, ok := forms[F]()[cfg.form]
	if !ok {
		return fmt.Errorf("-form: %s is not built in, only %s", cfg.form, builtIn(forms[F]()))
	}
	for _, name := range []string{cfg.out, cfg.trace} {
		if err := writable(name); err != nil {
			return err
		}
	}
	if !cfg.quiet {
		printHeader(stdout, cfg, len(ps))
	}
	var reference []gravity.Particle
	var allowed float64
	if cfg.check {
		var err error
		if reference, allowed, err = newReference[F](ctx, cfg, ps); err != nil {
			if ctx.Err() != nil {
				err = errInterrupted
			}
			return err
		}
	}
	var results []*result
	for _, ranks := range cfg.rankCounts() {
		r, err := measure(ctx, cfg, ranks, ps, program, stderr)
		if err != nil {
			return err
		}
		if cfg.check && !r.interrupted {
			r.check = &comparison{maxDifference(reference, r.particles), allowed}
		}
		results = append(results, r)
		if ctx.Err() != nil {
			break
		}
	}
	if len(cfg.sweep) > 0 {
		printSweep(stdout, results)
	} else {
		printResult(stdout, results[0])
	}
	err := results[0].unwritten
	if cfg.out != "" {
		err = errors.Join(err, writeFile(cfg.out, results[0].particles))
	}
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	for _, r := range results {
		if r.check != nil && !r.check.ok() {
			return fmt.Errorf("the result with %d ranks differs from the serial run", r.ranks)
		}
	}
	return nil
}

// writable tells before the run, not after it, that a file cannot be written. No name is fine.
func writable(name string) error {
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	return f.Close()
}

// measure makes one run of program and takes its figures. When ctx ends the run stops after the steps under way: the
// program itself is not cancelled, which would leave its blocks at different times.
func measure[F gravity.Float](
	ctx context.Context, cfg *config, ranks int, ps []gravity.Particle, program form[F], stderr *os.File,
) (*result, error) {
	s, err := newSimulation[F](cfg, ranks, ps)
	if err != nil {
		return nil, err
	}
	if cfg.origin() == "solar" {
		s.orbits = newOrbits()
	}
	if !cfg.quiet {
		s.progress = newProgress(stderr, s.blocks()*cfg.steps)
	}
	if cfg.records() {
		s.recorder = trace.New(trace.Config{Limit: traceLimit})
	}
	s.stopping.interrupted = ctx.Done()
	r := &result{ranks: ranks, workers: s.workers, orbits: s.orbits}
	r.cores = min(ranks*s.workers, runtime.GOMAXPROCS(0))
	r.start = s.energy()
	began := time.Now()
	err = program(context.WithoutCancel(ctx), s)
	r.elapsed = time.Since(began)
	s.progress.clear()
	if cfg.trace != "" {
		r.unwritten = writeTrace(cfg.trace, s.recorder) // of a run that failed it is all the more welcome
	}
	if err != nil {
		return nil, errors.Join(err, r.unwritten)
	}
	r.steps = s.finish()
	r.interrupted = r.steps < cfg.steps
	r.interactions = s.interactions(r.steps)
	if s.recorder != nil && !cfg.quiet {
		r.summary = s.recorder.Summary()
	}
	r.end = s.energy()
	r.particles = s.state()
	r.momentum = momentum(r.particles)
	r.checksum = gravity.Checksum(r.particles)
	return r, nil
}

// traceLimit is how many bytes of events are kept: those of some two million tasks.
const traceLimit = 256 << 20

func writeTrace(name string, rec *trace.Recorder) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(rec.WriteChrome(f), f.Close())
}
