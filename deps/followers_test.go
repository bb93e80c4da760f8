package deps_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
)

func ExampleNode_Waiters() {
	_, spawn, _ := engine()
	var x int
	w := spawn("writer", nil, deps.Out(&x))
	a := spawn("first", nil, deps.In(&x))
	b := spawn("second", nil, deps.In(&x))
	waiting := make([]deps.Waiter, 4)
	n := w.Waiters(waiting, nil, 0)
	fmt.Println(n, waiting[0].Node == a, waiting[1].Node == b, waiting[1].Access.Kind(), waiting[1].Waits())
	// Output: 2 true true in true
}

// TestWaiters: who waits for a task, through the chain and past the end of its parent's; and who does not.
func TestWaiters(t *testing.T) {
	waiters := func(n *deps.Node, into int) (found []*deps.Node, count int) {
		w := make([]deps.Waiter, into)
		count = n.Waiters(w, nil, 0)
		for _, w := range w[:min(count, into)] {
			found = append(found, w.Node)
		}
		return found, count
	}
	mb, spawn, _ := engine()
	var x, y, z int
	reader := spawn("reader", nil, deps.In(&x))
	spawn("another", nil, deps.In(&x))
	writer := spawn("writer", nil, deps.Out(&x), deps.In(&y))
	last := spawn("last", nil, deps.Weak(deps.In(&x)), deps.In(&x))
	found, _ := waiters(reader, 9)
	require.Equal(t, []*deps.Node{writer, last}, found, "a reader does not wait for a reader")
	found, n := waiters(reader, 1)
	require.Len(t, found, 1)
	require.Equal(t, 2, n)
	found, _ = waiters(last, 9)
	require.Empty(t, found)

	c := spawn("c", nil, deps.Commutative(&y), deps.Commutative(&z))
	d := spawn("d", nil, deps.Commutative(&z))
	found, _ = waiters(c, 9)
	require.Equal(t, []*deps.Node{d}, found, "the token")

	var v int
	parent := spawn("parent", nil, deps.Weak(deps.InOut(&v)))
	child := spawn("child", parent, deps.InOut(&v))
	after := spawn("after", nil, deps.In(&v))
	found, _ = waiters(child, 9)
	require.Empty(t, found, "the parent's body may still spawn")
	parent.Finish(mb)
	found, _ = waiters(child, 9)
	require.Equal(t, []*deps.Node{after}, found)

	version := uint32(1)
	w := make([]deps.Waiter, 1)
	require.Equal(t, 1, child.Waiters(w, &version, 1))
	require.Zero(t, child.Waiters(w, &version, 3), "the caller was too late")
	child.Finish(mb)
	require.False(t, w[0].Waits())
	require.Zero(t, child.Waiters(w, &version, 1))
}
