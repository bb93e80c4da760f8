// Package transport is the vocabulary between package mpi and whatever carries its messages.
//
// The boundary lies at MPI's point-to-point operations: an [Op] is one send, receive or probe with an MPI envelope
// (communicator context, source, tag), and an [Endpoint] matches and moves them. Everything above it — requests,
// collectives, communicators — is written once in package mpi; everything below it — queues, copies, a wire — belongs to
// the transport. An endpoint that hands operations to a real MPI library needs no matching of its own.
//
// # Completion
//
// A transport never calls back while it holds a lock. [Endpoint.Start], [Endpoint.Cancel] and [Endpoint.Abort] return
// the operations that became complete through the call, as a list linked by [Op.Next], and the caller passes that list to
// [Complete]. Completing one operation may start others (the next round of a collective); those are returned the same
// way and join the list, so a chain of completions through any number of ranks takes constant stack.
//
// # Race builds
//
// A transport is called hidden from Go's race detector (see internal/race): neither its locks nor its copies are seen. The
// caller of [Endpoint.Start] has told the detector what comes before the operation ([Op.Post]), and the transport only
// notes whose Post orders the completion of the other end: it fills [Result].HB from [Op.Origin], and calls [Op.Met] for a
// synchronous send.
package transport
