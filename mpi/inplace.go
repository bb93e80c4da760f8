package mpi

import "unsafe"

// InPlace takes the place of a collective's send buffer where the data is already in the receive buffer: at the root of
// [Reduce] and [Gather], on all ranks of [Allreduce], [Allgather], [Alltoall], [Scan] and [Exscan]; and of the receive
// buffer at the root of [Scatter]. Passing the same slice for both buffers means the same (MPI 4.1, 6.2.1):
//
//	mpi.Allreduce(c, mpi.InPlace[float64](), sums, mpi.Sum)
func InPlace[T Elem]() []T { return unsafe.Slice((*T)(elemOf[T]().inPlace), 1)[:0] }

// isInPlace tells whether v stands for the other buffer of its call.
func (v view) isInPlace(other view) bool {
	if v.count == 0 {
		return v.ptr == v.elem.inPlace
	}
	return v.ptr == other.ptr && v.count == other.count
}
