// Package spare keeps goroutines at hand for workers that replace a blocked one.
//
// A task body that blocks keeps its goroutine and passes its slot to another worker. A goroutine kept for that takes over
// without an allocation and with a stack that has already grown, which is where a new goroutine loses its time: a round
// trip to a body that needs 16 KB of stack takes 1.1 µs instead of 4.6 µs, to one that needs next to none 0.5 µs instead of
// 0.4 µs (BenchmarkRoundTrip). They are kept by a pool of the ants library, with its traps closed:
//
//   - A full ants pool makes the caller wait, which deadlocks when those inside wait for the caller. Ours never waits: what
//     finds no goroutine at hand gets one from a go statement.
//   - ants turns a panic into a log line. Ours ends the process with the stack of the panic, as a goroutine would.
//   - Importing ants starts two goroutines for its default pool. The pool belongs to the program, which may use it, so
//     it is neither used nor released here, and no other package of this module imports ants.
//
// # Race builds
//
// A go statement, and a hand-over to a goroutine that waits, order what the caller did so far before all that the other
// goroutine will do, and a goroutine used again carries over what it did before. In tasks that are not declared to depend
// on each other the race detector must not see such orders, or it would miss the race between them. In race builds there
// is therefore no pool: each Runner gets a goroutine of its own, started by a launcher goroutine that learns of it
// hidden from the detector. So it comes after New, and after nothing else until it says so with race.Acquire.
package spare

// Runner is what a goroutine runs. It is an interface rather than a func so that handing over a long-lived object
// allocates nothing.
type Runner interface{ Run() }
