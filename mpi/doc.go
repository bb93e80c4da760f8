// Package mpi passes messages between ranks, by the rules and names of MPI.
//
// [Run] makes a world of ranks that are goroutines of this process. Each has a [*Comm], the communicator it calls
// everything with. Point-to-point messages are matched on communicator, source and tag, never on type or length, and those
// that fit one receive are taken in the order sent:
//
//	err := mpi.Run(ctx, mpi.Config{Ranks: 2}, func(ctx context.Context, world *mpi.Comm) error {
//		x := []float64{1, 2, 3}
//		if world.Rank() == 0 {
//			return mpi.Send(world, x, 1, 7)
//		}
//		_, err := mpi.Recv(world, x, 0, 7)
//		return err
//	})
//
// The names and rules are those of MPI 4.1, sections of which are cited throughout. Communicators come first among the
// arguments, slices carry their length, and everything that can fail returns an error ([ErrTruncate] and its neighbours)
// instead of ending the program. Elements are any type without pointers ([Elem]).
//
// # Completion
//
// Every blocking call has a form that starts the operation and returns a [*Request]. The buffer belongs to the request
// until it is complete. [Request.Wait] and [Waitall], [Waitany], [Waitsome] and their Test forms complete requests for
// goroutines; [Request.OnDone] does for task runtimes.
//
// # Collectives
//
// All ranks of a communicator call its collectives in one order. They are matched by that order, blocking forms never
// with non-blocking ones, and never with point-to-point messages. Only what depends on other ranks' data waits for them:
// the root of a [Bcast] may be gone before the others arrive. Reductions combine the ranks in one fixed order, so a result is the same
// on all ranks and in every run. Ranks that disagree about what they call get [ErrMismatch].
//
// # Race builds
//
// With -race the detector is shown the order that messages make and no other: that two goroutines of a rank both call this
// package hides no race between them. A buffer that is touched while its request is in flight is reported.
//
// # Nothing waits for ever
//
// A rank that fails cancels the world, see [Run]. Ranks that wait for each other are reported as a [DeadlockError], which
// names what each waits for; [Comm.Dump] shows the same at any time.
//
// # Costs
//
// Between in-process ranks an 8-byte message takes a few hundred nanoseconds including the change of goroutine, and a
// large one is copied once. Small sends and matched blocking receives allocate nothing; a request costs one allocation.
package mpi
