// Package reduce lets many tasks contribute to one result at the same time: each works on a private copy, and the copies
// are combined before anybody reads the result.
//
//	tasks.Spawn(t, func(t *tasks.Task) { *reduce.Local(t, &sum) += part }, reduce.Sum(&sum))
//
// [Sum], [Prod], [Min], [Max], [And], [Or], [Xor], [LogicalAnd], [LogicalOr], [LogicalXor] and [LogicalNxor] make a
// reduction access of a variable, their …Slice forms one of an array, [With] and [WithSlice] one of any type with an
// operator of the user's. It is a clause like deps.In, and deps.Weak applies to it.
//
// # Scope
//
// The first reduction access to an item opens a scope; accesses to the same item with the same operator join it. They are
// ordered neither among each other nor after earlier readers and writers of the item, because they do not touch it: only
// the combination waits for those. The scope is closed by any other access to the item (an access with another operator
// included), by a taskwait, and by the end of the parent, unless the parent's own access is a weak reduction with
// that operator: then the children of both share one scope. Who comes next sees the combined result, in which the value
// that the item had before takes part once.
//
// # Copies
//
// [Local] and [LocalSlice] give a running task its copy. New copies hold the operator's neutral element, others what
// earlier tasks of the scope left there, so a body updates its copy and does not set it. A copy belongs to a task from
// its start to its completion, not to a processor: bodies may wait, suspend and spawn while they hold one. When the task
// completes, the next takes the copy over, so a scope has as many copies as tasks that held one at once, not as it had tasks.
//
// # Combination
//
// Large arrays are combined in pieces by several workers. The order is not defined, and sums of floating-point numbers
// may differ from run to run in their last bits. [Ordered] fixes it to the order of the program, at the price of a copy
// for each task.
//
// The package plugs into deps through an interface that deps declares; tasks does not know it.
package reduce
