package deps

import (
	"fmt"
	"unsafe"
)

// Kind is what a task does with an item, in the words of OmpSs-2.
type Kind uint8

const (
	kindNone        Kind = iota
	KindIn               // reads; readers run together
	KindOut              // overwrites without reading; ordered like InOut
	KindInOut            // reads and writes
	KindConcurrent       // ordered against every other kind, but not among concurrents: the program synchronises those
	KindCommutative      // ordered against every other kind; among commutatives one at a time, in any order
	KindReduction        // contributes to a result on a private copy; see package reduce
)

//go:norace
func (k Kind) String() string {
	switch k {
	case KindIn:
		return "in"
	case KindOut:
		return "out"
	case KindInOut:
		return "inout"
	case KindConcurrent:
		return "concurrent"
	case KindCommutative:
		return "commutative"
	case KindReduction:
		return "reduction"
	}
	return "none"
}

// Access is one item that a task declares: a region of memory, what the task does with it, and whether the task
// itself (strong) or only its children (weak) do it. It is a plain value; copying it is free of consequences. The zero
// Access, and one over a nil pointer or no bytes, is ignored wherever it is given.
//
// An Access keeps the memory it names alive. It is a clause of tasks.Spawn.
type Access struct {
	ptr  unsafe.Pointer
	size uintptr // from the first to the last byte
	kind Kind
	weak bool
	ext  any // *section if the bytes are not contiguous, Reduction with KindReduction, otherwise nil
}

// TaskClause marks Access as a clause of tasks.Spawn.
func (Access) TaskClause() {}

// In declares that the task reads *p. It waits for every earlier access to *p that may write; tasks that read run
// together. The item is *p itself: for a slice variable its header, for a pointer variable the pointer. What they refer
// to is [InSlice](s) and In(p).
//
//go:norace
func In[T any](p *T) Access { return item(p, KindIn) }

// Out declares that the task overwrites *p without reading it. For order it is the same as [InOut]: there is no
// renaming. Unlike InOut it is not skipped because the task that last wrote *p failed, and its completion clears that mark.
//
//go:norace
func Out[T any](p *T) Access { return item(p, KindOut) }

// InOut declares that the task reads and writes *p. It waits for every earlier access to *p.
//
//go:norace
func InOut[T any](p *T) Access { return item(p, KindInOut) }

// Concurrent declares that the task may use *p at the same time as other tasks that declare Concurrent on it; the
// bodies synchronise among themselves. Toward every other kind it is ordered like [InOut].
//
//go:norace
func Concurrent[T any](p *T) Access { return item(p, KindConcurrent) }

// Commutative declares that the task updates *p in any order with other tasks that declare Commutative on it, never
// two at once. Toward every other kind it is ordered like [InOut]. A task takes all its commutative items together,
// after its other accesses are satisfied, so it never holds one while it waits for another.
//
//go:norace
func Commutative[T any](p *T) Access { return item(p, KindCommutative) }

// InSlice is [In] over the elements of s, not its capacity.
//
//go:norace
func InSlice[T any](s []T) Access { return items(s, KindIn) }

// OutSlice is [Out] over the elements of s.
//
//go:norace
func OutSlice[T any](s []T) Access { return items(s, KindOut) }

// InOutSlice is [InOut] over the elements of s.
//
//go:norace
func InOutSlice[T any](s []T) Access { return items(s, KindInOut) }

// ConcurrentSlice is [Concurrent] over the elements of s.
//
//go:norace
func ConcurrentSlice[T any](s []T) Access { return items(s, KindConcurrent) }

// CommutativeSlice is [Commutative] over the elements of s, as one item.
//
//go:norace
func CommutativeSlice[T any](s []T) Access { return items(s, KindCommutative) }

// Weak makes a the access of a task whose children, not itself, touch the item. It never delays the task: it only
// gives the task's children their place in the order. The body must not touch the item. In a final task a weak access
// is strong, because there nested work runs in the task's place.
//
//go:norace
func Weak(a Access) Access {
	a.weak = true
	return a
}

// Strong is [Weak] undone: it makes a the access of a task that touches the item itself.
//
//go:norace
func (a Access) Strong() Access {
	a.weak = false
	return a
}

// Reduce declares a contribution to the bytes at p by an operator. It is for package reduce, whose functions take typed
// variables.
//
//go:norace
func Reduce(p unsafe.Pointer, bytes uintptr, op Reduction) Access {
	return Access{ptr: p, size: bytes, kind: KindReduction, ext: op}
}

// Reduction returns the operator of a reduction, nil for other kinds.
//
//go:norace
func (a Access) Reduction() Reduction {
	op, _ := a.ext.(Reduction)
	return op
}

//go:norace
func item[T any](p *T, k Kind) Access {
	return Access{ptr: unsafe.Pointer(p), size: unsafe.Sizeof(*p), kind: k}
}

//go:norace
func items[T any](s []T, k Kind) Access {
	var e T
	return Access{ptr: unsafe.Pointer(unsafe.SliceData(s)), size: uintptr(len(s)) * unsafe.Sizeof(e), kind: k}
}

// InOrder returns a as a program needs it whose bodies run one after the other in program order: there commutative and
// reduction are inout. Order excludes already, and a child runs while its parent's body, which holds the exclusion,
// waits for it.
//
//go:norace
func (a Access) InOrder() Access {
	switch a.kind {
	case KindCommutative:
		a.kind = KindInOut
	case KindReduction:
		a.kind, a.ext = KindInOut, nil
	}
	return a
}

// Kind tells what the task does with the item.
//
//go:norace
func (a Access) Kind() Kind { return a.kind }

// IsWeak tells whether the access was made by [Weak].
//
//go:norace
func (a Access) IsWeak() bool { return a.weak }

// Region returns the first byte of the item and the number of bytes from there to the end of its last byte. Those of
// a section are not all part of it.
//
//go:norace
func (a Access) Region() (first unsafe.Pointer, bytes uintptr) { return a.ptr, a.size }

// Empty tells whether the access names no bytes and is therefore ignored.
//
//go:norace
func (a Access) Empty() bool { return a.ptr == nil || a.size == 0 || a.kind == kindNone }

// String returns the access as a clause, for instance "weak inout [0xc000012000,+64)".
//
//go:norace
func (a Access) String() string {
	w := ""
	if a.weak {
		w = "weak "
	}
	switch x := a.ext.(type) {
	case *section:
		return fmt.Sprintf("%s%s [%p,%v)", w, a.kind, a.ptr, x)
	case Reduction:
		return fmt.Sprintf("%sreduction(%v) [%p,+%d)", w, x, a.ptr, a.size)
	}
	return fmt.Sprintf("%s%s [%p,+%d)", w, a.kind, a.ptr, a.size)
}

// and combines two declarations of one item by one task, of which b is weak if weak is set, into the weakest that gives
// both what they ask for.
//
//	same kind           stays
//	commutative + concurrent → commutative (ordered against concurrents anyway, alone among commutatives)
//	any other two       → inout
//	weak + strong       → strong
//
//go:norace
func (a Access) and(b Access, weak bool) (Kind, bool) {
	switch {
	case a.kind == b.kind:
	case a.kind == KindCommutative && b.kind == KindConcurrent, a.kind == KindConcurrent && b.kind == KindCommutative:
		a.kind = KindCommutative
	default:
		a.kind = KindInOut
	}
	return a.kind, a.weak && weak
}
