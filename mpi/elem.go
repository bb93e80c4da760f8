package mpi

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// Elem is the type of a message's elements: any type without pointers. Numbers, bools, and arrays and structs of them
// qualify; strings, slices, maps, interfaces and pointers do not, and are reported as [ErrType]. The check is made once
// per type. Types are not part of matching: a message is bytes, and sender and receiver agree on their meaning
// (MPI 4.1, 3.3.1, without type signatures).
type Elem = any

// elem is what is known about an element type.
type elem struct {
	typ   reflect.Type
	size  int
	err   error        // the type cannot be sent
	kind  reflect.Kind // of the numbers it consists of; Invalid for structs
	lanes int          // how many numbers: more than one for arrays

	inPlace unsafe.Pointer // address of the type's InPlace slice
}

// view is a message buffer without its type.
type view struct {
	ptr   unsafe.Pointer
	count int
	elem  *elem
}

func (v view) bytes() int { return v.count * v.elem.size }

// at returns the address of element i.
func (v view) at(i int) unsafe.Pointer { return unsafe.Add(v.ptr, i*v.elem.size) }

// part returns elements [lo, hi).
func (v view) part(lo, hi int) view { return view{v.at(lo), hi - lo, v.elem} }

// like returns fresh memory of the same type with room for count elements.
func (v view) like(count int) view {
	return view{unsafe.Pointer(unsafe.SliceData(make([]uint64, (count*v.elem.size+7)/8))), count, v.elem}
}

func viewOf[T Elem](buf []T) view {
	return view{unsafe.Pointer(unsafe.SliceData(buf)), len(buf), elemOf[T]()}
}

var (
	elems sync.Map // reflect.Type → *elem

	elemUint8   = newElem(reflect.TypeFor[uint8]())
	elemInt32   = newElem(reflect.TypeFor[int32]())
	elemInt64   = newElem(reflect.TypeFor[int64]())
	elemInt     = newElem(reflect.TypeFor[int]())
	elemFloat32 = newElem(reflect.TypeFor[float32]())
	elemFloat64 = newElem(reflect.TypeFor[float64]())
)

// elemOf returns the description of T. The common types are found without a look-up.
func elemOf[T Elem]() *elem {
	switch any((*T)(nil)).(type) {
	case *uint8:
		return elemUint8
	case *int32:
		return elemInt32
	case *int64:
		return elemInt64
	case *int:
		return elemInt
	case *float32:
		return elemFloat32
	case *float64:
		return elemFloat64
	}
	typ := reflect.TypeFor[T]()
	if e, ok := elems.Load(typ); ok {
		return e.(*elem)
	}
	e, _ := elems.LoadOrStore(typ, newElem(typ))
	return e.(*elem)
}

func newElem(typ reflect.Type) *elem {
	e := &elem{typ: typ, size: int(typ.Size()), inPlace: reflect.New(typ).UnsafePointer()}
	if path := pointerIn(typ); path != "" {
		e.err = fmt.Errorf("%w: %v holds a pointer (%s)", ErrType, typ, path)
		return e
	}
	e.lanes = 1
	for typ.Kind() == reflect.Array {
		e.lanes *= typ.Len()
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct {
		e.kind = typ.Kind()
	}
	return e
}

// pointerIn returns where typ holds a pointer, or "".
func pointerIn(typ reflect.Type) string {
	switch typ.Kind() {
	case reflect.Array:
		if typ.Len() == 0 {
			return ""
		}
		return pointerIn(typ.Elem())
	case reflect.Struct:
		for f := range typ.NumField() {
			if path := pointerIn(typ.Field(f).Type); path != "" {
				return typ.Field(f).Name + " " + path
			}
		}
		return ""
	case reflect.Pointer, reflect.UnsafePointer, reflect.String, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface:
		return typ.String()
	}
	return ""
}
