// Package worksharing will provide loops for tasks: work that is one unit for the dependencies and many for the cores.
//
// Planned; there is no code here yet. Three forms, for three needs:
//
//   - For is one task whose iterations are shared among workers. It becomes ready once, releases its accesses once, and
//     costs one spawn plus one atomic operation for each range of iterations: no task per chunk, no barrier. It is for
//     regular loops inside a graph of tasks.
//   - Loop is a task that spawns a task for each range of iterations (taskloop). Each has accesses of its own, which a
//     function computes from the range, so ranges of one loop and of the next can overlap in time.
//   - Iter and IterWhile run a graph of tasks again and again (taskiter). The body runs once, to record the tasks and their
//     dependencies; from then on they are run as a cyclic graph, without spawning and without matching accesses.
//     Index tells a task which iteration it runs for.
//
// Ranges are half-open, [lo, hi), and together cover [0, n) exactly once.
//
// The package is built on tasks and deps and needs nothing from them that a user could not use.
package worksharing
