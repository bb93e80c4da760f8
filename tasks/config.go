package tasks

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"

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

	// Observer, for tools, hears what becomes of every task. nil is off.
	Observer Observer

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

// What only a mistake exceeds.
const (
	maxWorkers  = 1 << 16
	maxThrottle = 1 << 30
)

// defaultThrottle tasks of about half a KiB fit a second-level cache of 1 MiB beside the program's data.
const defaultThrottle = 512

// Effective returns c as [New] takes it: every zero value replaced by what it stands for, or the error that New returns.
// It starts nothing, so a tool can tell what a program would get. Effective of the result is the result; its Pick,
// Trace and Observer are those of c.
func (c Config) Effective() (Config, error) {
	if c.Workers < 0 || c.Workers > maxWorkers {
		return Config{}, fmt.Errorf("tasks: Config.Workers is %d, want 0 to %d", c.Workers, maxWorkers)
	}
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
		if c.Pick != nil || c.Serial {
			c.Workers = 1
		}
	}
	if c.Serial && (c.Workers != 1 || c.Pick != nil) {
		return Config{}, fmt.Errorf("tasks: Config.Serial needs Workers 1, not %d, and no Pick", c.Workers)
	}
	if c.Pick != nil && c.Workers != 1 {
		return Config{}, fmt.Errorf("tasks: Config.Pick needs Workers 1, not %d", c.Workers)
	}
	if c.Throttle > maxThrottle {
		return Config{}, fmt.Errorf("tasks: Config.Throttle is %d, want at most %d", c.Throttle, maxThrottle)
	}
	if !tracing.Built && c.Trace != nil {
		return Config{}, errors.New("tasks: Config.Trace is set, and this build (tag notrace) records nothing")
	}
	if !tracing.Built && c.Observer != nil {
		return Config{}, errors.New("tasks: Config.Observer is set, and this build (tag notrace) observes nothing")
	}
	switch {
	case c.Throttle == 0:
		c.Throttle = defaultThrottle
	case c.Throttle < 0:
		c.Throttle = -1 // the runtime keeps 32 bits of it
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c, nil
}
