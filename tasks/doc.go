// Package tasks runs tasks: functions that say what they read and write, in an order that follows from that, on a
// fixed number of cores.
//
//	rt, err := tasks.New(tasks.Config{})
//	err = rt.Run(ctx, func(t *tasks.Task) error {
//		tasks.Spawn(t, func() { x = 3 }, deps.Out(&x))
//		tasks.Spawn(t, func() { y = 2 * x }, deps.In(&x), deps.Out(&y))
//		return nil
//	})
//
// A task is created by [Spawn] in the body of its parent, runs when its accesses (package deps) allow, and is over
// when its body has returned and what it holds ([Task.Hold]) has ended. Then each of its accesses passes on by itself,
// at once or when the last child that uses the item lets go. It is deeply complete when all its children are, too;
// [Task.Wait] and [Runtime.Run] wait for that.
//
// # Slots, workers, tasks
//
// A slot is the right to run a body; there are Config.Workers. A worker is a goroutine that holds a slot. A body that
// waits or suspends keeps its goroutine and stack, passes its slot to a spare goroutine and parks; when it may go on,
// it queues for a slot. So never more bodies run than there are slots, and a blocked body costs one parked goroutine:
// a hundred thousand may block. Slot, worker and task are what Nanos6 calls CPU, thread and task.
//
// A body that blocks outside the runtime, on a channel or in a system call, keeps its slot. Two bodies that wait for
// each other that way may wait for ever on one slot; [Task.Suspend] is for that.
//
// # Order of ready tasks
//
// The best successor that a task frees runs next on the same slot; other ready tasks go to the slot's queue, from
// which it takes the newest and others steal the oldest. Tasks with a positive priority come first everywhere, the
// highest first, those with a negative one last. A body that may go on after waiting comes before new ones.
//
// # Errors
//
// A body fails by returning an error, by a panic or by ending its goroutine. Tasks ordered after one of its writing
// accesses that read what it wrote do not run: they are skipped and complete, and pass the failure on. Others are not
// touched. The error comes out of the Wait of the nearest ancestor that waits, or of Run, as a [*TaskError]; after
// that, or when an out has completed on it, the data count as good again. A cancelled context skips what has not
// started; the graph always drains. What can never proceed ends with [ErrDeadlock].
//
// # More than spawn and wait
//
// [Async] returns a [Future], a result that is also an item to depend on. [Task.Group] makes a group of children that is
// waited for and cancelled by itself, by a deadline for instance. [Runtime.Stream] runs independent functions one after the
// other. [NewVersions] is a task in several versions, of which the fastest is found.
//
// # Race builds
//
// With go test -race the detector sees only the order that the program declared, not the one that the runtime's own
// locks happen to make, and every body has a goroutine of its own: a missing access is reported even when the two
// tasks ran one after the other. That is slow and not for production, and it is how annotations are checked.
//
// # Cost
//
// An empty task costs about a tenth of a microsecond without accesses, more with each; docs/performance.md has figures.
package tasks
