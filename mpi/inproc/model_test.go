package inproc

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/gompss/gompss/mpi/internal/transport"
	"github.com/stretchr/testify/require"
)

// model is the matching rules of MPI written down as plainly as possible: one list of receives in the order posted, one of
// messages in the order sent, searched from the front.
type model struct {
	limits Limits
	posted [][]*transport.Op // by receiver
	sent   [][]*transport.Op // by receiver
	kept   map[*transport.Op]bool
	room   map[[2]int]int
	data   map[*transport.Op]byte // what was sent
}

func world(op *transport.Op) int { return op.Ctx.Group[op.Ctx.Rank] }

func fits(r, m *transport.Op) bool {
	return r.Ctx.ID == m.Ctx.ID &&
		(r.Peer == transport.AnySource || r.Peer == int32(m.Ctx.Rank)) &&
		(r.Tag == transport.AnyTag || r.Tag == m.Tag)
}

// start returns which operations must be complete after op, and for receives, which message they got.
func (x *model) start(op *transport.Op) map[*transport.Op]*transport.Op {
	done := map[*transport.Op]*transport.Op{}
	if op.Kind != transport.Send {
		at := world(op)
		i := slices.IndexFunc(x.sent[at], func(m *transport.Op) bool { return fits(op, m) })
		if i < 0 {
			x.posted[at] = append(x.posted[at], op)
			return done
		}
		m := x.sent[at][i]
		done[op] = m
		if op.Kind == transport.Recv {
			x.sent[at] = slices.Delete(x.sent[at], i, i+1)
			x.take(m, at, done)
		}
		return done
	}
	to := op.Ctx.Group[op.Peer]
	for i := 0; i < len(x.posted[to]); i++ {
		r := x.posted[to][i]
		if !fits(r, op) || r.Kind == transport.Probe {
			continue
		}
		x.posted[to] = slices.Delete(x.posted[to], i, i+1)
		done[r], done[op] = op, nil
		return done
	}
	if op.Mode == transport.Ready {
		done[op] = nil
		return done
	}
	pair := [2]int{world(op), to}
	if op.Mode == transport.Standard && op.Len <= x.limits.Eager && x.room[pair]+letterCost+op.Len <= x.limits.Room {
		x.room[pair] += letterCost + op.Len
		x.kept[op] = true
		done[op] = nil
	}
	x.sent[to] = append(x.sent[to], op)
	x.posted[to] = slices.DeleteFunc(x.posted[to], func(p *transport.Op) bool {
		if fits(p, op) {
			done[p] = op
			return true
		}
		return false
	})
	return done
}

// take completes the send of the message m, if its sender still waits.
func (x *model) take(m *transport.Op, at int, done map[*transport.Op]*transport.Op) {
	if x.kept[m] {
		x.room[[2]int{world(m), at}] -= letterCost + m.Len
	} else {
		done[m] = nil
	}
}

type owner struct{}

func (owner) OpDone(*transport.Op) *transport.Op { return nil }

// TestMatchingAgainstModel runs random programs of sends, receives, probes and cancellations, with and without wildcards,
// on two communicators of which one numbers the ranks backwards, and compares every completion with the model's.
func TestMatchingAgainstModel(t *testing.T) {
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 1))
		ranks, tags := 1+r.IntN(4), 1+r.IntN(40)
		limits := Limits{Eager: []int{-1, 0, 16, 1 << 20}[r.IntN(4)], Room: []int{0, 1000, 1 << 20}[r.IntN(3)]}
		require.NoError(t, program(r, ranks, tags, limits), "seed %d, %d ranks, %d tags, %+v", seed, ranks, tags, limits)
	}
}

func program(r *rand.Rand, ranks, tags int, limits Limits) error {
	net := New(ranks, limits)
	x := &model{limits, make([][]*transport.Op, ranks), make([][]*transport.Op, ranks), map[*transport.Op]bool{}, map[[2]int]int{}, map[*transport.Op]byte{}}
	var group, reverse []int
	for i := range ranks {
		group, reverse = append(group, i), append(reverse, ranks-1-i)
	}
	wild := r.IntN(3) // none, some, many
	receives := 30 + r.IntN(50)
	for i := range 600 {
		me := r.IntN(ranks)
		ctx := &transport.Context{ID: 1, Group: group, Rank: me}
		if r.IntN(3) == 0 {
			ctx = &transport.Context{ID: 2, Group: reverse, Rank: ranks - 1 - me}
		}
		op := &transport.Op{Owner: owner{}, Ctx: ctx, Peer: int32(r.IntN(ranks)), Tag: int32(r.IntN(tags)), ID: uint64(i)}
		op.Len = r.IntN(100)
		buf := make([]byte, op.Len)
		op.Buf = unsafe.Pointer(unsafe.SliceData(buf))
		if r.IntN(100) < receives {
			op.Kind = []transport.Kind{transport.Recv, transport.Recv, transport.Recv, transport.Probe}[r.IntN(4)]
			if r.IntN(4) < wild {
				op.Peer = transport.AnySource
			}
			if r.IntN(4) < wild {
				op.Tag = transport.AnyTag
			}
		} else {
			op.Mode = []transport.Mode{transport.Standard, transport.Standard, transport.Sync, transport.Ready}[r.IntN(4)]
			x.data[op] = byte(i)
			for j := range buf {
				buf[j] = byte(i)
			}
		}
		if err := compare(x, x.start(op), net.Endpoint(me).Start(op)); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
		if r.IntN(10) == 0 {
			if err := cancelOne(r, x, net); err != nil {
				return fmt.Errorf("step %d: %w", i, err)
			}
		}
	}
	return drain(x, net)
}

// compare checks the operations that became complete, and what the receives among them got.
func compare(x *model, want map[*transport.Op]*transport.Op, got *transport.Op) error {
	n := 0
	for ; got != nil; got = got.Next {
		n++
		m, ok := want[got]
		if !ok {
			return fmt.Errorf("unexpected completion of %v", describe(got))
		}
		if m == nil {
			continue
		}
		res := got.Result
		if res.ID != m.ID || res.Source != int32(m.Ctx.Rank) || res.Tag != m.Tag || res.Len != m.Len {
			return fmt.Errorf("%v got %+v instead of message %d", describe(got), res, m.ID)
		}
		if got.Kind == transport.Recv {
			for _, b := range unsafe.Slice((*byte)(got.Buf), min(got.Len, m.Len)) {
				if b != x.data[m] {
					return errors.New("wrong data")
				}
			}
		}
	}
	if n != len(want) {
		return fmt.Errorf("%d completions instead of %d", n, len(want))
	}
	return nil
}

// cancelOne takes back a random posted receive or probe.
func cancelOne(r *rand.Rand, x *model, net *Network) error {
	at := r.IntN(len(x.posted))
	if len(x.posted[at]) == 0 {
		return nil
	}
	i := r.IntN(len(x.posted[at]))
	op := x.posted[at][i]
	x.posted[at] = slices.Delete(x.posted[at], i, i+1)
	if net.Endpoint(at).Cancel(op) != op || !op.Result.Cancelled {
		return errors.New("receive not cancelled")
	}
	if net.Endpoint(at).Cancel(op) != nil {
		return errors.New("receive cancelled twice")
	}
	return nil
}

// drain aborts the network and checks that exactly what the model holds fails.
func drain(x *model, net *Network) error {
	cause := errors.New("over")
	for at := range x.posted {
		waiting := len(x.posted[at])
		for _, m := range x.sent[at] {
			if !x.kept[m] {
				waiting++
			}
		}
		if n := len(net.Endpoint(at).Pending()); n != waiting {
			return fmt.Errorf("%d pending instead of %d", n, waiting)
		}
		for op := net.Endpoint(at).Abort(cause); op != nil; op = op.Next {
			waiting--
			if op.Result.Err != cause {
				return errors.New("aborted without the cause")
			}
		}
		b := &net.boxes[at]
		if waiting != 0 || b.posted.n+b.arrived.n != 0 || b.wild.head != nil || b.order.head != nil || b.probes.head != nil {
			return errors.New("something is left after the abort")
		}
		for s, n := range b.room {
			if n != 0 {
				return fmt.Errorf("%d bytes of rank %d are still charged", n, s)
			}
		}
	}
	return nil
}
