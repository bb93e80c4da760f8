package deps_test

import (
	"fmt"

	"github.com/gompss/gompss/deps"
)

func ExampleNewPlace() {
	parent := deps.NewPlace(nil, 3)
	child := deps.NewPlace(parent, 0)
	fmt.Println(parent.Compare(child) < 0)
	// Output: true
}

func ExamplePlace_Compare() {
	first, second := deps.NewPlace(nil, 0), deps.NewPlace(nil, 1)
	grandchild := deps.NewPlace(deps.NewPlace(first, 5), 2)
	fmt.Println(grandchild.Compare(second) < 0, second.Compare(grandchild) > 0, second.Compare(second))
	// Output: true true 0
}
