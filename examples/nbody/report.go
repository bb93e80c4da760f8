package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"github.com/gompss/gompss/examples/nbody/gravity"
	"github.com/gompss/gompss/trace"
)

// result is what one run gave.
type result struct {
	ranks, workers int
	cores          int           // that all workers together can use
	elapsed        time.Duration // of the steps alone
	steps          int
	interactions   float64
	start, end     gravity.Energy
	momentum       float64 // of all particles at the end, relative to Σ m|v|
	checksum       uint64
	orbits         *orbits // nil unless planets were watched
	check          *comparison
	summary        *trace.Summary     // nil unless tasks were recorded, or with -quiet
	unwritten      error              // why the timeline was not written
	interrupted    bool               // not all steps were made
	particles      []gravity.Particle // at the end
}

// comparison with the serial reference.
type comparison struct{ difference, bound float64 }

func (c *comparison) ok() bool { return c.difference <= c.bound }

func (c *comparison) String() string {
	switch {
	case c.difference == 0:
		return "same bits as the serial run"
	case c.ok():
		return fmt.Sprintf("ok: %.1e of the scale from the serial run on one rank, %.1e allowed", c.difference, c.bound)
	}
	return fmt.Sprintf("FAILED: %.1e of the scale from the serial run on one rank, only %.1e allowed", c.difference, c.bound)
}

func (r *result) gflops() float64 {
	return r.interactions * gravity.InteractionFlops / float64(r.elapsed.Nanoseconds())
}

// momentum returns |Σ m v| / Σ m|v|: zero in exact arithmetic for particles that began with none.
func momentum(ps []gravity.Particle) float64 {
	c := gravity.CentreOfMass(ps)
	total := 0.0
	for _, p := range ps {
		total += p.Mass * math.Hypot(math.Hypot(p.VX, p.VY), p.VZ)
	}
	if total == 0 {
		return 0
	}
	return c.Mass * math.Hypot(math.Hypot(c.VX, c.VY), c.VZ) / total
}

// printHeader says what runs.
func printHeader(w io.Writer, cfg *config, n int) {
	p := newPartition(n, cfg.block, 1)
	fmt.Fprintf(w, "nbody: %d particles (%s) in blocks of %d, %d steps of %v, float%d, kernel %s, form %s\n",
		n, cfg.origin(), p.block, cfg.steps, cfg.dt, cfg.precision, cfg.kernel, cfg.form)
}

// printResult prints r, one figure a line, and what the trace of its tasks says.
func printResult(w io.Writer, r *result) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, a ...any) { fmt.Fprintf(t, name+"\t"+format+"\n", a...) }
	line("ranks × workers", "%d × %d", r.ranks, r.workers)
	if r.interrupted {
		line("interrupted", "after %d steps", r.steps)
	}
	line("time", "%.3f s", r.elapsed.Seconds())
	line("speed", "%.2f GFLOP/s, %.1f steps/s", r.gflops(), float64(r.steps)/r.elapsed.Seconds())
	line("energy", "%.9g → %.9g", r.start.Total(), r.end.Total())
	line("energy drift", "%.2e", r.end.Drift(r.start))
	line("momentum", "%.2e", r.momentum)
	line("checksum", "%016x", r.checksum)
	if r.orbits != nil {
		for _, o := range r.orbits.planets {
			if days, ok := o.period(); ok {
				line(o.name, "sidereal period %.3f d (mean of %d)", days, o.revolutions)
			}
		}
	}
	if r.check != nil {
		line("check", "%s", r.check)
	}
	t.Flush()
	if r.summary != nil {
		fmt.Fprintf(w, "\n%s", r.summary)
	}
}

// printSweep prints a line for each run. Efficiency is the speed per core compared with the first run's.
func printSweep(w io.Writer, results []*result) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "ranks\tworkers\ttime s\tGFLOP/s\tefficiency\tenergy drift\tchecksum\t")
	for _, r := range results {
		first := results[0]
		perCore := func(r *result) float64 { return r.gflops() / float64(r.cores) }
		fmt.Fprintf(t, "%d\t%d\t%.3f\t%.2f\t%.0f %%\t%.2e\t%016x\t\n", r.ranks, r.workers, r.elapsed.Seconds(), r.gflops(),
			100*perCore(r)/perCore(first), r.end.Drift(r.start), r.checksum)
	}
	t.Flush()
	for _, r := range results {
		if r.interrupted {
			fmt.Fprintf(w, "with %d ranks: interrupted after %d steps\n", r.ranks, r.steps)
		}
		if r.check != nil {
			fmt.Fprintf(w, "check with %d ranks: %s\n", r.ranks, r.check)
		}
	}
}
