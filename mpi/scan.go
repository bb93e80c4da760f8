package mpi

// Scan gives each rank in recv the combination, with op, of send of rank 0 to its own. [InPlace] may stand for send. Errors
// as for [Reduce]. Cost: at most log2(n) messages a rank, in turn (MPI 4.1, 6.11.1).
func Scan[T Elem](c *Comm, send, recv []T, op *Op) error {
	return wait(c.scan("Scan", viewOf(send), viewOf(recv), op))
}

// Iscan starts [Scan]. Both buffers belong to the request until it is complete (MPI 4.1, 6.12.11).
func Iscan[T Elem](c *Comm, send, recv []T, op *Op) (*Request, error) {
	return c.scan("Iscan", viewOf(send), viewOf(recv), op)
}

// Exscan gives each rank in recv the combination, with op, of send of all ranks below it. recv of rank 0 is left alone.
// [InPlace] may stand for send. Errors and cost as for [Scan] (MPI 4.1, 6.11.2).
func Exscan[T Elem](c *Comm, send, recv []T, op *Op) error {
	return wait(c.exscan("Exscan", viewOf(send), viewOf(recv), op))
}

// Iexscan starts [Exscan]. Both buffers belong to the request until it is complete (MPI 4.1, 6.12.12).
func Iexscan[T Elem](c *Comm, send, recv []T, op *Op) (*Request, error) {
	return c.exscan("Iexscan", viewOf(send), viewOf(recv), op)
}

// Both scans double: before the round of distance b, rank r holds in window the combination of the last b ranks up to
// itself. It passes that to rank r+b, and folds in from the left what rank r-b passes. The last window of a rank is its
// inclusive prefix.

func (c *Comm) scan(verb string, send, recv view, op *Op) (*Request, error) {
	if send.isInPlace(recv) {
		send = recv
	}
	k, err := c.beginFold(verb, send, recv, op, Undefined, true)
	if err != nil {
		return nil, err
	}
	k.copy(recv, send)
	k.double(c, recv, func(left view, _ bool) { k.combine(left, recv) })
	return k.launch(), nil
}

func (c *Comm) exscan(verb string, send, recv view, op *Op) (*Request, error) {
	if send.isInPlace(recv) {
		send = recv
	}
	k, err := c.beginFold(verb, send, recv, op, Undefined, true)
	if err != nil {
		return nil, err
	}
	window := send.like(send.count)
	k.copy(window, send)
	k.double(c, window, func(left view, first bool) {
		if first {
			k.copy(recv, left)
		} else {
			k.combine(left, recv)
		}
		k.combine(left, window)
	})
	return k.launch(), nil
}

// double compiles the rounds; take compiles what is done with each window received from the left.
func (k *collective) double(c *Comm, window view, take func(left view, first bool)) {
	me, n := c.Rank(), c.Size()
	var left view
	if me > 0 {
		left = window.like(window.count)
	}
	for b := 1; b < n; b <<= 1 {
		k.fence()
		if me+b < n {
			k.send(me+b, window)
		}
		if me >= b {
			k.recv(me-b, left)
			k.fence()
			take(left, b == 1)
		}
	}
}
