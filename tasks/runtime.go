package tasks

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/internal/spare"
	"github.com/gompss/gompss/internal/tracing"
	"github.com/gompss/gompss/trace"
)

// Config sets up a [Runtime]. Every zero value is a good default.
type Config struct {
	// Workers is the number of slots: bodies that may run at once. 0 is GOMAXPROCS.
	Workers int

	// Throttle bounds creation: a body with more children than this that are neither complete nor blocked gives its
	// slot to ready tasks until half of them are done, or until none is ready; with four times as many it goes on only
	// when for some milliseconds none completed. 0 is a default that keeps the tasks of one creator in the second-level
	// cache; negative is no bound.
	Throttle int

	// Trace records what happens; nil is off. When Run has returned, all of its tasks are in the recording; the rest of
	// the workers' rows, idleness above all, is complete after Close.
	Trace *trace.Recorder

	// Logger hears of slots, runs and deadlocks; never of single tasks. nil is silent.
	Logger *slog.Logger

	// Serial, for tests, is serial elision: every body runs at its Spawn, on the creator's stack, in program order,
	// as with [If](false). A body whose accesses wait for the event of a [Task.Hold] waits for it there. It needs
	// Workers 1 and excludes Pick.
	Serial bool

	// Pick, for tests, chooses the next of n ready tasks: it is called with n ≥ 1, by one goroutine at a time, and
	// returns an index below n; 0 is the one that became ready first. It needs Workers 1. nil is the real scheduler.
	// In race builds it is called hidden from the detector and must carry //go:norace.
	Pick func(n int) int
}

// defaultThrottle tasks of about half a KiB fit a second-level cache of 1 MiB beside the program's data.
const defaultThrottle = 512

// maxWorkers bounds Workers to what can only be a mistake.
const maxWorkers = 1 << 16

// Runtime runs tasks on a fixed number of slots. It is safe for concurrent use. Several Run and Go may be under way at
// once; they share the slots.
type Runtime struct {
	cfg      Config
	throttle int32
	spare    *spare.Pool
	tokens   deps.Tokens
	slots    []*slot

	front queue // tasks that may go on after they blocked
	back  queue // tasks that yielded, and roots
	prio  heap  // tasks with a priority

	idle idleSlots
	// searching counts slots that look for work with nothing of their own; see idle.go.
	searching atomic.Int32

	// outside counts what only the world outside can end: Suspend, Sleep, Hold. inside counts what a Source ends.
	outside atomic.Int64
	inside  atomic.Int64
	sources sourceList

	ext       external
	ahead     workerList // creators that wait for their children to catch up
	criticals criticalList
	spares    freeTasks

	mu struct {
		sync.Mutex
		runs      *run // under way, chained by next
		active    int  // runs not yet complete, those not started included
		closed    bool
		unclaimed []error    // of Go without a callback
		empty     *sync.Cond // active is zero
	}
}

// New returns a runtime. It starts no goroutine before there is a task to run. It returns an error that names the
// field if cfg is not valid.
func New(cfg Config) (*Runtime, error) {
	if cfg.Workers < 0 || cfg.Workers > maxWorkers {
		return nil, fmt.Errorf("tasks: Config.Workers is %d, want 0 to %d", cfg.Workers, maxWorkers)
	}
	if cfg.Workers == 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
		if cfg.Pick != nil || cfg.Serial {
			cfg.Workers = 1
		}
	}
	if cfg.Serial && (cfg.Workers != 1 || cfg.Pick != nil) {
		return nil, fmt.Errorf("tasks: Config.Serial needs Workers 1, not %d, and no Pick", cfg.Workers)
	}
	if cfg.Pick != nil && cfg.Workers != 1 {
		return nil, fmt.Errorf("tasks: Config.Pick needs Workers 1, not %d", cfg.Workers)
	}
	if cfg.Throttle > 1<<30 {
		return nil, fmt.Errorf("tasks: Config.Throttle is %d, want at most 2^30", cfg.Throttle)
	}
	if !tracing.Built && cfg.Trace != nil {
		return nil, errors.New("tasks: Config.Trace is set, and this build (tag notrace) records nothing")
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	rt := &Runtime{cfg: cfg, throttle: int32(cfg.Throttle)}
	if cfg.Throttle == 0 {
		rt.throttle = defaultThrottle
	}
	rt.mu.empty = sync.NewCond(&rt.mu)
	rt.spare = spare.New(cfg.Workers)
	rt.slots = make([]*slot, cfg.Workers)
	for i := range rt.slots {
		rt.slots[i] = rt.newSlot(i)
		rt.slots[i].traceIdle(true)
		rt.slots[i].publishTrace()
	}
	rt.ext.slot = rt.newSlot(-1)
	for i := len(rt.slots) - 1; i >= 0; i-- {
		rt.idle.push(rt.slots[i])
	}
	rt.prio.top.Store(noPriority)
	cfg.Logger.Debug("tasks: runtime", "workers", cfg.Workers, "throttle", rt.throttle, "race", race.Enabled)
	return rt, nil
}

// Workers returns the number of slots.
func (rt *Runtime) Workers() int { return len(rt.slots) }

// Close waits for all runs to end and releases the runtime's goroutines. It returns the errors of tasks that [Runtime.Go]
// started without a callback, once. Later calls of Run return [ErrClosed]. Close may be called again, and by several
// goroutines, but not from a body.
func (rt *Runtime) Close() error {
	rt.mu.Lock()
	first := !rt.mu.closed
	rt.mu.closed = true
	for rt.mu.active > 0 {
		rt.mu.empty.Wait()
	}
	rt.mu.Unlock()
	// The last slots are on their way to idleness, and publish what they recorded before they get there.
	for int(rt.idle.n.Load()) < len(rt.slots) {
		runtime.Gosched()
	}
	if first {
		rt.spare.Close()
	}
	rt.mu.Lock()
	defer rt.mu.Unlock()
	err := errors.Join(rt.mu.unclaimed...)
	rt.mu.unclaimed = nil
	return err
}
