// Package tampi is Task-Aware MPI: it ties the requests of package mpi to tasks.
//
// Inside a task a blocking MPI call would keep the core that the task runs on, and with every core in such a call
// nobody is left to make the other side happen: the program deadlocks although its messages match. Here
//
//   - the blocking verbs (blocking mode: [Send], [Recv], [Wait], [Barrier] …) suspend the task. Its slot runs other
//     tasks until the operation is complete; then the call returns as the plain one would. A blocked task costs a
//     parked goroutine, so a hundred thousand may block.
//   - the non-blocking ones (non-blocking mode: [Iwait], [Iwaitall], and [Isend], [Irecv] and the collectives, which
//     start and bind in one) return at once and bind the task's completion to the request: its accesses are given up
//     when the body is over and all bound requests are complete. Buffers and statuses belong to the requests until
//     then, so they are declared as accesses of the task and read by its successors, not in the body.
//
// Every verb takes the task first. A nil task means "outside any task": the plain call.
//
// A blocking collective is blocking for the other ranks, too, task or not: tampi.Barrier on one rank meets mpi.Barrier on
// another. As in MPI it does not meet mpi.Ibarrier.
//
// Messages from tasks that no dependency orders have no order either. Give concurrent tasks different tags, and
// communicators of their own for collectives.
//
// # Errors
//
// A blocking verb returns the operation's error. In non-blocking mode an operation that fails after the verb returned
// fails the task: its dependents are skipped and the error comes out of Wait or Run. When the run is cancelled, receives
// that tasks wait for or are bound to are taken back, and verbs and bound tasks end with the cause; so they do with
// sends and collectives, which cannot be taken back and keep their buffers until the world ends.
//
// # Progress and deadlock
//
// In-process ranks make progress by themselves: who comes second, sender or receiver, moves the message and completes
// both sides, so nothing polls. When every slot of a runtime is idle and all that it waits for are messages, the rank
// counts as idle; when all ranks are, the run ends with mpi.ErrDeadlock, which names the operations.
//
// The words are those of TAMPI 3 (Sala et al., "Integrating blocking and non-blocking MPI primitives with task-based
// programming models", Parallel Computing 85, 2019), which later releases of TAMPI gave up in part.
package tampi
