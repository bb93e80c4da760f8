package deps

import "unsafe"

// Strong is [Weak] undone: it makes a the access of a task that touches the item itself.
//
//go:norace
func (a Access) Strong() Access {
	a.weak = false
	return a
}

// Runs returns of how many contiguous runs of bytes the item is: 1 but for sections, 0 if it is empty.
//
//go:norace
func (a Access) Runs() int {
	if a.Empty() {
		return 0
	}
	return runs(a.section())
}

// Run returns the i-th of them, 0 ≤ i < Runs(), in ascending order of addresses.
//
//go:norace
func (a Access) Run(i int) (first unsafe.Pointer, bytes uintptr) {
	s := a.section()
	if s == nil {
		return a.ptr, a.size
	}
	return unsafe.Add(a.ptr, s.offset(i)), s.run
}
