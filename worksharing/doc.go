// Package worksharing runs loops in task programs: work that is one unit for the dependencies and many for the cores.
//
//	For    one task, whose iterations many cores run at once (task for)
//	Loop   a task per range of iterations, each with accesses of its own (taskloop); Loop2 and Loop3 over tiles
//	Iter   the same graph of tasks in every iteration, recorded once (taskiter); IterWhile until a condition fails
//
// [For] registers its clauses once, becomes ready once and completes once, when the last of its iterations is over.
// While it runs, any slot with nothing better to do joins in; a range of iterations costs one atomic operation, not a
// task. It is for regular loops inside a graph of tasks. A [Schedule] says how the iterations are handed out.
//
// [Loop] creates tasks, so ranges of one loop and of the next overlap in time as their accesses allow, and ranges may
// wait for different things. A range costs a task.
//
// [Iter] is for loops around all of that, time steps or sweeps of a solver: the body spawns what an iteration does, once.
// From then on an iteration creates nothing, and iterations overlap as their accesses allow.
//
// None of them waits: all return at once, like tasks.Spawn, and the task that calls them waits, if it wants to, with Wait.
// Ranges are half-open, [lo, hi), and together cover the iterations exactly once.
//
// The package is built on tasks and deps and needs nothing from them that a user could not use.
package worksharing
