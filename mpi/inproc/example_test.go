package inproc_test

import (
	"fmt"
	"unsafe"

	"github.com/gompss/gompss/mpi/inproc"
	"github.com/gompss/gompss/mpi/internal/transport"
)

// receipt says when an operation is complete.
type receipt string

func (r receipt) OpDone(op *transport.Op) *transport.Op {
	fmt.Println(r, "of tag", op.Tag)
	return nil
}

func ExampleNew() {
	net := inproc.New(2, inproc.Limits{Eager: 1024, Room: 1 << 20})
	here, there := net.Endpoint(0), net.Endpoint(1)

	x, y, group := []byte("hello"), make([]byte, 5), []int{0, 1}
	recv := &transport.Op{
		Kind: transport.Recv, Ctx: &transport.Context{Group: group, Rank: 1}, Peer: transport.AnySource, Tag: 7,
		Buf: unsafe.Pointer(&y[0]), Len: len(y), Owner: receipt("receive"),
	}
	send := &transport.Op{
		Kind: transport.Send, Ctx: &transport.Context{Group: group, Rank: 0}, Peer: 1, Tag: 7,
		Buf: unsafe.Pointer(&x[0]), Len: len(x), Owner: receipt("send"),
	}
	transport.Complete(there.Start(recv))
	transport.Complete(here.Start(send)) // arrives second: does the match and the copy, completes both
	fmt.Println(string(y))
	// Output:
	// send of tag 7
	// receive of tag 7
	// hello
}

func ExampleNetwork_Endpoint() {
	net := inproc.New(1, inproc.Limits{})
	_, found := net.Endpoint(0).Iprobe(&transport.Context{Group: []int{0}}, transport.AnySource, transport.AnyTag)
	fmt.Println(found)
	// Output: false
}
