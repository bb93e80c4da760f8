package main

import "context"

// runSerial is the form that all others must equal in every bit: block after block, step after step.
func runSerial(ctx context.Context, cfg *config) (*result, error) {
	p := newPlate(cfg, 0, 1)
	steps := 0
	for done := false; !done; {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		p.inner(func(r, c int, _ *block) { p.relax(r, c) })
		steps++
		if cfg.measures(steps) {
			p.residual = p.largestChange()
			done = p.residual <= cfg.tolerance
		}
		done = done || steps == cfg.steps
	}
	return &result{p.cells(), steps, p.residual}, nil
}
