package mpi

// Allreduce combines send of all ranks of c with op, element by element, into recv of all ranks, which get the same bits:
// those of [Reduce]. [InPlace] may stand for send, on all ranks or some. Errors as for Reduce. Cost: 2(n-1) messages,
// 2·log2(n) in turn (MPI 4.1, 6.9.6).
func Allreduce[T Elem](c *Comm, send, recv []T, op *Op) error {
	return wait(c.allreduce("Allreduce", viewOf(send), viewOf(recv), op))
}

// Iallreduce starts [Allreduce]. Both buffers belong to the request until it is complete (MPI 4.1, 6.12.8).
func Iallreduce[T Elem](c *Comm, send, recv []T, op *Op) (*Request, error) {
	return c.allreduce("Iallreduce", viewOf(send), viewOf(recv), op)
}

// allreduce combines at rank 0 and spreads the result. Recursive doubling has half the depth but combines n·log2(n)
// vectors instead of n-1, and with ranks in one process all of that is done by the same cores.
func (c *Comm) allreduce(verb string, send, recv view, op *Op) (*Request, error) {
	if send.isInPlace(recv) {
		send = recv
	}
	k, err := c.beginFold(verb, send, recv, op, Undefined, true)
	if err != nil {
		return nil, err
	}
	sum := k.gatherFold(c, send, recv)
	switch {
	case c.Rank() == 0:
		k.copy(recv, sum)
	case sum.ptr == recv.ptr:
		k.fence() // recv is being sent until here
	}
	k.spread(c, recv, 0)
	return k.launch(), nil
}
