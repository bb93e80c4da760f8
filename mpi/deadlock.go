package mpi

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"time"
)

// Deadlock detection.
//
// The world is deadlocked when every rank is idle (rest.go), an operation is pending, and no goroutine is left that could
// start the other side of one. The supervisor looks in three steps:
//
//  1. Every sampleEvery it reads each rank's state. Nothing else is asked of the ranks, so the check costs them only the
//     two counters they keep when they park.
//  2. When two successive samples find all ranks idle and their versions unchanged, all ranks were idle together at some
//     moment between the two: each was idle from its first reading to its second.
//  3. Someone outside the ranks' mains may still send: a goroutine of the user's. So all goroutines of the process are
//     listed, and if any but the supervisor is running, runnable, sleeping, in a system call or waiting for input, the
//     answer is put off, and the question asked again every recheckEvery. A message that has completed an operation whose
//     goroutine has not woken yet shows here as well, as a runnable goroutine.
//
// Then the world is cancelled with a DeadlockError.
//
// Limits. A goroutine blocked on a channel or lock counts as unable to go on, so a program in which only a timer
// (time.AfterFunc, or a select with time.After) or a second world in the same process will lead to the missing send is
// taken for deadlocked; it attaches an Activity or sets Config.NoDeadlockCheck. Conversely any goroutine that sleeps or
// waits for input hides a deadlock for as long as it does: a server's listener, or go test while it reads the output of an
// Example. The listing stops the world for about a microsecond a goroutine; it happens only when all ranks are idle, once
// a second at most.
const (
	sampleEvery  = 40 * time.Millisecond
	recheckEvery = time.Second
	maxListing   = 256 << 20 // bytes; a process with more goroutines than fit is never called deadlocked
)

// DeadlockError reports ranks that wait for each other. It satisfies errors.Is(err, [ErrDeadlock]).
type DeadlockError struct {
	Pending []PendingOp // what waits, by rank
	details string      // what Dump writes
}

func (e *DeadlockError) Error() string {
	return "mpi: deadlock: all ranks are idle and nothing can go on\n" + strings.TrimRight(e.details, "\n")
}

// Unwrap returns [ErrDeadlock].
func (e *DeadlockError) Unwrap() error { return ErrDeadlock }

// supervise aborts the world when ctx is cancelled, and cancels it when the ranks deadlock. It returns when over is
// closed, or after the abort.
func (w *world) supervise(ctx context.Context, cancel context.CancelCauseFunc, over <-chan struct{}) {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	if w.cfg.NoDeadlockCheck {
		tick.Stop()
	}
	var last uint64 // the previous sample's version, if that found all idle
	idle := false
	var notBefore time.Time
	for {
		select {
		case <-over:
			return
		case <-ctx.Done():
			w.abort(context.Cause(ctx))
			return
		case now := <-tick.C:
			wasIdle, before := idle, last
			if idle, last = w.allIdle(); !idle || !wasIdle || last != before {
				notBefore = time.Time{}
				continue
			}
			if now.Before(notBefore) {
				continue
			}
			if err := w.findDeadlock(); err != nil {
				w.cfg.Logger.Error("mpi: deadlock", "err", err)
				cancel(err)
			}
			notBefore = now.Add(recheckEvery)
		}
	}
}

// allIdle reports whether every rank was idle when it was looked at, and the sum of their versions, which only grows.
func (w *world) allIdle() (bool, uint64) {
	var sum uint64
	for _, p := range w.procs {
		idle, version := p.rest.idle()
		if !idle {
			return false, 0
		}
		sum += version
	}
	return true, sum
}

// findDeadlock makes the third step. The pending operations are read first: if a goroutine that the listing misses, because
// it ended just before, completed one of them, then its owner is runnable and is seen.
func (w *world) findDeadlock() error {
	pending := w.pending()
	if len(pending) == 0 || othersCanRun() {
		return nil
	}
	var details strings.Builder
	w.dump(&details)
	return &DeadlockError{Pending: pending, details: details.String()}
}

// othersCanRun tells whether a goroutine other than the caller may do something by itself. If in doubt, it may.
func othersCanRun() bool {
	buf := make([]byte, 64<<10)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			buf = buf[:n]
			break
		}
		if len(buf) >= maxListing {
			return true
		}
		buf = make([]byte, 4*len(buf))
	}
	first := true
	for g := range bytes.SplitSeq(buf, []byte("\n\n")) {
		if first { // the caller comes first
			first = false
			continue
		}
		if !blocked(g) {
			return true
		}
	}
	return false
}

// blockedStates are the states, as listed, in which a goroutine waits for another one.
var blockedStates = []string{"chan ", "select", "semacquire", "sync.", "coroutine", "finalizer wait", "cleanup wait", "trace reader"}

// blocked tells whether the goroutine listed as g waits for another one:
//
//	goroutine 18 [chan receive, 2 minutes]:
func blocked(g []byte) bool {
	if bytes.Contains(g, []byte("\ngithub.com/gompss/gompss/tasks.(*Task).Sleep(")) {
		return false // parked on a channel, but a timer will wake it
	}
	_, state, ok := bytes.Cut(g, []byte("["))
	if !ok {
		return true // the end of the listing
	}
	for _, s := range blockedStates {
		if bytes.HasPrefix(state, []byte(s)) {
			return true
		}
	}
	return bytes.Contains(g, []byte("\nos/signal.signal_recv(")) // waits in a system call until the process gets a signal
}
