// Racecheck runs one small program under one schedule. Its test builds it with -race and looks whether the detector
// reports exactly those programs that leave something out.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

// programs come in a right form and in one that leaves out a dependency, a message or a wait. Each is run by both ranks of
// a world of two; what they share here they share as goroutines of one process.
var programs = map[string]func(w *mpi.Comm, right bool) error{
	// Two tasks of one rank that both send or receive are not ordered by that.
	"tampi.Send": twoTasks(func(t *tasks.Task, c *mpi.Comm, tag int) error {
		return tampi.Send(t, c, []int64{1}, 1, tag)
	}, receiveTwo),
	"tampi.Ssend": twoTasks(func(t *tasks.Task, c *mpi.Comm, tag int) error {
		return tampi.Ssend(t, c, []int64{1}, 1, tag)
	}, receiveTwo),
	"tampi.Isend": twoTasks(func(t *tasks.Task, c *mpi.Comm, tag int) error {
		return tampi.Isend(t, c, make([]int64, 4096), 1, tag)
	}, receiveTwo),
	"mpi.Send": twoTasks(func(_ *tasks.Task, c *mpi.Comm, tag int) error {
		return mpi.Send(c, []struct{ a, b int32 }{{1, 2}}, 1, tag)
	}, receiveTwo),
	"mpi.Bsend": twoTasks(func(_ *tasks.Task, c *mpi.Comm, tag int) error {
		if tag == 0 {
			_ = mpi.BufferAttach(c, 1000)
		}
		_ = mpi.Bsend(c, []int64{1}, 1, tag) // without a buffer it is not sent
		return mpi.Send(c, []int64{1}, 1, tag)
	}, receiveTwo),
	"tampi.Recv": twoTasks(func(t *tasks.Task, c *mpi.Comm, tag int) error {
		_, err := tampi.Recv(t, c, make([]int64, 1), 1, tag)
		return err
	}, sendTwo),
	"tampi.Irecv": twoTasks(func(t *tasks.Task, c *mpi.Comm, tag int) error {
		return tampi.Irecv(t, c, make([]int64, 1), 1, tag, nil)
	}, sendTwo),
	"mpi.Recv": twoTasks(func(_ *tasks.Task, c *mpi.Comm, tag int) error {
		_, err := mpi.Recv(c, make([]int64, 1), 1, tag)
		return err
	}, sendTwo),
	"tampi.Iallreduce": twoTasks(func(t *tasks.Task, c *mpi.Comm, tag int) error {
		return tampi.Iallreduce(t, comms(c)[tag], []int64{1}, make([]int64, 1), mpi.Sum)
	}, allreduceTwo),
	"tampi.Allreduce": twoTasks(func(t *tasks.Task, c *mpi.Comm, tag int) error {
		return tampi.Allreduce(t, comms(c)[tag], []int64{1}, make([]int64, 1), mpi.Sum)
	}, func(w *mpi.Comm) error {
		two := comms(w)
		return allreduceBoth(two[0].AsBlocking(), two[1].AsBlocking())
	}),

	// Whoever completes two receives does not order what waits for them.
	"completer": func(w *mpi.Comm, right bool) error {
		if w.Rank() == 1 {
			return sendTwo(w)
		}
		comms(w)
		return run(func(t *tasks.Task) {
			x, a, b := 0, make([]int64, 1), make([]int64, 1)
			tasks.Spawn(t, func(t *tasks.Task) error { x++; return tampi.Irecv(t, w, a, 1, 0, nil) }, deps.OutSlice(a), deps.Out(&x))
			tasks.Spawn(t, func(t *tasks.Task) error { return tampi.Irecv(t, w, b, 1, 1, nil) }, deps.OutSlice(b))
			if right {
				tasks.Spawn(t, func() { x += int(b[0]) }, deps.InSlice(b), deps.InOut(&x))
			} else {
				tasks.Spawn(t, func() { x += int(b[0]) }, deps.InSlice(b))
			}
		})
	},

	// What is received is for the successors.
	"successor": func(w *mpi.Comm, right bool) error {
		if w.Rank() == 1 {
			return mpi.Send(w, []int64{7}, 0, 0)
		}
		return run(func(t *tasks.Task) {
			x, sum := make([]int64, 1), int64(0)
			tasks.Spawn(t, func(t *tasks.Task) error { return tampi.Irecv(t, w, x, 1, 0, nil) }, deps.OutSlice(x))
			if right {
				tasks.Spawn(t, func() { sum += x[0] }, deps.InSlice(x))
			} else {
				tasks.Spawn(t, func() { sum += x[0] })
			}
		})
	},
	"bound": func(w *mpi.Comm, right bool) error { // Irecv binds: the body itself may not look
		if w.Rank() == 1 {
			return mpi.Ssend(w, []int64{7}, 0, 0)
		}
		return run(func(t *tasks.Task) {
			x := make([]int64, 1)
			tasks.Spawn(t, func(t *tasks.Task) error {
				r, err := mpi.Irecv(w, x, 1, 0)
				if err == nil && right {
					_, err = tampi.Wait(t, r)
				}
				x[0]++
				return tampi.Iwait(t, r, nil)
			}, deps.OutSlice(x))
		})
	},

	// A message orders its ends.
	"message": ordered(func(w *mpi.Comm) error { return mpi.Send(w, []int64{1}, 1, 0) }, receive),
	"Isend": ordered(func(w *mpi.Comm) error { return started(mpi.Isend(w, []int64{1}, 1, 0)) }, func(w *mpi.Comm) error {
		return started(mpi.Irecv(w, make([]int64, 1), 0, 0))
	}),
	"Bsend": ordered(func(w *mpi.Comm) error {
		_ = mpi.BufferAttach(w, 1000)
		return mpi.Bsend(w, []int64{1}, 1, 0)
	}, receive),
	"Sendrecv": ordered(
		func(w *mpi.Comm) error { return second(mpi.Sendrecv(w, []int64{1}, 1, 0, []int64{0}, 1, 0)) },
		func(w *mpi.Comm) error { return second(mpi.Sendrecv(w, []int64{1}, 0, 0, []int64{0}, 0, 0)) }),
	"Waitany": ordered(func(w *mpi.Comm) error { return mpi.Ssend(w, []int64{1}, 1, 0) }, func(w *mpi.Comm) error {
		r, err := mpi.Irecv(w, []int64{0}, 0, 0)
		if err == nil {
			_, _, err = mpi.Waitany([]*mpi.Request{nil, r})
		}
		return err
	}),
	"Testsome": ordered(func(w *mpi.Comm) error { return mpi.Send(w, []int64{1}, 1, 0) }, func(w *mpi.Comm) error {
		r, err := mpi.Irecv(w, []int64{0}, 0, 0)
		for err == nil {
			var index []int
			if index, err = mpi.Testsome([]*mpi.Request{r}, nil); len(index) > 0 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		return err
	}),
	"Probe": ordered(func(w *mpi.Comm) error { return mpi.Send(w, []int64{1}, 1, 0) },
		func(w *mpi.Comm) error { return second(mpi.Probe(w, 0, mpi.AnyTag)) }),
	"Iprobe": ordered(func(w *mpi.Comm) error { return mpi.Send(w, []int64{1}, 1, 0) }, func(w *mpi.Comm) error {
		for {
			if _, ok, err := mpi.Iprobe(w, 0, 0); ok || err != nil {
				return err
			}
			time.Sleep(time.Millisecond)
		}
	}),
	"Mprobe": ordered(func(w *mpi.Comm) error { return mpi.Send(w, []int64{1}, 1, 0) },
		func(w *mpi.Comm) error {
			m, _, err := mpi.Mprobe(w, 0, 0)
			if err == nil {
				_, err = mpi.Mrecv(m, []int64{0})
			}
			return err
		}),
	"Bcast":     collective(func(w *mpi.Comm) error { return mpi.Bcast(w, []int64{0}, 0) }),
	"Barrier":   collective(mpi.Barrier),
	"Gather":    collective(func(w *mpi.Comm) error { return mpi.Gather(w, []int64{0}, make([]int64, 2), 1) }),
	"Allgather": collective(func(w *mpi.Comm) error { return mpi.Allgather(w, make([]int64, 4096), make([]int64, 8192)) }),
	"Alltoall":  collective(func(w *mpi.Comm) error { return mpi.Alltoall(w, make([]int64, 2), make([]int64, 2)) }),
	"Reduce":    collective(func(w *mpi.Comm) error { return mpi.Reduce(w, []int64{0}, make([]int64, 1), mpi.Sum, 1) }),
	"Scan":      collective(func(w *mpi.Comm) error { return mpi.Scan(w, []int64{0}, make([]int64, 1), mpi.Sum) }),

	// What waits for its receive is ordered after the receive's start; an eager send is not.
	"synchronous": func(w *mpi.Comm, right bool) error {
		if w.Rank() == 1 {
			shared++
			return receive(w)
		}
		send := mpi.Send[int64]
		if right {
			send = mpi.Ssend[int64]
		}
		time.Sleep(10 * time.Millisecond)
		err := send(w, []int64{1}, 1, 0)
		shared++
		return err
	},
	"rendezvous": func(w *mpi.Comm, right bool) error {
		x := make([]int64, 10)
		if right {
			x = make([]int64, 10000)
		}
		if w.Rank() == 1 {
			shared++
			_, err := mpi.Recv(w, x, 0, 0)
			return err
		}
		time.Sleep(10 * time.Millisecond)
		err := mpi.Send(w, x, 1, 0)
		shared++
		return err
	},
	"root": func(w *mpi.Comm, right bool) error { // the root of a Bcast learns nothing
		root := 0
		if right {
			root = 1
		}
		if w.Rank() == 1 {
			shared++
			return mpi.Bcast(w, []int64{0}, root)
		}
		err := mpi.Bcast(w, []int64{0}, root)
		shared++
		return err
	},

	// A buffer is its request's.
	"sent": func(w *mpi.Comm, right bool) error {
		x := make([]int64, 1)
		if w.Rank() == 1 {
			return receive(w)
		}
		r, err := mpi.Isend(w, x, 1, 0)
		return use(r, err, x, right)
	},
	"received": func(w *mpi.Comm, right bool) error {
		x := make([]int64, 1)
		if w.Rank() == 1 {
			return mpi.Send(w, x, 0, 0)
		}
		r, err := mpi.Irecv(w, x, 1, 0)
		return use(r, err, x, right)
	},
	"arrived": func(w *mpi.Comm, right bool) error { // also if the message is there already
		x := make([]int64, 1)
		if w.Rank() == 1 {
			return mpi.Send(w, x, 0, 0)
		}
		_, err := mpi.Probe(w, 1, 0)
		if err != nil {
			return err
		}
		r, err := mpi.Irecv(w, x, 1, 0)
		return use(r, err, x, right)
	},
	"combined": func(w *mpi.Comm, right bool) error {
		x := make([]int64, 1)
		r, err := mpi.Iallreduce(w, x, make([]int64, 1), mpi.Sum)
		return use(r, err, x, right)
	},
	"given up": func(w *mpi.Comm, right bool) error { // a freed send may show its arrival in an answer
		x := make([]int64, 1)
		if w.Rank() == 1 {
			return first(receive(w), mpi.Send(w, x, 0, 0))
		}
		r, err := mpi.Isend(w, x, 1, 0)
		err2 := r.Free()
		if right {
			_, err := mpi.Recv(w, make([]int64, 1), 1, 0)
			x[0]++
			return err
		}
		x[0]++
		_, err3 := mpi.Recv(w, make([]int64, 1), 1, 0)
		return first(err, err2, err3)
	},

	// A callback sees what came before it was given, and what came before the message.
	"OnDone": func(w *mpi.Comm, right bool) error {
		x, y := make([]int64, 1), 0
		if w.Rank() == 1 {
			time.Sleep(50 * time.Millisecond) // the callback comes first
			return mpi.Send(w, x, 0, 0)
		}
		r, err := mpi.Irecv(w, x, 1, 0)
		if err != nil {
			return err
		}
		over := make(chan bool, 1)
		if right {
			y++
		}
		r.OnDone(func(*mpi.Request) { y++; x[0]++; over <- true })
		if !right {
			y++
		}
		<-over
		return nil
	},
	"user's operation": func(w *mpi.Comm, right bool) error { // runs on whoever arrives last
		n := 0
		if right {
			n++
		}
		add := mpi.NewOp(func(in, inout []int64) { inout[0] += in[0]; n++ }, true)
		x := make([]int64, 1)
		r, err := mpi.Iallreduce(w, []int64{1}, x, add)
		if err != nil {
			return err
		}
		if !right {
			n++
		}
		_, err = r.Wait()
		if right {
			n += int(x[0])
		}
		return err
	},

	// Goroutines of one rank, without tasks.
	"goroutines": func(w *mpi.Comm, right bool) error {
		if w.Rank() == 1 {
			return receiveTwo(w)
		}
		comms(w)
		var mu sync.Mutex
		var wg sync.WaitGroup
		x := 0
		for tag := range 2 {
			wg.Go(func() {
				_ = mpi.Send(w, []int64{1}, 1, tag)
				if right {
					mu.Lock()
					defer mu.Unlock()
				}
				x++
			})
		}
		wg.Wait()
		return nil
	},
}

// twoTasks is a program in which two tasks of rank 0 talk to rank 1 each on its own, and both touch x.
func twoTasks(talk func(*tasks.Task, *mpi.Comm, int) error, other func(*mpi.Comm) error) func(*mpi.Comm, bool) error {
	return func(w *mpi.Comm, right bool) error {
		if w.Rank() == 1 {
			return other(w)
		}
		comms(w)
		return run(func(t *tasks.Task) {
			x, y, token := 0, 0, 0
			for tag := range 2 {
				body := func(t *tasks.Task) error {
					x++
					err := talk(t, w, tag)
					y++
					return err
				}
				if right {
					tasks.Spawn(t, body, deps.InOut(&token))
				} else {
					tasks.Spawn(t, body)
				}
			}
		})
	}
}

var (
	pairs   [2][2]*mpi.Comm
	makeTwo [2]sync.Once
)

// comms returns two duplicates of w, the same ones at each call.
func comms(w *mpi.Comm) *[2]*mpi.Comm {
	me := w.Rank()
	makeTwo[me].Do(func() {
		for i := range pairs[me] {
			pairs[me][i], _ = w.Dup()
		}
	})
	return &pairs[me]
}

func receiveTwo(w *mpi.Comm) error {
	comms(w)
	r, err := mpi.Irecv(w, make([]int64, 4096), 0, 0)
	s, err2 := mpi.Irecv(w, make([]int64, 4096), 0, 1)
	return first(err, err2, mpi.Waitall([]*mpi.Request{r, s}, nil))
}

func sendTwo(w *mpi.Comm) error {
	comms(w)
	time.Sleep(20 * time.Millisecond) // so that this goroutine completes both
	return first(mpi.Send(w, []int64{1}, 0, 0), mpi.Send(w, []int64{1}, 0, 1))
}

func allreduceTwo(w *mpi.Comm) error {
	two := comms(w)
	return allreduceBoth(two[0], two[1])
}

func allreduceBoth(c, d *mpi.Comm) error {
	r, err := mpi.Iallreduce(c, []int64{1}, make([]int64, 1), mpi.Sum)
	s, err2 := mpi.Iallreduce(d, []int64{1}, make([]int64, 1), mpi.Sum)
	return first(err, err2, mpi.Waitall([]*mpi.Request{r, s}, nil))
}

var shared int

// ordered is a program in which a call of rank 1 is ordered after one of rank 0. The wrong form touches shared too late.
func ordered(from, to func(*mpi.Comm) error) func(*mpi.Comm, bool) error {
	return func(w *mpi.Comm, right bool) error {
		if w.Rank() == 1 {
			err := to(w)
			shared++
			return err
		}
		if right {
			shared++
		}
		err := from(w)
		if !right {
			shared++
		}
		return err
	}
}

func collective(call func(*mpi.Comm) error) func(*mpi.Comm, bool) error { return ordered(call, call) }

func receive(w *mpi.Comm) error {
	_, err := mpi.Recv(w, make([]int64, 1), 0, 0)
	return err
}

func started(r *mpi.Request, err error) error {
	if err == nil {
		_, err = r.Wait()
	}
	return err
}

func second(_ mpi.Status, err error) error { return err }

// use touches x after r is complete, or before.
func use(r *mpi.Request, err error, x []int64, right bool) error {
	if err != nil {
		return err
	}
	if !right {
		x[0]++
	}
	_, err = r.Wait()
	x[0]++
	return err
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

var cfg tasks.Config

func run(body func(t *tasks.Task)) error {
	rt, err := tasks.New(cfg)
	if err != nil {
		return err
	}
	defer rt.Close()
	return rt.Run(context.Background(), func(t *tasks.Task) error { body(t); return nil })
}

// random chooses tasks. It is hidden from the race detector, as Config.Pick demands.
type random uint64

//go:norace
func (r *random) pick(n int) int {
	*r ^= *r << 13
	*r ^= *r >> 7
	*r ^= *r << 17
	return int(uint64(*r) % uint64(n))
}

func main() {
	name := flag.String("program", "", "which program")
	right := flag.Bool("right", false, "the right form")
	workers := flag.Int("workers", 1, "slots")
	seed := flag.Uint64("seed", 0, "of a one-at-a-time schedule; 0 is the real scheduler")
	flag.Parse()
	cfg.Workers = *workers
	if *seed != 0 {
		r := random(*seed)
		cfg.Workers, cfg.Pick = 1, r.pick
	}
	program := programs[*name]
	if program == nil {
		for n := range programs {
			fmt.Println(n)
		}
		return
	}
	time.AfterFunc(20*time.Second, func() { fmt.Fprintln(os.Stderr, "hung"); os.Exit(3) })
	err := mpi.Run(context.Background(), mpi.Config{Ranks: 2}, func(_ context.Context, w *mpi.Comm) error { return program(w, *right) })
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
