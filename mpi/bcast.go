package mpi

// Bcast copies buf of rank root into buf of all ranks of c. Ranks must agree on its length. The root does not wait for the
// others, nor do ranks that pass the message on: for those that have not arrived, a copy is kept, up to 4 MiB a rank and
// always the first. Errors: [ErrRoot], [ErrMismatch], [ErrComm], [ErrType]. Cost: n-1 messages, log2(n) in turn
// (MPI 4.1, 6.4).
func Bcast[T Elem](c *Comm, buf []T, root int) error {
	return wait(c.bcast("Bcast", viewOf(buf), root))
}

// Ibcast starts [Bcast]. buf belongs to the request until it is complete (MPI 4.1, 6.12.2).
func Ibcast[T Elem](c *Comm, buf []T, root int) (*Request, error) {
	return c.bcast("Ibcast", viewOf(buf), root)
}

func (c *Comm) bcast(verb string, v view, root int) (*Request, error) {
	k, err := c.begin(signature{verb: verb, root: root, count: v.count, size: v.elem.size}, v)
	if err != nil {
		return nil, err
	}
	k.spread(c, v, root)
	return k.launch(), nil
}

// spread compiles a binomial tree from root: counted from root, rank r gets v from the rank with r's lowest bit cleared,
// and passes it on to those that have one lower bit more, the largest subtree first.
func (k *collective) spread(c *Comm, v view, root int) {
	n := c.Size()
	me := (c.Rank() - root + n) % n
	bit := 1
	for bit < n && me&bit == 0 {
		bit <<= 1
	}
	if me > 0 {
		k.recv((me-bit+root)%n, v)
		k.fence()
	}
	for bit >>= 1; bit > 0; bit >>= 1 {
		if me+bit < n {
			k.relay((me+bit+root)%n, v)
		}
	}
}
