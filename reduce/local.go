package reduce

import "unsafe"

// Holder is a task that holds private copies: *tasks.Task.
type Holder interface {
	// PrivateCopy returns what stands in the task's private copy for the bytes at item, which are all or a part of an item
	// that the task reduces. It panics if there is no such item.
	PrivateCopy(item unsafe.Pointer, bytes uintptr) unsafe.Pointer
}

// Local returns the running task's private copy of *p, for which the task has a strong reduction access: of p itself, or
// of an array that *p is an element of. It holds the neutral element or what earlier tasks left there; update it, do not
// set it. It belongs to the task until the task completes. Like t, it is for the body's goroutine; goroutines that the
// body starts and waits for may share it as they would a variable. In serial elision it is p itself.
//
// Local panics with "deps: …" if the task has no such access. It allocates nothing.
func Local[T any](t Holder, p *T) *T {
	return (*T)(t.PrivateCopy(unsafe.Pointer(p), unsafe.Sizeof(*p)))
}

// LocalSlice is [Local] for an array or a part of one: the result has the length of s, and element i of it stands for
// s[i]. Of an empty s it returns s.
func LocalSlice[T any](t Holder, s []T) []T {
	if len(s) == 0 {
		return s
	}
	p := unsafe.Pointer(unsafe.SliceData(s))
	return unsafe.Slice((*T)(t.PrivateCopy(p, uintptr(len(s))*unsafe.Sizeof(s[0]))), len(s))
}
