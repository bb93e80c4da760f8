package deps_test

import (
	"fmt"

	"github.com/gompss/gompss/deps"
)

func ExampleAccess_Strong() {
	var x int
	fmt.Println(deps.Weak(deps.In(&x)).Strong() == deps.In(&x))
	// Output: true
}

func ExampleAccess_Runs() {
	a := make([]byte, 6*10) // 6 rows of 10
	t := deps.InTile(a, 10, 1, 4, 2, 5)
	for i := range t.Runs() {
		_, n := t.Run(i)
		fmt.Print(n, " ")
	}
	// Output: 3 3 3
}

func ExampleAccess_Run() {
	a := make([]int64, 4)
	first, n := deps.InSlice(a[2:]).Run(0)
	fmt.Println((*int64)(first) == &a[2], n)
	// Output: true 16
}
