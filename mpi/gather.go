package mpi

// Gather collects send of all ranks of c in recv of rank root, in the order of the ranks. All send the same number of
// elements, and recv of the root has room for all; recv of the others is ignored and may be nil. At the root [InPlace] may
// stand for send: its part is in its place in recv. Errors: [ErrCount], [ErrRoot], [ErrMismatch], [ErrComm], [ErrType].
// Cost: n-1 messages straight to the root (MPI 4.1, 6.5).
func Gather[T Elem](c *Comm, send, recv []T, root int) error {
	return wait(c.gather("Gather", viewOf(send), viewOf(recv), root))
}

// Igather starts [Gather]. Both buffers belong to the request until it is complete (MPI 4.1, 6.12.3).
func Igather[T Elem](c *Comm, send, recv []T, root int) (*Request, error) {
	return c.gather("Igather", viewOf(send), viewOf(recv), root)
}

// gather is linear: a tree would need as many messages and copy most parts more than once.
func (c *Comm) gather(verb string, send, recv view, root int) (*Request, error) {
	if err := c.check(verb); err != nil {
		return nil, err
	}
	me, n := c.Rank(), c.Size()
	part := send
	if me == root {
		var err error
		if part, err = c.ownPart(verb, send, recv); err != nil {
			return nil, err
		}
	}
	k, err := c.begin(signature{verb: verb, root: root, count: part.count, size: part.elem.size}, part)
	if err != nil {
		return nil, err
	}
	if me == root {
		k.collect(recv, part.count, me, n)
		k.copy(recv.part(me*part.count, (me+1)*part.count), part)
	} else {
		k.send(root, part)
	}
	return k.launch(), nil
}

// ownPart returns what the calling rank contributes to whole, which has room for the parts of all ranks: part itself, or
// its place in whole.
func (c *Comm) ownPart(verb string, part, whole view) (view, error) {
	me, n := c.Rank(), c.Size()
	if part.isInPlace(whole) {
		count := whole.count / n
		part = whole.part(me*count, (me+1)*count)
	}
	if whole.count != n*part.count {
		return part, misuse(verb, ErrCount, "%d elements for %d ranks of %d", whole.count, n, part.count)
	}
	return part, nil
}

// collect compiles the receives of all other ranks' parts into whole.
func (k *collective) collect(whole view, count, me, n int) {
	for r := range n {
		if r != me {
			k.recv(r, whole.part(r*count, (r+1)*count))
		}
	}
}
