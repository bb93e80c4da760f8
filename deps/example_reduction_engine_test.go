package deps_test

import (
	"fmt"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
)

func ExampleReduce() {
	var x float64
	// What reduce.Sum(&x) does: the operator goes with the bytes.
	a := deps.Reduce(unsafe.Pointer(&x), unsafe.Sizeof(x), reduce.Sum(&x).Reduction())
	fmt.Println(a == reduce.Sum(&x))
	// Output: true
}

func ExampleAccess_Reduction() {
	var x int
	fmt.Println(reduce.Max(&x).Reduction(), deps.In(&x).Reduction())
	// Output: max of int <nil>
}

// The engine's side of a reduction: contributors are ready at once, and a combination follows when the scope is closed.
func ExampleNode_Combination() {
	mb, spawn, _ := engine()
	x := 100
	for i := range 3 {
		n := spawn(fmt.Sprint("contributor ", i), nil, reduce.Sum(&x))
		*(*int)(n.PrivateCopy(unsafe.Pointer(&x), 8)) += i
		n.Finish(mb)
	}
	reader := spawn("reader", nil, deps.In(&x)) // closes the scope
	c := mb.TakeReady()
	c.Combination().Parts()
	c.Combination().Combine(0)
	c.Finish(mb)
	fmt.Println(x, mb.TakeReady() == reader)
	// Output: 103 true
}

func ExampleNode_CloseScopes() {
	mb, spawn, _ := engine()
	var x int
	parent := spawn("parent", nil)
	n := spawn("contributor", parent, reduce.Sum(&x))
	*(*int)(n.PrivateCopy(unsafe.Pointer(&x), 8)) = 1
	n.Finish(mb)
	fmt.Println(mb.TakeReady() == nil)
	parent.CloseScopes(mb) // a taskwait begins
	fmt.Println(mb.TakeReady().Combination() != nil)
	// Output:
	// true
	// true
}

func ExampleNode_PrivateCopy() {
	_, spawn, _ := engine()
	v := make([]int, 4)
	n := spawn("contributor", nil, reduce.SumSlice(v))
	whole := n.PrivateCopy(unsafe.Pointer(&v[0]), 32)
	last := n.PrivateCopy(unsafe.Pointer(&v[3]), 8)
	fmt.Println(uintptr(last)-uintptr(whole), n.PrivateCopy(unsafe.Pointer(new(int)), 8))
	// Output: 24 <nil>
}
