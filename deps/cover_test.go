package deps

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// coverFamily returns the node of a child that is declared and not registered, whose parent runs.
func coverFamily(t *testing.T, parent, child []Access) *Node {
	mb := NewMailbox(new(Tokens), Hooks{})
	p, c := new(Node), new(Node)
	root := new(Node)
	root.Init(nil, 0)
	require.True(t, root.Register(mb))
	p.Init(root, len(parent))
	for i := range parent {
		p.Declare(&parent[i], false)
	}
	require.True(t, p.Register(mb))
	c.Init(p, len(child))
	for i := range child {
		c.Declare(&child[i], false)
	}
	return c
}

func TestBeyond(t *testing.T) {
	var x [8]int64
	var y int64
	s := x[:]
	weak := Weak(InOut(&y))
	for _, c := range []struct {
		name          string
		parent, child []Access
		found         bool
	}{
		{"nothing declared above", []Access{In(&y)}, []Access{InOut(&x[0])}, false},
		{"in below in", []Access{In(&x)}, []Access{In(&x[0])}, false},
		{"out below in", []Access{In(&x)}, []Access{Out(&x[7])}, true},
		{"weak inout below weak in", []Access{Weak(In(&x))}, []Access{Weak(InOut(&x[7]))}, true},
		{"everything below out", []Access{Out(&x)}, []Access{In(&x[0]), InOut(&x[1]), Commutative(&x[2]), Concurrent(&x[3])}, false},
		{"one part covers, one does not", []Access{InOutSlice(s[:4]), InSlice(s[4:])}, []Access{InOutSlice(s[2:6])}, true},
		{"in beside", []Access{InOutSlice(s[:4]), InSlice(s[4:])}, []Access{InOutSlice(s[2:4]), InSlice(s[3:6])}, false},
		{"in below concurrent", []Access{Concurrent(&x)}, []Access{In(&x)}, true},
		{"inout below commutative", []Access{Commutative(&x)}, []Access{InOut(&x)}, false},
		{"inout below commutative, beside a weak access", []Access{Commutative(&x), weak}, []Access{InOut(&x)}, true},
		{"commutative below weak commutative", []Access{Weak(Commutative(&x))}, []Access{Commutative(&x)}, false},
		{"tiles side by side", []Access{InTile(s, 4, 0, 2, 0, 2), OutTile(s, 4, 0, 2, 2, 4)}, []Access{OutTile(s, 4, 0, 2, 2, 4)}, false},
		{"a tile one column too wide", []Access{InTile(s, 4, 0, 2, 0, 2), OutTile(s, 4, 0, 2, 2, 4)}, []Access{OutTile(s, 4, 0, 2, 1, 4)}, true},
	} {
		child, parent, found := coverFamily(t, c.parent, c.child).Beyond()
		require.Equal(t, c.found, found, c.name)
		if found {
			require.False(t, child.Empty(), c.name)
			require.False(t, parent.Empty(), c.name)
		}
	}
}

func TestBeyondCombinesManyAccesses(t *testing.T) {
	var x [20]int64
	var all []Access
	for i := range x {
		all = append(all, In(&x[i]), Weak(Out(&x[i])))
	}
	n := coverFamily(t, []Access{InOut(&x)}, all)
	_, _, found := n.Beyond()
	require.False(t, found)
	require.Equal(t, 20, n.Accesses())
	require.Equal(t, InOut(&x[19]), n.Access(19))
}

func TestRuns(t *testing.T) {
	s := make([]int32, 12)
	tile := InTile(s, 4, 1, 3, 1, 3)
	require.Equal(t, 2, tile.Runs())
	for i := range 2 {
		p, n := tile.Run(i)
		require.Equal(t, unsafe.Pointer(&s[(i+1)*4+1]), p)
		require.EqualValues(t, 8, n)
	}
	require.Zero(t, In[int](nil).Runs())
}
