// Package reduce will provide reductions: many tasks contribute to one result at the same time, each on a private copy,
// and the copies are combined before anyone reads the result.
//
// Planned; there is no code here yet. The model is that of OmpSs-2:
//
//   - Sum, Prod, Min, Max, And, Or, Xor, LogicalAnd and LogicalOr make a reduction access of a variable, their …Slice
//     forms of an array, and With of any type with an operator of the user's. A reduction access is a clause like
//     deps.In; deps.Weak applies to it.
//   - Tasks with the same operator on the same region are not ordered among each other. A task with any other access to the
//     region waits for all of them, and sees the combined result.
//   - Local gives a running task its private copy, which starts at the operator's neutral value. Copies belong to workers
//     rather than to tasks, so a thousand tasks on eight cores need eight of them. A task that suspends keeps its copy.
//   - The variable's value before the first of the tasks takes part in the result, once.
//
// The order of combination is not defined. Sums of floating-point numbers may differ from run to run in their last bits.
//
// The package plugs into deps through an interface that deps declares; tasks does not know it.
package reduce
