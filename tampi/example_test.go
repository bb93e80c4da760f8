package tampi_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

// inTasks runs main as a task on each of n ranks, and prints what goes wrong. Each rank has a runtime with one worker:
// plain blocking calls in two tasks would stop it.
func inTasks(n int, main func(t *tasks.Task, w *mpi.Comm) error) {
	err := mpi.Run(context.Background(), mpi.Config{Ranks: n}, func(ctx context.Context, w *mpi.Comm) error {
		rt, err := tasks.New(tasks.Config{Workers: 1})
		if err != nil {
			return err
		}
		defer rt.Close()
		return rt.Run(ctx, func(t *tasks.Task) error { return main(t, w) })
	})
	if err != nil {
		fmt.Println(err)
	}
}

// Two ranks exchange blocks in both modes. A receiving task blocks in [tampi.Recv] and uses what came; or it is over at
// once with [tampi.Irecv], and its successors use what came. Computation on other blocks goes on meanwhile.
func Example() {
	err := mpi.Run(context.Background(), mpi.Config{Ranks: 2}, func(ctx context.Context, world *mpi.Comm) error {
		rt, err := tasks.New(tasks.Config{Workers: 1})
		if err != nil {
			return err
		}
		defer rt.Close()
		me, other := world.Rank(), 1-world.Rank()
		const blocking, nonblocking = 0, 1 // tags
		var mine, a, b [4]int
		return rt.Run(ctx, func(t *tasks.Task) error {
			tasks.Spawn(t, func() {
				for i := range mine {
					mine[i] = 10*me + i
				}
			}, deps.Out(&mine))

			// Blocking mode: the task waits, its core does not.
			tasks.Spawn(t, func(t *tasks.Task) error {
				return tampi.Send(t, world, mine[:], other, blocking)
			}, deps.In(&mine))
			tasks.Spawn(t, func(t *tasks.Task) error {
				st, err := tampi.Recv(t, world, a[:], other, blocking)
				if me == 0 {
					fmt.Println("blocking:", a, "from", st.Source)
				}
				return err
			}, deps.Out(&a))

			// Non-blocking mode: the body is over at once, the task is when the message has been sent or has come.
			tasks.Spawn(t, func(t *tasks.Task) error {
				return tampi.Isend(t, world, mine[:], other, nonblocking)
			}, deps.In(&mine))
			tasks.Spawn(t, func(t *tasks.Task) error {
				return tampi.Irecv(t, world, b[:], other, nonblocking, nil)
			}, deps.Out(&b))
			tasks.Spawn(t, func() {
				if me == 0 {
					fmt.Println("non-blocking:", b)
				}
			}, deps.In(&b), deps.In(&a))
			return t.Wait()
		})
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// blocking: [10 11 12 13] from 1
	// non-blocking: [10 11 12 13]
}

func ExampleRecv() {
	inTasks(2, func(t *tasks.Task, w *mpi.Comm) error {
		if w.Rank() == 1 {
			return tampi.Send(t, w, []int{1, 2, 3}, 0, 7)
		}
		x := make([]int, 5)
		st, err := tampi.Recv(t, w, x, mpi.AnySource, mpi.AnyTag)
		fmt.Println(x[:st.Count], "from", st.Source, "tag", st.Tag)
		return err
	})
	// Output: [1 2 3] from 1 tag 7
}

// Synchronous sends to oneself: with a single worker, the plain calls would wait for ever.
func ExampleSsend() {
	inTasks(1, func(t *tasks.Task, w *mpi.Comm) error {
		x := make([]int, 1)
		tasks.Spawn(t, func(t *tasks.Task) error { return tampi.Ssend(t, w, []int{42}, 0, 0) })
		tasks.Spawn(t, func(t *tasks.Task) error {
			_, err := tampi.Recv(t, w, x, 0, 0)
			return err
		})
		err := t.Wait()
		fmt.Println(x)
		return err
	})
	// Output: [42]
}

func ExampleRsend() {
	inTasks(1, func(t *tasks.Task, w *mpi.Comm) error {
		x := make([]int, 1)
		r, err := mpi.Irecv(w, x, 0, 0)
		if err != nil {
			return err
		}
		if err := tampi.Rsend(t, w, []int{42}, 0, 0); err != nil { // the receive is there
			return err
		}
		_, err = tampi.Wait(t, r)
		fmt.Println(x, errors.Is(tampi.Rsend(t, w, x, 0, 0), mpi.ErrNotPosted))
		return err
	})
	// Output: [42] true
}

func ExampleBsend() {
	inTasks(1, func(t *tasks.Task, w *mpi.Comm) error {
		if err := mpi.BufferAttach(w, 8+mpi.BsendOverhead); err != nil {
			return err
		}
		if err := tampi.Bsend(t, w, []int{42}, 0, 0); err != nil { // never waits
			return err
		}
		fmt.Println(errors.Is(tampi.Ibsend(t, w, []int{43}, 0, 0), mpi.ErrBuffer)) // no room for a second
		x := make([]int, 1)
		_, err := tampi.Recv(t, w, x, 0, 0)
		fmt.Println(x)
		return err
	})
	// Output:
	// true
	// [42]
}

// All ranks of a ring pass something on.
func ExampleSendrecv() {
	inTasks(3, func(t *tasks.Task, w *mpi.Comm) error {
		n, me := w.Size(), w.Rank()
		x := make([]int, 1)
		st, err := tampi.Sendrecv(t, w, []int{10 * me}, (me+1)%n, 0, x, (me+n-1)%n, 0)
		if me == 0 {
			fmt.Println(x, "from", st.Source)
		}
		return err
	})
	// Output: [20] from 2
}

// A receiver makes room for a message of unknown length.
func ExampleProbe() {
	inTasks(2, func(t *tasks.Task, w *mpi.Comm) error {
		if w.Rank() == 1 {
			return tampi.Send(t, w, []int32{1, 2, 3}, 0, 7)
		}
		st, err := tampi.Probe(t, w, 1, mpi.AnyTag)
		if err != nil {
			return err
		}
		x := make([]int32, mpi.GetCount[int32](st))
		_, err = tampi.Recv(t, w, x, st.Source, st.Tag)
		fmt.Println(x, "tag", st.Tag)
		return err
	})
	// Output: [1 2 3] tag 7
}

// A task starts a receive early, computes, and gives its core away only when there is nothing left to do.
func ExampleWait() {
	inTasks(2, func(t *tasks.Task, w *mpi.Comm) error {
		if w.Rank() == 1 {
			return tampi.Send(t, w, []int{1, 2, 3}, 0, 0)
		}
		x := make([]int, 3)
		r, err := mpi.Irecv(w, x, 1, 0)
		if err != nil {
			return err
		}
		half := 21
		st, err := tampi.Wait(t, r)
		fmt.Println(2*half, x, st.Count)
		return err
	})
	// Output: 42 [1 2 3] 3
}

func ExampleWaitall() {
	inTasks(2, func(t *tasks.Task, w *mpi.Comm) error {
		other := 1 - w.Rank()
		x := make([]int, 1)
		in, err := mpi.Irecv(w, x, other, 0)
		if err != nil {
			return err
		}
		out, err := mpi.Issend(w, []int{w.Rank()}, other, 0)
		if err != nil {
			return err
		}
		sts, err := tampi.Waitall(t, []*mpi.Request{in, out, nil})
		if w.Rank() == 0 {
			fmt.Println(x, "from", sts[0].Source)
		}
		return err
	})
	// Output: [1] from 1
}

// The status is declared like the data: both belong to the request until the task is complete.
func ExampleIwait() {
	inTasks(2, func(t *tasks.Task, w *mpi.Comm) error {
		if w.Rank() == 1 {
			return tampi.Send(t, w, []int{1, 2, 3}, 0, 7)
		}
		var x [3]int
		var st mpi.Status
		tasks.Spawn(t, func(t *tasks.Task) error {
			r, err := mpi.Irecv(w, x[:], mpi.AnySource, mpi.AnyTag)
			if err != nil {
				return err
			}
			return tampi.Iwait(t, r, &st) // returns at once
		}, deps.Out(&x), deps.Out(&st))
		tasks.Spawn(t, func() { fmt.Println(x, "tag", st.Tag) }, deps.In(&x), deps.In(&st))
		return t.Wait()
	})
	// Output: [1 2 3] tag 7
}

// A body that starts only when its message is there: no stack, no core, no goroutine waits.
func ExampleIwait_onReady() {
	inTasks(2, func(t *tasks.Task, w *mpi.Comm) error {
		if w.Rank() == 1 {
			return tampi.Send(t, w, []int{1, 2, 3}, 0, 7)
		}
		var x [3]int
		tasks.Spawn(t, func() { fmt.Println(x) }, deps.Out(&x), tasks.OnReady(func(t *tasks.Task) {
			r, err := mpi.Irecv(w, x[:], 1, 7)
			if err == nil {
				err = tampi.Iwait(t, r, nil)
			}
			if err != nil {
				t.Hold()(err) // fails the task
			}
		}))
		return t.Wait()
	})
	// Output: [1 2 3]
}

func ExampleIwaitall() {
	inTasks(2, func(t *tasks.Task, w *mpi.Comm) error {
		me, other := w.Rank(), 1-w.Rank()
		var x [2]int
		sts := make([]mpi.Status, 3)
		out := []int{10 * me}
		tasks.Spawn(t, func(t *tasks.Task) error {
			a, err1 := mpi.Irecv(w, x[:1], other, 0)
			b, err2 := mpi.Irecv(w, x[1:], me, 0)
			c, err3 := mpi.Isend(w, out, other, 0)
			d, err4 := mpi.Isend(w, out, me, 0)
			err5 := tampi.Iwaitall(t, []*mpi.Request{a, b, nil}, sts)
			err6 := tampi.Iwaitall(t, []*mpi.Request{c, d}, nil) // statuses are of no interest
			return errors.Join(err1, err2, err3, err4, err5, err6)
		}, deps.Out(&x), deps.OutSlice(sts), deps.InSlice(out))
		tasks.Spawn(t, func() {
			if me == 0 {
				fmt.Println(x, "from", sts[0].Source, sts[1].Source)
			}
		}, deps.In(&x), deps.InSlice(sts))
		return t.Wait()
	})
	// Output: [10 0] from 1 0
}

// A task may be bound to any number of messages, and block for others.
func ExampleIrecv() {
	inTasks(2, func(t *tasks.Task, w *mpi.Comm) error {
		if w.Rank() == 1 {
			out := []int{1, 2, 3}
			if err := tampi.Barrier(t, w); err != nil { // the receives are posted: Irsend is allowed
				return err
			}
			tasks.Spawn(t, func(t *tasks.Task) error { return tampi.Isend(t, w, out[:1], 0, 0) }, deps.InSlice(out))
			tasks.Spawn(t, func(t *tasks.Task) error { return tampi.Issend(t, w, out[1:2], 0, 1) }, deps.InSlice(out))
			tasks.Spawn(t, func(t *tasks.Task) error { return tampi.Irsend(t, w, out[2:], 0, 2) }, deps.InSlice(out))
			return t.Wait()
		}
		var x [3]int
		var sts [3]mpi.Status
		tasks.Spawn(t, func(t *tasks.Task) error {
			for i := range x {
				if err := tampi.Irecv(t, w, x[i:i+1], 1, i, &sts[i]); err != nil {
					return err
				}
			}
			return tampi.Barrier(t, w)
		}, deps.Out(&x), deps.Out(&sts))
		tasks.Spawn(t, func() { fmt.Println(x, sts[2].Tag) }, deps.In(&x), deps.In(&sts))
		return t.Wait()
	})
	// Output: [1 2 3] 2
}
