package deps

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// What the random programs found, in small.

func sumOf(x []int64) Access {
	return Reduce(unsafe.Pointer(&x[0]), uintptr(len(x))*8, modelOps[0])
}

func TestManyAccessesWithReductions(t *testing.T) {
	worldNow = &world{t: t}
	p := newProgram()
	var x [32]int64
	var accs []Access
	for i := 30; i >= 8; i -= 2 {
		accs = append(accs, Weak(sumOf(x[i:i+1])), InOut(&x[i+1]))
	}
	accs = append(accs, sumOf(x[30:31]))
	n, ready := p.spawn("n", p.root, accs...)
	require.True(t, ready)
	require.Equal(t, 24, n.Accesses())
	require.NotNil(t, n.PrivateCopy(unsafe.Pointer(&x[30]), 8))
	require.Nil(t, n.PrivateCopy(unsafe.Pointer(&x[28]), 8))
	require.Panics(t, func() { p.spawn("m", p.root, append(accs, In(&x[8]))...) })
}

// A task that contributes to a part of an item and uses another part of it must not wait for its own contribution.
func TestContributorThatClosesTheScope(t *testing.T) {
	worldNow = &world{t: t}
	p := newProgram()
	var x [8]int64
	first, ready := p.spawn("first", p.root, sumOf(x[:]))
	require.True(t, ready)
	both, ready := p.spawn("both", p.root, sumOf(x[4:6]), InOutSlice(x[:2]))
	require.False(t, ready)
	p.finish(first)
	combination := p.mb.TakeReady()
	require.NotNil(t, combination)
	p.finish(combination)
	require.Same(t, both, p.mb.TakeReady())
	p.finish(both)
	p.root.CloseScopes(p.mb)
	require.NotNil(t, p.mb.TakeReady().Combination())
}

// Where a child uses a part of what its parent releases for reading, the rest is released all the same.
func TestDowngradeBesideAChild(t *testing.T) {
	p := newProgram()
	var x [4]int64
	parent, _ := p.spawn("parent", p.root, InOutSlice(x[:]))
	child, _ := p.spawn("child", parent, InOutSlice(x[:1]))
	_, ready := p.spawn("waits", p.root, InSlice(x[:1]))
	require.False(t, ready)
	reader, ready := p.spawn("reader", p.root, InSlice(x[1:3]))
	require.False(t, ready)
	require.True(t, parent.Release(InSlice(x[:3]), false, p.mb))
	require.Same(t, reader, p.mb.TakeReady())
	require.Nil(t, reader.Link)
	p.finish(child)
	require.Nil(t, p.mb.TakeReady(), "what a child used stays the parent's")
	p.finish(parent)
	require.NotNil(t, p.mb.TakeReady())
}

// Of many accesses, too, those to the same bytes count as one when they are compared with the parent's.
func TestBeyondOfManyAccesses(t *testing.T) {
	p := newProgram()
	var x [20]int64
	parent, _ := p.spawn("parent", p.root, Weak(CommutativeSlice(x[:])))
	n := new(Node)
	n.Init(parent, 0)
	for i := range x {
		for _, a := range []Access{Concurrent(&x[i]), Commutative(&x[i])} {
			n.Declare(&a, false)
		}
	}
	_, _, found := n.Beyond()
	require.False(t, found)
	require.True(t, n.Register(p.mb))
}
