package mpi

// Barrier returns when all ranks of c have called it. It is the only collective whose purpose is to wait. Cost: 2(n-1)
// empty messages, of which a rank waits for 2·log2(n) in turn (MPI 4.1, 6.3).
func Barrier(c *Comm) error { return wait(c.barrier("Barrier")) }

// Ibarrier starts [Barrier]: the request completes when all ranks have called it (MPI 4.1, 6.12.1).
func Ibarrier(c *Comm) (*Request, error) { return c.barrier("Ibarrier") }

// barrier gathers empty messages up the tree of reductions, and spreads them down the tree of broadcasts. A dissemination
// barrier has half the depth but n·log2(n) messages: with ranks in one process, where the last to arrive does the work of
// those that wait, the number of messages is what counts.
func (c *Comm) barrier(verb string) (*Request, error) {
	k, err := c.begin(signature{verb: verb, root: Undefined, count: Undefined})
	if err != nil {
		return nil, err
	}
	empty := view{elem: elemUint8}
	me, n := c.Rank(), c.Size()
	for bit := 1; bit < n && me&bit == 0; bit <<= 1 {
		if me+bit < n {
			k.recv(me+bit, empty)
		}
	}
	k.fence()
	if me > 0 {
		k.send(me&(me-1), empty)
	}
	k.spread(c, empty, 0)
	return k.launch(), nil
}
