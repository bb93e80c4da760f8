package mpi

// Allgather collects send of all ranks of c in recv of all ranks, in the order of the ranks. All send the same number of
// elements. [InPlace] may stand for send: each rank's part is in its place in its recv. Errors: [ErrCount], [ErrMismatch],
// [ErrComm], [ErrType]. Cost: 2(n-1) messages for short parts, n(n-1) for long ones (MPI 4.1, 6.7).
func Allgather[T Elem](c *Comm, send, recv []T) error {
	return wait(c.allgather("Allgather", viewOf(send), viewOf(recv)))
}

// Iallgather starts [Allgather]. Both buffers belong to the request until it is complete (MPI 4.1, 6.12.5).
func Iallgather[T Elem](c *Comm, send, recv []T) (*Request, error) {
	return c.allgather("Iallgather", viewOf(send), viewOf(recv))
}

// ringFrom is the length of a part, in bytes, from which the parts go round in a ring: every rank then copies all the time,
// where a tree leaves most of them waiting for the whole.
const ringFrom = 16 << 10

func (c *Comm) allgather(verb string, send, recv view) (*Request, error) {
	if err := c.check(verb); err != nil {
		return nil, err
	}
	part, err := c.ownPart(verb, send, recv)
	if err != nil {
		return nil, err
	}
	k, err := c.begin(signature{verb: verb, root: Undefined, count: part.count, size: part.elem.size}, part)
	if err != nil {
		return nil, err
	}
	me, n := c.Rank(), c.Size()
	block := func(r int) view { r = (r + n) % n; return recv.part(r*part.count, (r+1)*part.count) }
	switch {
	case part.bytes() >= ringFrom:
		k.copy(block(me), part)
		for i := range n - 1 {
			k.send((me+1)%n, block(me-i))
			k.recv((me-1+n)%n, block(me-i-1))
			k.fence()
		}
	case me == 0:
		k.copy(block(me), part)
		k.collect(recv, part.count, me, n)
		k.fence()
		k.spread(c, recv, 0)
	default:
		k.send(0, part)
		if part.ptr == block(me).ptr {
			k.fence() // recv is being sent until here
		}
		k.spread(c, recv, 0)
	}
	return k.launch(), nil
}
