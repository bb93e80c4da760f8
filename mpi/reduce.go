package mpi

// Reduce combines send of all ranks of c with op, element by element, into recv of rank root; recv of the others is
// ignored and may be nil. Ranks are combined in their order and in one fixed bracketing, which depends on nothing but how
// many they are: results are reproducible, the same for every root, and equal to those of [Allreduce]. At the root
// [InPlace] may stand for send. Errors: [ErrCount] if recv of the root is not as long as send, [ErrOp], [ErrRoot],
// [ErrMismatch], [ErrComm], [ErrType]. Cost: n-1 messages, log2(n) in turn, and one more if root is not 0
// (MPI 4.1, 6.9.1).
func Reduce[T Elem](c *Comm, send, recv []T, op *Op, root int) error {
	return wait(c.reduce("Reduce", viewOf(send), viewOf(recv), op, root))
}

// Ireduce starts [Reduce]. Both buffers belong to the request until it is complete (MPI 4.1, 6.12.7).
func Ireduce[T Elem](c *Comm, send, recv []T, op *Op, root int) (*Request, error) {
	return c.reduce("Ireduce", viewOf(send), viewOf(recv), op, root)
}

func (c *Comm) reduce(verb string, send, recv view, op *Op, root int) (*Request, error) {
	if err := c.check(verb); err != nil {
		return nil, err
	}
	if c.Rank() != root {
		recv = view{elem: send.elem}
	} else if send.isInPlace(recv) {
		send = recv
	}
	k, err := c.beginFold(verb, send, recv, op, root, c.Rank() == root)
	if err != nil {
		return nil, err
	}
	sum := k.gatherFold(c, send, recv)
	switch me := c.Rank(); {
	case me == root && me == 0:
		k.copy(recv, sum)
	case me == 0:
		k.send(root, sum)
	case me == root:
		k.fence() // recv may have been an operand until here
		k.recv(0, recv)
	}
	return k.launch(), nil
}

// beginFold is begin for reductions: it finds the operation, and checks recv's length if it is used.
func (c *Comm) beginFold(verb string, send, recv view, op *Op, root int, usesRecv bool) (*collective, error) {
	f, err := op.on(verb, send.elem)
	if err != nil {
		return nil, err
	}
	if usesRecv && recv.count != send.count {
		return nil, misuse(verb, ErrCount, "%d elements sent, room for %d", send.count, recv.count)
	}
	k, err := c.begin(signature{verb: verb, root: root, count: send.count, size: send.elem.size, op: op.name}, send)
	if err != nil {
		return nil, err
	}
	k.fold = f
	return k, nil
}

// gatherFold compiles the combination of all ranks' send at rank 0, and returns where it is; on other ranks the last step
// is the send of what they contribute. It may use recv, which may be empty, as working memory.
//
// In round b (1, 2, 4 …) rank r holds the combination of ranks r to r+b-1. If bit b of r is set it sends that to r-b;
// otherwise it receives that of ranks r+b to r+2b-1 and folds its own into it: the received part is the right operand, so
// the result takes its place, and the old place is free for the next round.
func (k *collective) gatherFold(c *Comm, send, recv view) view {
	me, n := c.Rank(), c.Size()
	acc := send
	spare := [2]view{recv}
	usable := func(v view) bool { return v.elem != nil && v.count >= send.count && v.ptr != acc.ptr }
	for bit := 1; bit < n; bit <<= 1 {
		if me&bit != 0 {
			k.send(me-bit, acc)
			break
		}
		if me+bit >= n {
			continue
		}
		into := &spare[0]
		if !usable(*into) {
			into = &spare[1]
		}
		if !usable(*into) {
			*into = send.like(send.count)
		}
		k.recv(me+bit, *into)
		k.fence()
		k.combine(acc, *into)
		acc = *into
	}
	return acc
}
