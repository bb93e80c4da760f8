package main

import (
	"context"
	"sync"

	"github.com/gompss/gompss/examples/nbody/gravity"
)

// stopping ends a run early in a state that means something: all blocks after the same step. Ranks begin their steps at
// different times, so it takes an agreement: when the first rank sees the interruption, the steps that any rank has begun
// are still made by all.
type stopping struct {
	interrupted <-chan struct{} // nil: never
	mu          sync.Mutex
	begun       int // steps that some rank has begun
	stopped     bool
}

// begin tells a rank, or the only goroutine of a serial run, whether it is to make step. All get the same answer, unless
// ctx is cancelled: then the run fails, and nobody goes on.
func (s *simulation[F]) begin(ctx context.Context, step int) bool {
	if ctx.Err() != nil {
		return false
	}
	p := &s.stopping
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.interrupted:
		p.stopped = true
	default:
	}
	switch {
	case step < p.begun:
		return true
	case p.stopped || step == s.leapfrog.Steps:
		return false
	}
	p.begun++
	return true
}

// finish completes a run that ended early, and returns how many steps it made. Positions are half a drift ahead of
// velocities then; as after the last step, both are brought to the same time.
func (s *simulation[F]) finish() (steps int) {
	if s.stopping.begun < s.leapfrog.Steps {
		for _, b := range s.allBlocks() {
			gravity.DriftBlock(b, -s.leapfrog.Open())
		}
	}
	return s.stopping.begun
}
