// Package deps is what a task touches and who must wait: accesses, domains and the access automaton. It has no
// goroutine, clock, queue or worker. Events go in — a task is created, gives an item up, fails — and tasks that became
// ready come out, as a list of the caller's nodes. Package tasks drives it; programs use only the constructors.
//
// # For programs
//
// A task declares items: [In], [Out], [InOut], [Concurrent], [Commutative], their …Slice forms for slices, …Tile and
// …Section forms for parts of row-major arrays, the reductions of package reduce, and [Weak] around any of them. An item
// is some bytes of memory. Accesses to the same bytes by the children of one task are ordered as if they ran one after
// the other as written:
//
//	              after in    after out, inout   after concurrent   after commutative
//	in            together    waits              waits              waits
//	out, inout    waits       waits              waits              waits
//	concurrent    waits       waits              together           waits
//	commutative   waits       waits              waits              one at a time, any order
//
// Children of different tasks are ordered through what their parents declared. If the parent declared the item, its
// children stand in its place: the first of them starts where the parent could, and the task after the parent waits
// for the last of them, not for the parent as a whole. A parent that leaves the item to its children declares it weak
// and does not wait itself. So nesting never costs order or parallelism against a flat program. A child that uses
// what its parent did not declare is ordered among its siblings only.
//
// Items may overlap in any way: what counts is each byte. Equal items are found at once; one that overlaps others without
// being equal to any costs a search and a lock for each, and order that is finer than tasks in return: who needs a part
// waits for that part.
//
// A reduction is ordered as a whole: its tasks wait for nobody, and what waits, and is waited for, is the combination of
// their private copies (scope.go).
//
// # For the runtime
//
// [Node] is a task's side of it, [Mailbox] a worker's, [Tokens] what all workers share. automaton.go has the algorithm
// and why it is right, fragments.go how an access falls into parts that have fates of their own, domain.go and table.go
// how items are found, region.go what happens when they overlap, scope.go reductions, token.go mutual exclusion of
// commutatives, mark.go how failures travel with the data, hb_on.go what race builds tell the detector.
//
// The design follows the wait-free dependency system of Nanos6 (Álvarez et al., "Advanced synchronization techniques
// for task-based runtime systems", PPoPP 2021) in its idea: set-once flags, messages owned by who completes their
// condition, a mailbox instead of recursion, a tail map owned by one goroutine.
package deps
