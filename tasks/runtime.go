package tasks

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/internal/spare"
)

// Runtime runs tasks on a number of slots. It is safe for concurrent use. Several Run and Go may be under way at
// once; they share the slots.
type Runtime struct {
	cfg      Config
	numbered atomic.Uint64 // tasks, if there is an observer and no recording
	throttle int32
	target   atomic.Int32            // how many slots are wanted; stored under the lock of idle
	slots    atomic.Pointer[[]*slot] // all that there ever were; grows only
	spare    *spare.Pool
	tokens   deps.Tokens

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

	resizing  sync.Mutex // one SetWorkers at a time
	ext       external
	ahead     workerList // creators that wait for their children to catch up
	criticals criticalList
	streams   streams
	kinds     costKinds
	spares    freeTasks
	graphs    graphCounts

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
	cfg, err := cfg.Effective()
	if err != nil {
		return nil, err
	}
	rt := &Runtime{cfg: cfg, throttle: int32(cfg.Throttle)}
	rt.mu.empty = sync.NewCond(&rt.mu)
	rt.spare = spare.New(cfg.Workers)
	slots := make([]*slot, cfg.Workers)
	for i := range slots {
		slots[i] = rt.newSlot(i)
		slots[i].traceIdle(true)
		slots[i].publishTrace()
	}
	rt.ext.slot = rt.newSlot(-1)
	rt.slots.Store(&slots)
	rt.target.Store(int32(len(slots)))
	rt.idle.total.Store(int32(len(slots)))
	for i := len(slots) - 1; i >= 0; i-- {
		rt.idle.push(slots[i])
	}
	rt.prio.top.Store(noPriority)
	cfg.Logger.Debug("tasks: runtime", "workers", cfg.Workers, "throttle", rt.throttle, "race", race.Enabled)
	return rt, nil
}

// Workers returns the number of slots: Config.Workers, or what [Runtime.SetWorkers] said last.
//
//go:norace
func (rt *Runtime) Workers() int {
	race.Disable()
	defer race.Enable()
	return int(rt.target.Load())
}

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
	race.Acquire(unsafe.Pointer(&rt.mu.active))
	// The last slots are on their way to idleness, and publish what they recorded before they get there.
	for !rt.idle.all() {
		runtime.Gosched()
	}
	if first {
		rt.spare.Close()
	}
	rt.mu.Lock()
	defer rt.mu.Unlock()
	err := errors.Join(errors.Join(rt.mu.unclaimed...), rt.streams.errorsOf(0, true))
	rt.mu.unclaimed = nil
	return err
}
