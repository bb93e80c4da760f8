package mpi

// Alltoall sends block j of send to rank j of c, and receives block i of recv from rank i, for all ranks. Both buffers
// hold one block for each rank, of the same length everywhere. [InPlace] may stand for send. Errors: [ErrCount] if the
// buffers differ in length or do not divide by the ranks, [ErrMismatch], [ErrComm], [ErrType]. Cost: n-1 messages a rank,
// all open together (MPI 4.1, 6.8).
func Alltoall[T Elem](c *Comm, send, recv []T) error {
	return wait(c.alltoall("Alltoall", viewOf(send), viewOf(recv)))
}

// Ialltoall starts [Alltoall]. Both buffers belong to the request until it is complete (MPI 4.1, 6.12.6).
func Ialltoall[T Elem](c *Comm, send, recv []T) (*Request, error) {
	return c.alltoall("Ialltoall", viewOf(send), viewOf(recv))
}

func (c *Comm) alltoall(verb string, send, recv view) (*Request, error) {
	if err := c.check(verb); err != nil {
		return nil, err
	}
	me, n := c.Rank(), c.Size()
	inPlace := send.isInPlace(recv)
	if inPlace {
		send = recv
	}
	count := send.count / n
	if send.count != recv.count || send.count != n*count {
		return nil, misuse(verb, ErrCount, "%d elements sent and %d received in blocks for %d ranks", send.count, recv.count, n)
	}
	k, err := c.begin(signature{verb: verb, root: Undefined, count: count, size: send.elem.size}, send)
	if err != nil {
		return nil, err
	}
	if inPlace {
		send = recv.like(recv.count)
		k.copy(send, recv)
	}
	block := func(v view, r int) view { return v.part(r*count, (r+1)*count) }
	k.copy(block(recv, me), block(send, me))
	for i := 1; i < n; i++ { // each rank starts with another peer
		k.recv((me-i+n)%n, block(recv, (me-i+n)%n))
		k.send((me+i)%n, block(send, (me+i)%n))
	}
	return k.launch(), nil
}
