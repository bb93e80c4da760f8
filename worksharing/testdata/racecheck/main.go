// Racecheck runs one small program with loops. Its test builds it with -race and looks whether the detector reports
// exactly those programs that are wrong.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

// programs come in a right form and in one where two bodies that nothing orders touch the same variable.
var programs = map[string]func(t *tasks.Task, right bool){
	"before": func(t *tasks.Task, right bool) {
		x := 0
		tasks.Spawn(t, func() { x = 1 }, deps.Out(&x))
		worksharing.For(t, 8, worksharing.Dynamic(1), func(*tasks.Task, int, int) { _ = x + 1 }, when(right, deps.In(&x)))
	},
	"after": func(t *tasks.Task, right bool) {
		a := make([]int, 8)
		worksharing.For(t, len(a), worksharing.Static(1), func(_ *tasks.Task, lo, _ int) { a[lo] = lo }, deps.OutSlice(a))
		tasks.Spawn(t, func() { a[7]++ }, when(right, deps.InOutSlice(a)))
	},
	"two loops": func(t *tasks.Task, right bool) {
		a := make([]int, 8)
		for range 2 {
			worksharing.For(t, len(a), worksharing.Static(0), func(_ *tasks.Task, lo, hi int) {
				for i := lo; i < hi; i++ {
					a[i]++
				}
			}, when(right, deps.InOutSlice(a)))
		}
	},
	"undeferred": func(t *tasks.Task, right bool) {
		a := make([]int, 8)
		worksharing.For(t, len(a), worksharing.Adaptive(), func(_ *tasks.Task, lo, _ int) { a[lo] = lo }, tasks.If(!right))
		a[3]++
	},
	"nested": func(t *tasks.Task, right bool) {
		a := make([]int, 8)
		worksharing.For(t, 2, worksharing.Dynamic(1), func(t *tasks.Task, i, _ int) {
			worksharing.For(t, 4, worksharing.Dynamic(1), func(_ *tasks.Task, lo, _ int) {
				if right {
					lo += 4 * i
				}
				a[lo]++
			})
		})
	},
	"child": func(t *tasks.Task, right bool) {
		a := make([]int, 8)
		worksharing.For(t, len(a), worksharing.Dynamic(1), func(t *tasks.Task, i, _ int) {
			tasks.Spawn(t, func() { a[i]++ })
			if right {
				_ = t.Wait()
			}
			a[i]++
		})
	},
	"loop": func(t *tasks.Task, right bool) {
		x := 0
		worksharing.Loop(t, 4, 1, func(*tasks.Task, int, int) { x++ }, func(int, int) []deps.Access { return []deps.Access{when(right, deps.InOut(&x))} })
	},
	"loop after": func(t *tasks.Task, right bool) {
		a := make([]int, 8)
		own := func(lo, _ int) []deps.Access { return []deps.Access{deps.InOut(&a[lo])} }
		worksharing.Loop(t, 8, 1, func(_ *tasks.Task, i, _ int) { a[i]++ }, own)
		worksharing.Loop(t, 7, 1, func(_ *tasks.Task, i, _ int) {
			if !right {
				i++
			}
			a[i]++
		}, own)
	},
	"iter, within": func(t *tasks.Task, right bool) {
		x, y := 0, 0
		worksharing.Iter(t, 3, func(t *tasks.Task) {
			tasks.Spawn(t, func() { x++ }, deps.InOut(&x))
			tasks.Spawn(t, func() { y += x }, when(right, deps.In(&x)), deps.InOut(&y))
		}, deps.InOut(&x), deps.InOut(&y))
	},
	"iter, across": func(t *tasks.Task, right bool) {
		x, y := 0, 0
		worksharing.Iter(t, 3, func(t *tasks.Task) {
			tasks.Spawn(t, func() { y += x }, when(right, deps.In(&x)), deps.InOut(&y))
			tasks.Spawn(t, func() { x = 1 }, deps.Out(&x))
		}, deps.InOut(&x), deps.InOut(&y))
	},
	"iter, itself": func(t *tasks.Task, right bool) {
		x := 0
		worksharing.Iter(t, 3, func(t *tasks.Task) { tasks.Spawn(t, func() { x++ }, when(right, deps.InOut(&x))) }, deps.InOut(&x))
	},
	"iter, after": func(t *tasks.Task, right bool) {
		x := 0
		worksharing.Iter(t, 3, func(t *tasks.Task) { tasks.Spawn(t, func() { x++ }, deps.InOut(&x)) }, when(right, deps.InOut(&x)))
		tasks.Spawn(t, func() { x++ }, deps.InOut(&x))
	},
	"iter, before": func(t *tasks.Task, right bool) {
		x := 0
		tasks.Spawn(t, func() { x++ }, deps.InOut(&x))
		worksharing.Iter(t, 3, func(t *tasks.Task) { tasks.Spawn(t, func() { x++ }, deps.InOut(&x)) }, when(right, deps.Weak(deps.InOut(&x))))
	},
	"iter, commutative": func(t *tasks.Task, right bool) {
		x := 0
		worksharing.Iter(t, 3, func(t *tasks.Task) {
			for i := range 3 {
				tasks.Spawn(t, func() { x++ }, when(right || i > 0, deps.Commutative(&x)))
			}
		}, deps.InOut(&x))
	},
	"iter, reduction": func(t *tasks.Task, right bool) {
		x, y := 0, 0
		worksharing.Iter(t, 3, func(t *tasks.Task) {
			for range 3 {
				tasks.Spawn(t, func(t *tasks.Task) { *reduce.Local(t, &x) += 1 }, reduce.Sum(&x))
			}
			tasks.Spawn(t, func() { y = x; x = 0 }, when(right, deps.InOut(&x)), deps.InOut(&y))
		}, deps.InOut(&x), deps.InOut(&y))
	},
	"iter, child": func(t *tasks.Task, right bool) {
		x := 0
		worksharing.Iter(t, 3, func(t *tasks.Task) {
			tasks.Spawn(t, func(t *tasks.Task) {
				tasks.Spawn(t, func() { x++ }, when(right, deps.InOut(&x)))
				tasks.Spawn(t, func() { x++ }, deps.InOut(&x))
			}, deps.InOut(&x))
		}, deps.InOut(&x))
	},
	"iter, update": func(t *tasks.Task, right bool) {
		x, y := 0, 0
		worksharing.Iter(t, 3, func(t *tasks.Task) {
			tasks.Spawn(t, func() { x++ }, deps.InOut(&x))
			tasks.Spawn(t, func() { y += x }, when(right, deps.In(&x)), deps.InOut(&y))
		}, deps.InOut(&x), deps.InOut(&y), worksharing.Update)
	},
	"while": func(t *tasks.Task, right bool) {
		x, y := 0, 0
		reads := deps.List{deps.In(&y)}
		if right {
			reads = deps.List{deps.In(&x)}
		}
		worksharing.IterWhile(t, func(*tasks.Task) bool { return x < 3 }, reads, func(t *tasks.Task) {
			tasks.Spawn(t, func() { x++ }, deps.InOut(&x))
			tasks.Spawn(t, func() { y++ }, deps.InOut(&y))
		}, deps.InOut(&x), deps.InOut(&y))
	},
	"while, barrier": func(t *tasks.Task, right bool) {
		x, y, i := 0, 0, 0
		worksharing.IterWhile(t, func(*tasks.Task) bool { i++; return x < 3 && y < 3 }, nil, func(t *tasks.Task) {
			tasks.Spawn(t, func() { x++ }, deps.InOut(&x))
			tasks.Spawn(t, func() { y += i - i + 1 }, deps.InOut(&y))
			tasks.Spawn(t, func() { _ = y }, when(right, deps.In(&y)))
		}, deps.InOut(&x), deps.InOut(&y))
	},
}

// The ranges of one loop are not ordered, whatever the schedule.
func init() {
	for name, s := range map[string]worksharing.Schedule{
		"static": worksharing.Static(0), "static 2": worksharing.Static(2), "dynamic": worksharing.Dynamic(0),
		"dynamic 3": worksharing.Dynamic(3), "guided": worksharing.Guided(0), "adaptive": {},
	} {
		programs["ranges, "+name] = func(t *tasks.Task, right bool) {
			a := make([]int, 100)
			worksharing.For(t, len(a), s, func(_ *tasks.Task, lo, hi int) {
				for i := lo; i < hi; i++ {
					a[i]++
				}
				if !right {
					a[len(a)/2]++
				}
			})
		}
	}
}

func when(right bool, a deps.Access) deps.Access {
	if !right {
		return deps.Access{}
	}
	return a
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
	program := programs[*name]
	if program == nil {
		for n := range programs {
			fmt.Println(n)
		}
		return
	}
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
	if err := rt.Run(context.Background(), func(t *tasks.Task) error { program(t, *right); return nil }); err != nil {
		panic(err)
	}
}
