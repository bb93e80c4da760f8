package mpi

import (
	"reflect"
	"unsafe"
)

// kernels holds the loops of one predefined operation by kind of number; nil where it is not defined.
type kernels [reflect.UnsafePointer + 1]foldFunc

var sums, prods, mins, maxs, lands, lors, lxors, bands, bors, bxors kernels

type (
	integer interface {
		~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
	}
	float   interface{ ~float32 | ~float64 }
	complx  interface{ ~complex64 | ~complex128 }
	ordered interface{ integer | float }
	number  interface{ ordered | complx }
)

func init() {
	addInteger[int]()
	addInteger[int8]()
	addInteger[int16]()
	addInteger[int32]()
	addInteger[int64]()
	addInteger[uint]()
	addInteger[uint8]()
	addInteger[uint16]()
	addInteger[uint32]()
	addInteger[uint64]()
	addInteger[uintptr]()
	addOrdered[float32]()
	addOrdered[float64]()
	addNumber[complex64]()
	addNumber[complex128]()
	lands[reflect.Bool], lors[reflect.Bool], lxors[reflect.Bool] = landBool, lorBool, lxorBool
}

func addInteger[T integer]() {
	k := reflect.TypeFor[T]().Kind()
	lands[k], lors[k], lxors[k] = land[T], lor[T], lxor[T]
	bands[k], bors[k], bxors[k] = band[T], bor[T], bxor[T]
	addOrdered[T]()
}

func addOrdered[T ordered]() {
	k := reflect.TypeFor[T]().Kind()
	mins[k], maxs[k] = least[T], greatest[T]
	addNumber[T]()
}

func addNumber[T number]() {
	k := reflect.TypeFor[T]().Kind()
	sums[k], prods[k] = sum[T], prod[T]
}

// slicesOf returns both operands as slices of equal length, which spares the loops their bounds checks.
func slicesOf[T any](in, inout unsafe.Pointer, n int) (a, b []T) {
	return unsafe.Slice((*T)(in), n), unsafe.Slice((*T)(inout), n)
}

func sum[T number](in, inout unsafe.Pointer, n int) {
	a, b := slicesOf[T](in, inout, n)
	for i := range b {
		b[i] = a[i] + b[i]
	}
}

func prod[T number](in, inout unsafe.Pointer, n int) {
	a, b := slicesOf[T](in, inout, n)
	for i := range b {
		b[i] = a[i] * b[i]
	}
}

func least[T ordered](in, inout unsafe.Pointer, n int) {
	a, b := slicesOf[T](in, inout, n)
	for i := range b {
		b[i] = min(a[i], b[i])
	}
}

func greatest[T ordered](in, inout unsafe.Pointer, n int) {
	a, b := slicesOf[T](in, inout, n)
	for i := range b {
		b[i] = max(a[i], b[i])
	}
}

func band[T integer](in, inout unsafe.Pointer, n int) {
	a, b := slicesOf[T](in, inout, n)
	for i := range b {
		b[i] &= a[i]
	}
}

func bor[T integer](in, inout unsafe.Pointer, n int) {
	a, b := slicesOf[T](in, inout, n)
	for i := range b {
		b[i] |= a[i]
	}
}

func bxor[T integer](in, inout unsafe.Pointer, n int) {
	a, b := slicesOf[T](in, inout, n)
	for i := range b {
		b[i] ^= a[i]
	}
}

func land[T integer](in, inout unsafe.Pointer, n int) {
	a, b := slicesOf[T](in, inout, n)
	for i := range b {
		b[i] = truth[T](a[i] != 0 && b[i] != 0)
	}
}

func lor[T integer](in, inout unsafe.Pointer, n int) {
	a, b := slicesOf[T](in, inout, n)
	for i := range b {
		b[i] = truth[T](a[i] != 0 || b[i] != 0)
	}
}

func lxor[T integer](in, inout unsafe.Pointer, n int) {
	a, b := slicesOf[T](in, inout, n)
	for i := range b {
		b[i] = truth[T]((a[i] != 0) != (b[i] != 0))
	}
}

func truth[T integer](yes bool) T {
	if yes {
		return 1
	}
	return 0
}

func landBool(in, inout unsafe.Pointer, n int) {
	a, b := slicesOf[bool](in, inout, n)
	for i := range b {
		b[i] = a[i] && b[i]
	}
}

func lorBool(in, inout unsafe.Pointer, n int) {
	a, b := slicesOf[bool](in, inout, n)
	for i := range b {
		b[i] = a[i] || b[i]
	}
}

func lxorBool(in, inout unsafe.Pointer, n int) {
	a, b := slicesOf[bool](in, inout, n)
	for i := range b {
		b[i] = a[i] != b[i]
	}
}
