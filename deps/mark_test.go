package deps

import (
	"errors"
	"testing"
)

// What a task released before it failed is good, whether its successor is there at that moment or comes later.
func TestReleasedItemStaysGood(t *testing.T) {
	for _, late := range []bool{false, true} {
		mb := NewMailbox(new(Tokens), Hooks{})
		root := new(Node)
		root.Init(nil, 0)
		root.Register(mb)
		var x, y int
		bad, _ := tokenTask(root, mb, InOut(&x), InOut(&y))
		var next *Node
		if !late {
			next, _ = tokenTask(root, mb, In(&x))
		}
		if !bad.Release(InOut(&x), false, mb) {
			t.Fatal("x is declared")
		}
		bad.Fail(errors.New("boom"))
		bad.Finish(mb)
		if late {
			next, _ = tokenTask(root, mb, In(&x))
		}
		if cause := next.Cause(); cause != nil {
			t.Errorf("late %v: the reader of x must not run: %v", late, cause)
		}
		if y, _ := tokenTask(root, mb, In(&y)); y.Cause() == nil {
			t.Errorf("late %v: the reader of y may run", late)
		}
	}
}
