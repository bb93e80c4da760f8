package deps

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/internal/race"
)

// program is an engine with one running task, whose children the tests register.
type program struct {
	mb    *Mailbox
	root  *Node
	names map[*Node]string
}

func newProgram() *program {
	p := &program{root: new(Node), names: map[*Node]string{}}
	p.mb = NewMailbox(new(Tokens), Hooks{Name: func(n *Node) string { return p.names[n] }})
	p.root.Init(nil, 0)
	p.root.Register(p.mb)
	return p
}

// spawn registers a child of parent and reports whether it is ready.
func (p *program) spawn(name string, parent *Node, accs ...Access) (*Node, bool) {
	n := new(Node)
	p.names[n] = name
	n.Init(parent, len(accs))
	for _, a := range accs {
		n.Declare(&a, false)
	}
	return n, n.Register(p.mb)
}

func (p *program) finish(n *Node) {
	n.Finish(p.mb)
	n.Drop(p.mb)
}

// TestOverlap checks that whatever shares a byte is ordered, in the short list of a domain and in its table, and what
// shares none is not, whoever the other one is.
func TestOverlap(t *testing.T) {
	x := make([]int64, 16)
	item := InOutSlice(x[4:12])
	cases := []struct {
		name string
		part []int64
	}{
		{"contained", x[6:10]},
		{"containing", x[2:14]},
		{"left", x[2:6]},
		{"right", x[10:14]},
		{"same start, shorter", x[4:8]},
		{"same start, longer", x[4:14]},
		{"same end", x[8:12]},
		{"one element", x[11:12]},
	}
	for _, others := range []int{0, 100} {
		for _, c := range cases {
			t.Run(fmt.Sprintf("%s/others=%d", c.name, others), func(t *testing.T) {
				p := newProgram()
				parent, _ := p.spawn("parent", p.root, item)
				far := make([]int64, others)
				for _, domain := range []*Node{p.root, parent} {
					for i := range far {
						p.spawn("other", domain, In(&far[i]))
					}
				}
				part := InSlice(c.part)

				sibling, ready := p.spawn("sibling", p.root, part)
				require.False(t, ready, "against a sibling")
				within, ready := p.spawn("within", parent, item, part)
				require.True(t, ready, "within a task")
				require.Nil(t, p.mb.TakeReady())
				younger, ready := p.spawn("younger", parent, InOutSlice(c.part))
				require.False(t, ready, "against a sibling below the parent's access")
				_, ready = p.spawn("beside", p.root, InOutSlice(x[:2]), InOutSlice(x[14:]))
				require.True(t, ready)

				p.finish(parent)
				require.Nil(t, p.mb.TakeReady())
				p.finish(within)
				require.Same(t, younger, p.mb.TakeReady())
				p.finish(younger)
				require.Same(t, sibling, p.mb.TakeReady())
			})
		}
	}
}

func TestDisjointNeighbours(t *testing.T) {
	x := make([]byte, 4096)
	p := newProgram()
	for _, step := range []int{2, 1} { // even tiles first, then those between them
		for i := step - 1; i < 512; i += 2 {
			tile := x[8*i : 8*i+8]
			_, ready := p.spawn("tile", p.root, InOutSlice(tile))
			require.True(t, ready)
		}
	}
	for i := range 512 {
		_, ready := p.spawn("again", p.root, InSlice(x[8*i:8*i+8]))
		require.False(t, ready)
	}
}

// TestWaitedShrinks checks that a taskwait empties a domain and gives a table away that is much too large.
func TestWaitedShrinks(t *testing.T) {
	p := newProgram()
	arena := make([]int64, 100_000)
	var running []*Node
	for i := range arena {
		n, ready := p.spawn("", p.root, InOut(&arena[i]))
		require.True(t, ready)
		running = append(running, n)
	}
	require.Equal(t, len(arena), p.root.domain.used)
	for _, n := range running {
		p.finish(n)
	}
	p.root.Waited(p.mb)
	require.Zero(t, p.root.domain.used)
	n, ready := p.spawn("", p.root, InOut(&arena[0]))
	require.True(t, ready)
	p.finish(n)
	p.root.Waited(p.mb)
	require.Equal(t, fewEntries, len(p.root.domain.entries))
}

// TestManyItems checks that every one of 10⁵ items is found again: a second task on it is ordered behind the first.
func TestManyItems(t *testing.T) {
	count := 100_000
	if race.Enabled {
		count = 10_000
	}
	for _, size := range []uintptr{1, 8, 4096} {
		p := newProgram()
		bytes := uintptr(count) * size
		var arena []byte
		if size < 4096 {
			arena = make([]byte, bytes)
		} else {
			arena = make([]byte, bytes/4) // only addresses that differ in high bits matter
			count /= 4
		}
		at := func(i int) Access {
			return Access{ptr: unsafe.Pointer(&arena[uintptr(i)*size]), size: size, kind: KindInOut}
		}
		first := make([]*Node, count)
		for i := range count {
			n, ready := p.spawn("", p.root, at(i))
			require.True(t, ready)
			first[i] = n
		}
		second := make([]*Node, count)
		for i := range count {
			n, ready := p.spawn("", p.root, at(i))
			require.False(t, ready)
			second[i] = n
		}
		for i := range count {
			p.finish(first[i])
			require.Same(t, second[i], p.mb.TakeReady())
		}
	}
}

// TestManyAccesses checks duplicates among more accesses than are compared one by one.
func TestManyAccesses(t *testing.T) {
	items := make([]int64, 100)
	accs := make(List, 0, 1000)
	for i := range 1000 {
		a := In(&items[i%100])
		switch {
		case i%100 == 7 && i > 900:
			a = Out(&items[7])
		case i%100 == 8 && i < 900:
			a = Weak(a)
		case i%100 == 9:
			a = Weak(a)
		}
		accs = append(accs, a)
	}
	p := newProgram()
	n, ready := p.spawn("n", p.root, accs...)
	require.True(t, ready)
	require.Equal(t, 100, n.Accesses())
	got := map[unsafe.Pointer]Access{}
	for i := range n.Accesses() {
		a := n.Access(i)
		got[a.ptr] = a
	}
	require.Len(t, got, 100)
	for i := range items {
		want := In(&items[i])
		switch i {
		case 7:
			want.kind = KindInOut
		case 9:
			want = Weak(want)
		}
		require.Equal(t, want, got[unsafe.Pointer(&items[i])], "item %d", i)
	}
	m, ready := p.spawn("m", p.root, accs...)
	require.False(t, ready)
	p.finish(n)
	require.Same(t, m, p.mb.TakeReady())
	require.Nil(t, p.mb.TakeReady())
}

// TestRecycledNode checks that a node may serve again, with more and with fewer accesses, once it is free.
func TestRecycledNode(t *testing.T) {
	p := newProgram()
	items := make([]int64, 64)
	n := new(Node)
	for _, count := range []int{1, 4, 40, 0, 2, 64, 3} {
		n.Init(p.root, count)
		for i := range count {
			a := InOut(&items[i])
			n.Declare(&a, false)
		}
		require.True(t, n.Register(p.mb))
		require.Equal(t, count, n.Accesses())
		n.Finish(p.mb)
		n.Drop(p.mb)
		p.root.Waited(p.mb)
		require.Same(t, n, p.mb.TakeFree())
		require.Nil(t, n.Link)
	}
}

// TestLongMessageChain checks that a chain that was built before its first task ends passes on without recursion: a
// hundred thousand weak accesses in a row, all transparent.
func TestLongMessageChain(t *testing.T) {
	p := newProgram()
	var x int64
	first, ready := p.spawn("first", p.root, InOut(&x))
	require.True(t, ready)
	for range 100_000 {
		n, ready := p.spawn("weak", p.root, Weak(InOut(&x)))
		require.True(t, ready)
		p.finish(n)
	}
	last, ready := p.spawn("last", p.root, InOut(&x))
	require.False(t, ready)
	p.finish(first)
	require.Same(t, last, p.mb.TakeReady())
	require.LessOrEqual(t, len(p.mb.msgs), 64, "a chain needs no more messages at once than a pair does")
	runtime.KeepAlive(&x)
}

// TestDeclaredText pins how accesses are written in messages.
func TestDeclaredText(t *testing.T) {
	x := make([]int32, 4)
	for want, a := range map[string]Access{
		"in [%p,+4)":               In(&x[0]),
		"out [%p,+4)":              Out(&x[0]),
		"inout [%p,+16)":           InOutSlice(x),
		"concurrent [%p,+4)":       Concurrent(&x[0]),
		"weak commutative [%p,+8)": Weak(CommutativeSlice(x[:2])),
	} {
		assert.Equal(t, fmt.Sprintf(want, &x[0]), a.String())
		p, n := a.Region()
		assert.Equal(t, unsafe.Pointer(&x[0]), p)
		assert.NotZero(t, n)
		assert.False(t, a.Empty())
	}
	for _, a := range []Access{{}, In[int](nil), In(&struct{}{}), InSlice([]int{}), InSlice([]int(nil)), InSlice(x[:0])} {
		assert.True(t, a.Empty())
	}
}

// TestWaitersBehindParts: who waits for a part of an access is found, behind others, too; who waits for the combination of
// a reduction is.
func TestWaitersBehindParts(t *testing.T) {
	x := make([]int64, 8)
	p := newProgram()
	w, _ := p.spawn("writer", p.root, InOutSlice(x))
	p.spawn("left", p.root, InSlice(x[:4]))
	p.spawn("right", p.root, InOutSlice(x[4:]))
	p.spawn("last", p.root, InOutSlice(x[5:6]))
	var into [8]Waiter
	n := w.Waiters(into[:], nil, 0)
	var names []string
	for i := range into[:n] {
		require.True(t, into[i].Waits())
		names = append(names, p.names[into[i].Node])
	}
	require.ElementsMatch(t, []string{"left", "right", "last"}, names)
}

// TestMarksStayOnTheirBytes: a reader of more than what failed passes on the failure of a part as one of that part, along
// whole accesses, fragments and history alike.
func TestMarksStayOnTheirBytes(t *testing.T) {
	for _, when := range []string{"early", "held", "history"} {
		held := when == "held"
		x := make([]int64, 8)
		p := newProgram()
		boom := errors.New("boom")
		gate, _ := p.spawn("gate", p.root, OutSlice(x))
		if !held {
			p.finish(gate)
		}
		bad, _ := p.spawn("bad", p.root, InOutSlice(x[:4]))
		good, _ := p.spawn("good", p.root, InOutSlice(x[4:]))
		bad.Fail(boom)
		if when == "history" {
			p.finish(bad)
			p.finish(good)
		}
		r1, _ := p.spawn("reader", p.root, InSlice(x))
		r2, _ := p.spawn("another", p.root, InSlice(x))
		left, _ := p.spawn("left", p.root, InOutSlice(x[2:4]))
		right, _ := p.spawn("right", p.root, InOutSlice(x[4:6]))
		if held {
			p.finish(gate)
		}
		if when != "history" {
			p.finish(bad)
			p.finish(good)
		}
		require.Equal(t, boom, r1.Cause())
		require.Equal(t, boom, r2.Cause())
		for _, n := range []*Node{r1, r2} {
			n.Fail(boom)
			p.finish(n)
		}
		require.Equal(t, boom, left.Cause())
		require.NoError(t, right.Cause())
		left.Fail(boom)
		p.finish(left)
		p.finish(right)
		late, ready := p.spawn("late", p.root, InSlice(x)) // takes what history leaves
		require.True(t, ready)
		require.Equal(t, boom, late.Cause())
		late.Fail(boom)
		p.finish(late)
		last, ready := p.spawn("last", p.root, InOutSlice(x[4:]))
		require.True(t, ready)
		require.NoError(t, last.Cause())
		p.finish(last)
	}
}
