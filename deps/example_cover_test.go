package deps_test

import (
	"fmt"

	"github.com/gompss/gompss/deps"
)

func ExampleNode_Beyond() {
	mb := deps.NewMailbox(new(deps.Tokens), deps.Hooks{})
	x := new(int64)
	declare := func(parent *deps.Node, a deps.Access) *deps.Node {
		n := new(deps.Node)
		n.Init(parent, 1)
		n.Declare(&a, false)
		return n
	}
	root := new(deps.Node)
	root.Init(nil, 0)
	parent := declare(root, deps.In(x))
	parent.Register(mb)
	child := declare(parent, deps.InOut(x))
	a, up, found := child.Beyond()
	fmt.Println(a.Kind(), up.Kind(), found)
	// Output: inout in true
}
