package deps

import "testing"

// task registers a task with the given accesses and reports whether it is ready.
func tokenTask(root *Node, mb *Mailbox, accs ...Access) (*Node, bool) {
	n := new(Node)
	n.Init(root, len(accs))
	for _, a := range accs {
		n.Declare(&a, false)
	}
	return n, n.Register(mb)
}

// A token that skipped a waiter which lacks another one is held by the waiter that got it instead.
func TestTokenPassesOverAWaiterThatLacksAnother(t *testing.T) {
	mb := NewMailbox(new(Tokens), Hooks{})
	root := new(Node)
	root.Init(nil, 0)
	root.Register(mb)
	var x, y int
	a, ready := tokenTask(root, mb, Commutative(&x))
	if !ready {
		t.Fatal("nobody holds x")
	}
	tokenTask(root, mb, Commutative(&y))                  // holds y
	tokenTask(root, mb, Commutative(&x), Commutative(&y)) // waits for x, then for y
	c, ready := tokenTask(root, mb, Commutative(&x))
	if ready {
		t.Fatal("a holds x")
	}
	a.Finish(mb)
	if n := mb.TakeReady(); n != c || n.Link != nil {
		t.Fatal("x is not for the one task that needs nothing else")
	}
	if _, ready := tokenTask(root, mb, Commutative(&x)); ready {
		t.Fatal("two tasks hold x")
	}
}
