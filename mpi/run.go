package mpi

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
)

// Run makes a world of cfg.Ranks ranks, runs main once on each, in a goroutine of its own, and returns when all have
// returned (MPI 4.1, 11.2: it takes the place of Init and Finalize).
//
// A rank whose main returns an error, panics or calls runtime.Goexit cancels ctx on all ranks, with that error as cause;
// calls that are pending anywhere, and every later one, then fail with the cause. So they do when the caller cancels ctx,
// and when the ranks deadlock ([DeadlockError]). Run returns the failures of the ranks joined, each as a [*RankError];
// ranks that only passed the cause on are left out. A panic becomes a [*PanicError] with its stack.
//
// A rank need not have received everything sent to it: what is left is dropped. Goroutines that main started and that
// outlive Run get [ErrFinalized].
func Run(ctx context.Context, cfg Config, main func(ctx context.Context, world *Comm) error) error {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(ErrFinalized)
	w := newWorld(cfg)

	out := outcome{ctx: ctx, cancel: cancel, failures: make([]error, cfg.Ranks)}
	var ranks, supervisor sync.WaitGroup
	over := make(chan struct{})
	supervisor.Go(func() { w.supervise(ctx, cancel, over) })
	for rank, p := range w.procs {
		ranks.Go(func() {
			defer p.rest.retire()
			runMain(ctx, w.communicator(rank), main, &out)
		})
	}
	ranks.Wait()
	close(over)
	supervisor.Wait()
	w.abort(ErrFinalized)
	w.ended()
	return out.err()
}

// runMain runs main on one rank and reports its failure at once, before anybody else can learn of it.
func runMain(ctx context.Context, world *Comm, main func(context.Context, *Comm) error, out *outcome) {
	err := ErrGoexit // unless main returns or panics
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{v, debug.Stack()}
		}
		if err != nil {
			out.fail(world.Rank(), err)
			world.proc.world.cfg.Logger.Error("mpi: rank failed", "rank", world.Rank(), "err", err)
		}
	}()
	err = main(ctx, world)
}

// outcome collects how the ranks ended.
type outcome struct {
	ctx    context.Context
	cancel context.CancelCauseFunc

	mu       sync.Mutex
	failures []error // by rank
	echoes   int     // ranks that ended with the cause of a cancellation: somebody else's failure
}

func (o *outcome) fail(rank int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	cause := context.Cause(o.ctx)
	if cause != nil {
		if err = without(err, cause); err == nil {
			o.echoes++
			return
		}
	}
	o.failures[rank] = &RankError{rank, err}
	o.cancel(err)
}

// without takes the echoes of cause out of err, which may be joined of several: what is left is the rank's own.
func without(err, cause error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		if errors.Is(err, cause) || errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	}
	var own []error
	for _, e := range joined.Unwrap() {
		own = append(own, without(e, cause))
	}
	return errors.Join(own...)
}

// err is what Run returns: the ranks' own failures, and the cancellation that ended them if it came from none of them. A
// deadlock is returned even if every rank shrugs it off.
func (o *outcome) err() error {
	failed := errors.Join(o.failures...)
	cause := context.Cause(o.ctx)
	if errors.Is(cause, ErrDeadlock) || failed == nil && o.echoes > 0 {
		return errors.Join(failed, cause)
	}
	return failed
}
