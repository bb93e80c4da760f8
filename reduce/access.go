package reduce

import (
	"unsafe"

	"github.com/gompss/gompss/deps"
)

//go:norace
func one[T any, O operator[T]](p *T, op O) deps.Access {
	return deps.Reduce(unsafe.Pointer(p), unsafe.Sizeof(*p), anyOrder[T, O]{op})
}

//go:norace
func many[T any, O operator[T]](s []T, op O) deps.Access {
	var e T
	return deps.Reduce(unsafe.Pointer(unsafe.SliceData(s)), uintptr(len(s))*unsafe.Sizeof(e), anyOrder[T, O]{op})
}

// Sum declares that the task adds to *p on a private copy, which starts at zero. See the package's page for the order
// against other tasks. Integers wrap round. Like all accesses it is a plain value and allocates nothing.
//
//go:norace
func Sum[T Number](p *T) deps.Access { return one(p, sum[T]{}) }

// SumSlice is [Sum] over the elements of s, each by itself.
//
//go:norace
func SumSlice[T Number](s []T) deps.Access { return many(s, sum[T]{}) }

// Prod declares that the task multiplies *p on a private copy, which starts at one. Integers wrap round.
//
//go:norace
func Prod[T Number](p *T) deps.Access { return one(p, prod[T]{}) }

// ProdSlice is [Prod] over the elements of s, each by itself.
//
//go:norace
func ProdSlice[T Number](s []T) deps.Access { return many(s, prod[T]{}) }

// Min declares that the task lowers *p on a private copy, which starts at the greatest value of T, for floats +Inf. Floats
// are compared as by Go's min (IEEE 754-2019 minimum): a NaN makes the result NaN, and −0 is less than 0.
//
//go:norace
func Min[T Real](p *T) deps.Access { return one(p, lowest[T]{}) }

// MinSlice is [Min] over the elements of s, each by itself.
//
//go:norace
func MinSlice[T Real](s []T) deps.Access { return many(s, lowest[T]{}) }

// Max declares that the task raises *p on a private copy, which starts at the least value of T, for floats −Inf. Floats
// are compared as by Go's max (IEEE 754-2019 maximum): a NaN makes the result NaN, and −0 is less than 0.
//
//go:norace
func Max[T Real](p *T) deps.Access { return one(p, highest[T]{}) }

// MaxSlice is [Max] over the elements of s, each by itself.
//
//go:norace
func MaxSlice[T Real](s []T) deps.Access { return many(s, highest[T]{}) }

// And declares that the task clears bits of *p on a private copy, which starts with all bits set.
//
//go:norace
func And[T Integer](p *T) deps.Access { return one(p, and[T]{}) }

// AndSlice is [And] over the elements of s, each by itself.
//
//go:norace
func AndSlice[T Integer](s []T) deps.Access { return many(s, and[T]{}) }

// Or declares that the task sets bits of *p on a private copy, which starts at zero.
//
//go:norace
func Or[T Integer](p *T) deps.Access { return one(p, or[T]{}) }

// OrSlice is [Or] over the elements of s, each by itself.
//
//go:norace
func OrSlice[T Integer](s []T) deps.Access { return many(s, or[T]{}) }

// Xor declares that the task flips bits of *p on a private copy, which starts at zero.
//
//go:norace
func Xor[T Integer](p *T) deps.Access { return one(p, xor[T]{}) }

// XorSlice is [Xor] over the elements of s, each by itself.
//
//go:norace
func XorSlice[T Integer](s []T) deps.Access { return many(s, xor[T]{}) }

// LogicalAnd declares that the task contributes to "all are true" in *p on a private copy, which starts at true. Numbers
// count as in C: all but zero is true, and the result is 0 or 1.
//
//go:norace
func LogicalAnd[T Truth](p *T) deps.Access { return one(p, logicalAnd[T]{}) }

// LogicalAndSlice is [LogicalAnd] over the elements of s, each by itself.
//
//go:norace
func LogicalAndSlice[T Truth](s []T) deps.Access { return many(s, logicalAnd[T]{}) }

// LogicalOr declares that the task contributes to "one is true" in *p on a private copy, which starts at false. For numbers
// see [LogicalAnd].
//
//go:norace
func LogicalOr[T Truth](p *T) deps.Access { return one(p, logicalOr[T]{}) }

// LogicalOrSlice is [LogicalOr] over the elements of s, each by itself.
//
//go:norace
func LogicalOrSlice[T Truth](s []T) deps.Access { return many(s, logicalOr[T]{}) }

// LogicalXor declares that the task contributes to "an odd number is true" in *p on a private copy, which starts at false.
// For numbers see [LogicalAnd].
//
//go:norace
func LogicalXor[T Truth](p *T) deps.Access { return one(p, logicalXor[T]{}) }

// LogicalXorSlice is [LogicalXor] over the elements of s, each by itself.
//
//go:norace
func LogicalXorSlice[T Truth](s []T) deps.Access { return many(s, logicalXor[T]{}) }

// LogicalNxor declares that the task contributes to "an even number is false" in *p (equality, if there are two) on a
// private copy, which starts at true. For numbers see [LogicalAnd].
//
//go:norace
func LogicalNxor[T Truth](p *T) deps.Access { return one(p, logicalNxor[T]{}) }

// LogicalNxorSlice is [LogicalNxor] over the elements of s, each by itself.
//
//go:norace
func LogicalNxorSlice[T Truth](s []T) deps.Access { return many(s, logicalNxor[T]{}) }
