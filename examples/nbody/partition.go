package main

// partition says which particles form a block and which blocks a rank owns. Blocks are cut from the particles in order,
// whatever the number of ranks, and each rank owns a contiguous range of them, as even as whole blocks allow: counts
// differ by at most one, and are zero for some ranks if there are fewer blocks than ranks. Every rank can work out what
// every other one owns, which is how a receiver in the ring knows how many blocks come.
type partition struct {
	particles int // all
	block     int // particles per block; the last block may have fewer
	ranks     int
}

// newPartition cuts particles into blocks of size block, or into one block if they are fewer.
func newPartition(particles, block, ranks int) partition {
	return partition{particles: particles, block: max(1, min(block, particles)), ranks: ranks}
}

// blocks is the number of all blocks.
func (p partition) blocks() int { return (p.particles + p.block - 1) / p.block }

// particlesOf returns the range [lo, hi) of particles in block b.
func (p partition) particlesOf(b int) (lo, hi int) {
	return b * p.block, min((b+1)*p.block, p.particles)
}

// blocksOf returns the range [lo, hi) of blocks that rank owns.
func (p partition) blocksOf(rank int) (lo, hi int) {
	return p.blocks() * rank / p.ranks, p.blocks() * (rank + 1) / p.ranks
}

// count is the number of blocks that rank owns.
func (p partition) count(rank int) int {
	lo, hi := p.blocksOf(rank)
	return hi - lo
}

// largest is the greatest count of any rank: the size of a buffer that can receive from all.
func (p partition) largest() int { return (p.blocks() + p.ranks - 1) / p.ranks }

// next is the rank that rank sends to in the ring, previous the one it receives from.
func (p partition) next(rank int) int     { return (rank + 1) % p.ranks }
func (p partition) previous(rank int) int { return (rank + p.ranks - 1) % p.ranks }

// source is the rank whose blocks rank holds after shift shifts of the ring, 0 ≤ shift < ranks: itself, then the one
// before, and so on. The order of sources, hence the rounding of the forces, depends on the number of ranks for that
// reason, and on nothing else.
func (p partition) source(rank, shift int) int { return (rank - shift + p.ranks) % p.ranks }
