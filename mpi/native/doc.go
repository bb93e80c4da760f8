// Package native will carry the messages of package mpi by an MPI library of the machine, such as Open MPI or MPICH: the
// transport for runs on more than one machine.
//
// Planned; there is no code here yet. Ranks inside one process (package mpi/inproc) are what works today.
//
// The design: the library is found when the program runs under its launcher (mpiexec, srun), or, where it cannot be loaded
// at run time, bound behind a build tag; the default build stays free of cgo. Messages keep the semantics of package mpi.
// Its buffers have no pointers inside, so they are handed to the library where they are, pinned until the request
// completes. One goroutine per rank drives progress and completes requests; no goroutine of the program waits inside the
// library.
package native
