// Racecheck runs one small program under one schedule. Its test builds it with -race and looks whether the detector
// reports exactly those programs that leave an access out.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

// programs come in a right form and in one where a declaration is missing.
var programs = map[string]func(t *tasks.Task, right bool){
	"reader": func(t *tasks.Task, right bool) {
		x, sum := 0, 0
		tasks.Spawn(t, func() { x = 1 }, deps.Out(&x))
		if right {
			tasks.Spawn(t, func() { sum += x }, deps.In(&x), deps.InOut(&sum))
		} else {
			tasks.Spawn(t, func() { sum += x }, deps.InOut(&sum))
		}
	},
	"writer": func(t *tasks.Task, right bool) {
		x := 0
		tasks.Spawn(t, func() { x = 1 }, deps.Out(&x))
		tasks.Spawn(t, func() { _ = x + 1 }, deps.In(&x))
		if right {
			tasks.Spawn(t, func() { x++ }, deps.InOut(&x))
		} else {
			tasks.Spawn(t, func() { x++ }, deps.In(&x)) // says it reads, but writes
		}
	},
	// Two tasks that are ordered by a third item do not race; without it they do, although one worker runs them.
	"through": func(t *tasks.Task, right bool) {
		x, token := new(int), 0
		tasks.Spawn(t, func() { *x = 1 }, deps.Out(&token))
		if right {
			tasks.Spawn(t, func() { *x = 2 }, deps.In(&token))
		} else {
			tasks.Spawn(t, func() { *x = 2 })
		}
	},
	"parent": func(t *tasks.Task, right bool) {
		x := 0
		tasks.Spawn(t, func() { x = 1 }, deps.Out(&x))
		if right {
			_ = t.Wait()
		}
		x++
	},
	"waiton": func(t *tasks.Task, right bool) {
		x, y := 0, 0
		tasks.Spawn(t, func() { x, y = 1, 1 }, deps.Out(&x), deps.Out(&y))
		_ = t.WaitOn(deps.In(&x))
		if right {
			_ = t.WaitOn(deps.In(&y))
		} else {
			tasks.Spawn(t, func() { y = 2 }, deps.InOut(&y))
		}
		_ = y
	},
	"nested": func(t *tasks.Task, right bool) {
		x := 0
		outer := deps.Weak(deps.InOut(&x))
		tasks.Spawn(t, func(t *tasks.Task) { tasks.Spawn(t, func() { x++ }, deps.InOut(&x)) }, outer)
		if right {
			tasks.Spawn(t, func(t *tasks.Task) { tasks.Spawn(t, func() { x++ }, deps.InOut(&x)) }, outer)
		} else {
			tasks.Spawn(t, func(t *tasks.Task) { tasks.Spawn(t, func() { x++ }, deps.InOut(&x)) }) // not covered
		}
	},
	"released": func(t *tasks.Task, right bool) {
		x := 0
		tasks.Spawn(t, func(t *tasks.Task) {
			x = 1
			t.Release(deps.Out(&x))
			if !right {
				x = 2
			}
		}, deps.Out(&x))
		tasks.Spawn(t, func() { x++ }, deps.InOut(&x))
	},
	"commutative": func(t *tasks.Task, right bool) {
		x := 0
		a := deps.Commutative(&x)
		tasks.Spawn(t, func() { x++ }, a)
		if !right {
			a = deps.Concurrent(&x)
			tasks.Spawn(t, func() { x++ }, a)
		}
		tasks.Spawn(t, func() { x++ }, a)
	},
	"undeferred": func(t *tasks.Task, right bool) {
		x := 0
		tasks.Spawn(t, func() { x = 1 }, tasks.If(!right))
		x++
	},
	"hold": func(t *tasks.Task, right bool) {
		x := 0
		acc := deps.Out(&x)
		tasks.Spawn(t, func(t *tasks.Task) {
			done := t.Hold()
			go func() { x = 1; done(nil) }()
		}, acc)
		if right {
			tasks.Spawn(t, func() { x++ }, deps.InOut(&x))
		} else {
			tasks.Spawn(t, func() { x++ })
		}
	},
	"future": func(t *tasks.Task, right bool) {
		f := tasks.Async(t, func(*tasks.Task) (int, error) { return 1, nil })
		read := func(t *tasks.Task) {
			if right {
				_ = f.Value()
				return
			}
			for over := false; !over; t.Yield() {
				select {
				case <-f.Done():
					over = true
				default:
				}
			}
			_ = f.Value()
		}
		if right {
			tasks.Spawn(t, read, f.In())
		} else {
			tasks.Spawn(t, read)
		}
	},
	"get": func(t *tasks.Task, right bool) {
		x := 0
		f := tasks.Async(t, func(*tasks.Task) (int, error) { x = 1; return 1, nil })
		tasks.Spawn(t, func(t *tasks.Task) {
			if right {
				_, _ = f.Get(t)
			}
			x++
		})
	},
	"group": func(t *tasks.Task, right bool) {
		x := 0
		g, other := t.Group(nil), t.Group(nil)
		tasks.Spawn(t, func(t *tasks.Task) {
			tasks.Spawn(t, func() { x = 1 })
		}, tasks.InGroup(g))
		tasks.Spawn(t, func() {}, tasks.InGroup(other))
		if right {
			_ = g.Wait()
		}
		_ = other.Wait()
		x++
	},
	"stream": func(t *tasks.Task, right bool) {
		x, rt := 0, t.Runtime()
		for i := range 3 {
			id := 1
			if !right {
				id = i
			}
			rt.Stream(id).Go(func(*tasks.Task) error { x++; return nil }, nil)
			t.Yield()
		}
		_ = rt.SynchronizeStreams(t)
	},
	"synchronize": func(t *tasks.Task, right bool) {
		x, rt := 0, t.Runtime()
		rt.Stream(1).Go(func(*tasks.Task) error { x++; return nil }, nil)
		rt.Stream(2).Go(func(*tasks.Task) error { return nil }, nil)
		if right {
			_ = rt.Stream(1).Synchronize(t)
		} else {
			_ = rt.Stream(2).Synchronize(t)
		}
		x++
		_ = rt.SynchronizeStreams(t)
	},
	"iwait": func(t *tasks.Task, right bool) {
		err := mpi.Run(context.Background(), mpi.Config{Ranks: 2}, func(ctx context.Context, c *mpi.Comm) error {
			if c.Rank() == 1 {
				return mpi.Send(c, []int64{7}, 0, 0)
			}
			rt, err := tasks.New(tasks.Config{Workers: t.Runtime().Workers()})
			if err != nil {
				return err
			}
			defer rt.Close()
			return rt.Run(ctx, func(t *tasks.Task) error {
				x, sum := make([]int64, 1), int64(0)
				tasks.Spawn(t, func(t *tasks.Task) error { return tampi.Irecv(t, c, x, 1, 0, nil) }, deps.OutSlice(x))
				tasks.Spawn(t, func() { x[0]++ }, deps.InOutSlice(x))
				if right {
					tasks.Spawn(t, func() { sum += x[0] }, deps.InSlice(x))
				} else {
					tasks.Spawn(t, func() { sum += x[0] })
				}
				return nil
			})
		})
		if err != nil {
			panic(err)
		}
	},
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
	cfg := tasks.Config{Workers: *workers}
	if *seed != 0 {
		r := random(*seed)
		cfg.Workers, cfg.Pick = 1, r.pick
	}
	rt, err := tasks.New(cfg)
	if err != nil {
		panic(err)
	}
	time.AfterFunc(20*time.Second, func() { rt.Dump(os.Stderr); os.Exit(3) })
	program := programs[*name]
	if program == nil {
		for n := range programs {
			fmt.Println(n)
		}
		return
	}
	err = rt.Run(context.Background(), func(t *tasks.Task) error { program(t, *right); return nil })
	if err != nil {
		panic(err)
	}
}
