package mpi

// Scatter deals send of rank root out to recv of all ranks of c, in the order of the ranks: as many elements to each as its
// recv is long, which must be the same everywhere. send of the others is ignored and may be nil. At the root [InPlace] may
// stand for recv: its part stays where it is. The root does not wait for the others, as in [Bcast]. Errors and cost as for
// [Gather] (MPI 4.1, 6.6).
func Scatter[T Elem](c *Comm, send, recv []T, root int) error {
	return wait(c.scatter("Scatter", viewOf(send), viewOf(recv), root))
}

// Iscatter starts [Scatter]. Both buffers belong to the request until it is complete (MPI 4.1, 6.12.4).
func Iscatter[T Elem](c *Comm, send, recv []T, root int) (*Request, error) {
	return c.scatter("Iscatter", viewOf(send), viewOf(recv), root)
}

func (c *Comm) scatter(verb string, send, recv view, root int) (*Request, error) {
	if err := c.check(verb); err != nil {
		return nil, err
	}
	me, n := c.Rank(), c.Size()
	part := recv
	if me == root {
		var err error
		if part, err = c.ownPart(verb, recv, send); err != nil {
			return nil, err
		}
	}
	k, err := c.begin(signature{verb: verb, root: root, count: part.count, size: part.elem.size}, part)
	if err != nil {
		return nil, err
	}
	if me != root {
		k.recv(root, part)
		return k.launch(), nil
	}
	k.copy(part, send.part(me*part.count, (me+1)*part.count))
	for r := range n {
		if r != me {
			k.relay(r, send.part(r*part.count, (r+1)*part.count))
		}
	}
	return k.launch(), nil
}
