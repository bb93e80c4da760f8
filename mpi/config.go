package mpi

import (
	"fmt"
	"log/slog"

	"github.com/gompss/gompss/mpi/inproc"
	"github.com/gompss/gompss/trace"
)

// Config says how [Run] makes a world. Every zero value is a good default.
type Config struct {
	Ranks int // in-process ranks; 0 = 1

	// EagerLimit is the largest message, in bytes, that a standard send leaves in a buffer for a receive that has not been
	// posted yet, so that the sender goes on. 0 = 8 KiB. Negative = none, not even empty messages: every standard send then
	// waits for its receive, which shows programs that rely on buffering.
	EagerLimit int

	// EagerMemory bounds, for each pair of sender and receiver, the bytes so left, each message counted with 256 bytes
	// more. Standard sends beyond it wait for their receive. 0 = 128 KiB.
	EagerMemory int

	Trace  *trace.Recorder // nil = off
	Logger *slog.Logger    // nil = silent

	// NoDeadlockCheck switches off the search for ranks that wait for each other; see [ErrDeadlock].
	NoDeadlockCheck bool
}

const (
	defaultEagerLimit  = 8 << 10
	defaultEagerMemory = 128 << 10
)

// withDefaults returns c with its zero values replaced, or what is wrong with it.
func (c Config) withDefaults() (Config, error) {
	if c.Ranks < 0 || c.EagerMemory < 0 {
		return c, fmt.Errorf("mpi: Config: negative Ranks (%d) or EagerMemory (%d)", c.Ranks, c.EagerMemory)
	}
	c.Ranks = max(c.Ranks, 1)
	if c.EagerLimit == 0 {
		c.EagerLimit = defaultEagerLimit
	}
	if c.EagerMemory == 0 {
		c.EagerMemory = defaultEagerMemory
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c, nil
}

func (c Config) limits() inproc.Limits {
	return inproc.Limits{Eager: c.EagerLimit, Room: c.EagerMemory}
}
