package reduce

import (
	"reflect"
	"unsafe"
)

// Integer is what the bitwise operators work on.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Real is what Min and Max work on.
type Real interface {
	Integer | ~float32 | ~float64
}

// Number is what Sum and Prod work on.
type Number interface {
	Real | ~complex64 | ~complex128
}

// Truth is what the logical operators work on: bools, and numbers as in C, where all but zero are true (NaN too) and a
// result is 0 or 1.
type Truth interface {
	~bool | Number
}

// limits returns the least and the greatest value of T, for floats the infinities.
//
//go:norace
func limits[T Real]() (least, greatest T) {
	zero, one := T(0), T(1)
	switch {
	case one/(one+one) != zero:
		return (zero - one) / zero, one / zero
	case zero-one > zero:
		return zero, zero - one
	}
	greatest = one
	for greatest+greatest+one > greatest { // the first sum that wraps round is negative
		greatest += greatest + one
	}
	return -greatest - one, greatest
}

// truth returns what a logical operator gives for true. No arithmetic is common to bools and numbers, hence by kind.
//
//go:norace
func truth[T Truth]() (v T) {
	p := unsafe.Pointer(&v)
	switch reflect.TypeFor[T]().Kind() {
	case reflect.Float32, reflect.Complex64:
		*(*float32)(p) = 1 // a complex number begins with its real part
	case reflect.Float64, reflect.Complex128:
		*(*float64)(p) = 1
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		*(*uint8)(p) = 1
	case reflect.Int16, reflect.Uint16:
		*(*uint16)(p) = 1
	case reflect.Int32, reflect.Uint32:
		*(*uint32)(p) = 1
	case reflect.Int64, reflect.Uint64:
		*(*uint64)(p) = 1
	default:
		*(*uint)(p) = 1
	}
	return v
}
