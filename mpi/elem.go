package mpi

import (
	"fmt"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
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
	next    *elem          // in its list of elems
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
	elemUint8   = newElem[uint8]()
	elemInt32   = newElem[int32]()
	elemInt64   = newElem[int64]()
	elemInt     = newElem[int]()
	elemFloat32 = newElem[float32]()
	elemFloat64 = newElem[float64]()

	// elems are the descriptions of all other types, in lists by hash. Entries are only added. Not a sync.Map, because that
	// cannot be hidden from the race detector: that two goroutines sent values of one type does not order them.
	elems [64]atomic.Pointer[elem]
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
	if e := findElem(reflect.TypeFor[T]()); e != nil {
		return e
	}
	return addElem(newElem[T]())
}

// listOf returns the list of elems that typ is in.
//
//go:norace
func listOf(typ reflect.Type) *atomic.Pointer[elem] {
	at := (*[2]uintptr)(unsafe.Pointer(&typ))[1] // the address of what an interface holds is the type's, and never changes
	return &elems[(at>>5^at>>11)%uintptr(len(elems))]
}

// findElem returns the description of typ, if there is one.
//
//go:norace
func findElem(typ reflect.Type) *elem {
	race.Disable()
	e := listOf(typ).Load()
	race.Enable()
	for e != nil && e.typ != typ {
		e = e.next
	}
	return e
}

// addElem adds e unless its type is there already, and returns what is there.
//
//go:norace
func addElem(e *elem) *elem {
	race.Disable()
	defer race.Enable()
	for list := listOf(e.typ); ; {
		e.next = list.Load()
		for old := e.next; old != nil; old = old.next {
			if old.typ == e.typ {
				return old
			}
		}
		if list.CompareAndSwap(e.next, e) {
			return e
		}
	}
}

func newElem[T Elem]() *elem { return describe(reflect.TypeFor[T](), unsafe.Pointer(new(T))) }

// badType is the error of a type that holds a pointer. What every goroutine may read is written out of the race
// detector's sight.
type badType struct {
	typ  reflect.Type
	path string
}

func (e *badType) Error() string {
	return fmt.Sprintf("%v: %v holds a pointer (%s)", ErrType, e.typ, e.path)
}

func (e *badType) Unwrap() error { return ErrType }

//go:norace
func describe(typ reflect.Type, inPlace unsafe.Pointer) *elem {
	e := &elem{typ: typ, size: int(typ.Size()), inPlace: inPlace}
	if path := pointerIn(typ); path != "" {
		e.err = &badType{typ, path}
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
