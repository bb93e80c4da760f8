package deps_test

import (
	"context"
	"fmt"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// program runs main on two slots.
func program(main func(t *tasks.Task) error) {
	rt, err := tasks.New(tasks.Config{Workers: 2})
	if err != nil {
		panic(err)
	}
	defer rt.Close()
	if err := rt.Run(context.Background(), main); err != nil {
		fmt.Println(err)
	}
}

// A task says what it reads and writes; the order follows.
func Example() {
	program(func(t *tasks.Task) error {
		var x, y, z int
		tasks.Spawn(t, func() { x = 3 }, deps.Out(&x))
		tasks.Spawn(t, func() { y = 4 }, deps.Out(&y))
		tasks.Spawn(t, func() { z = x*x + y*y }, deps.In(&x), deps.In(&y), deps.Out(&z))
		tasks.Spawn(t, func() { fmt.Println(z) }, deps.In(&z))
		return t.Wait()
	})
	// Output: 25
}

func ExampleIn() {
	program(func(t *tasks.Task) error {
		x := 6
		var double, square int
		// Both only read x and may run together.
		tasks.Spawn(t, func() { double = 2 * x }, deps.In(&x), deps.Out(&double))
		tasks.Spawn(t, func() { square = x * x }, deps.In(&x), deps.Out(&square))
		// This one writes x and waits for both.
		tasks.Spawn(t, func() { x = double + square }, deps.Out(&x), deps.In(&double), deps.In(&square))
		err := t.Wait()
		fmt.Println(x)
		return err
	})
	// Output: 48
}

func ExampleOut() {
	program(func(t *tasks.Task) error {
		var x int
		tasks.Spawn(t, func() error { return fmt.Errorf("no data") }, deps.Out(&x))
		tasks.Spawn(t, func() { fmt.Println("never runs") }, deps.In(&x))
		// An out needs no old value: it runs although the value is missing, and x is good again.
		tasks.Spawn(t, func() { x = 1 }, deps.Out(&x))
		tasks.Spawn(t, func() { fmt.Println("x is", x) }, deps.In(&x))
		fmt.Println(t.Wait())
		return nil
	})
	// Output:
	// x is 1
	// task: no data
}

func ExampleInOut() {
	program(func(t *tasks.Task) error {
		balance := 100
		for range 3 {
			tasks.Spawn(t, func() { balance += balance / 10 }, deps.InOut(&balance))
		}
		err := t.Wait()
		fmt.Println(balance)
		return err
	})
	// Output: 133
}

func ExampleConcurrent() {
	program(func(t *tasks.Task) error {
		var hits int
		for range 10 {
			// All may run together; they synchronise the additions themselves.
			tasks.Spawn(t, func(t *tasks.Task) {
				t.Critical("hits", func() { hits++ })
			}, deps.Concurrent(&hits))
		}
		tasks.Spawn(t, func() { fmt.Println(hits) }, deps.In(&hits))
		return nil
	})
	// Output: 10
}

func ExampleCommutative() {
	program(func(t *tasks.Task) error {
		words := map[string]int{}
		for _, w := range []string{"to", "be", "or", "not", "to", "be"} {
			// In any order, but never two at once.
			tasks.Spawn(t, func() { words[w]++ }, deps.Commutative(&words))
		}
		tasks.Spawn(t, func() { fmt.Println(words) }, deps.In(&words))
		return nil
	})
	// Output: map[be:2 not:1 or:1 to:2]
}

func ExampleInSlice() {
	program(func(t *tasks.Task) error {
		v := []int{1, 2, 3, 4}
		var lo, hi int
		sum := func(s *int, tile []int) {
			tasks.Spawn(t, func() {
				for _, x := range tile {
					*s += x
				}
			}, deps.InSlice(tile), deps.InOut(s))
		}
		sum(&lo, v[:2])
		sum(&hi, v[2:])
		err := t.Wait()
		fmt.Println(lo, hi)
		return err
	})
	// Output: 3 7
}

func ExampleOutSlice() {
	program(func(t *tasks.Task) error {
		v := make([]int, 6)
		for i := 0; i < len(v); i += 3 {
			tile := v[i : i+3]
			tasks.Spawn(t, func() {
				for k := range tile {
					tile[k] = i
				}
			}, deps.OutSlice(tile))
		}
		tasks.Spawn(t, func() { fmt.Println(v[:3]) }, deps.InSlice(v[:3]))
		return nil
	})
	// Output: [0 0 0]
}

func ExampleInOutSlice() {
	program(func(t *tasks.Task) error {
		v := []int{1, 2, 3, 4}
		for range 3 {
			for i := 0; i < len(v); i += 2 {
				tile := v[i : i+2] // the steps of one tile run in order, different tiles side by side
				tasks.Spawn(t, func() { tile[0], tile[1] = tile[1], tile[0]+tile[1] }, deps.InOutSlice(tile))
			}
		}
		err := t.Wait()
		fmt.Println(v)
		return err
	})
	// Output: [5 8 11 18]
}

func ExampleConcurrentSlice() {
	program(func(t *tasks.Task) error {
		bins := make([]int, 3)
		for i := range 9 {
			tasks.Spawn(t, func(t *tasks.Task) {
				t.Critical("bins", func() { bins[i%3]++ })
			}, deps.ConcurrentSlice(bins))
		}
		tasks.Spawn(t, func() { fmt.Println(bins) }, deps.InSlice(bins))
		return nil
	})
	// Output: [3 3 3]
}

func ExampleCommutativeSlice() {
	program(func(t *tasks.Task) error {
		force := make([]float64, 2)
		for _, f := range []float64{1, 2, 3} {
			tasks.Spawn(t, func() {
				for i := range force {
					force[i] += f
				}
			}, deps.CommutativeSlice(force))
		}
		tasks.Spawn(t, func() { fmt.Println(force) }, deps.InSlice(force))
		return nil
	})
	// Output: [6 6]
}

func ExampleWeak() {
	program(func(t *tasks.Task) error {
		v := make([]int, 4)
		// The outer task only creates; it need not wait for v, and its children are ordered as if spawned here.
		step := func(f func(x int) int) {
			tasks.Spawn(t, func(t *tasks.Task) {
				tasks.Spawn(t, func() {
					for i := range v {
						v[i] = f(v[i])
					}
				}, deps.InOutSlice(v))
			}, deps.Weak(deps.InOutSlice(v)))
		}
		step(func(x int) int { return x + 1 })
		step(func(x int) int { return 10 * x })
		err := t.Wait()
		fmt.Println(v)
		return err
	})
	// Output: [10 10 10 10]
}

func ExampleList() {
	program(func(t *tasks.Task) error {
		parts := make([]int, 5)
		var all deps.List
		for i := range parts {
			tasks.Spawn(t, func() { parts[i] = i * i }, deps.Out(&parts[i]))
			all = append(all, deps.In(&parts[i]))
		}
		tasks.Spawn(t, func() { fmt.Println(parts) }, all)
		return nil
	})
	// Output: [0 1 4 9 16]
}

func ExampleKind() {
	fmt.Println(deps.KindIn, deps.KindOut, deps.KindInOut, deps.KindConcurrent, deps.KindCommutative)
	// Output: in out inout concurrent commutative
}

func ExampleAccess_Kind() {
	var x int
	fmt.Println(deps.Concurrent(&x).Kind(), deps.Weak(deps.Out(&x)).Kind())
	// Output: concurrent out
}

func ExampleAccess_IsWeak() {
	var x int
	fmt.Println(deps.In(&x).IsWeak(), deps.Weak(deps.In(&x)).IsWeak())
	// Output: false true
}

func ExampleAccess_Region() {
	v := make([]int32, 10)
	first, bytes := deps.InSlice(v[2:5]).Region()
	fmt.Println(uintptr(first) == uintptr(first)&^3, bytes)
	// Output: true 12
}

func ExampleAccess_Empty() {
	var p *int
	fmt.Println(deps.In(p).Empty(), deps.InSlice([]int{}).Empty(), deps.In(new(int)).Empty())
	// Output: true true false
}

func ExampleAccess_String() {
	a := deps.Weak(deps.InOutSlice(make([]byte, 64)))
	text := a.String()
	fmt.Println(text[:len("weak inout [0x")], text[len(text)-len(",+64)"):])
	// Output: weak inout [0x ,+64)
}

// The engine can be driven without a runtime: events in, ready nodes out.
func ExampleNode() {
	names := map[*deps.Node]string{}
	mb := deps.NewMailbox(new(deps.Tokens), deps.Hooks{})
	root := new(deps.Node)
	root.Init(nil, 0)
	root.Register(mb)

	var x int
	spawn := func(name string, a deps.Access) *deps.Node {
		n := new(deps.Node)
		names[n] = name
		n.Init(root, 1)
		n.Declare(&a, false)
		fmt.Println(name, "ready:", n.Register(mb))
		return n
	}
	w := spawn("writer", deps.Out(&x))
	spawn("reader 1", deps.In(&x))
	spawn("reader 2", deps.In(&x))
	w.Finish(mb)
	w.Drop(mb)
	for n := mb.TakeReady(); n != nil; n = n.Link {
		fmt.Println(names[n], "became ready")
	}
	// Output:
	// writer ready: true
	// reader 1 ready: false
	// reader 2 ready: false
	// reader 1 became ready
	// reader 2 became ready
}

// engine is a root task whose children the examples below register, with the names of all.
func engine() (mb *deps.Mailbox, spawn func(name string, parent *deps.Node, accs ...deps.Access) *deps.Node, report func()) {
	mb = deps.NewMailbox(new(deps.Tokens), deps.Hooks{})
	names := map[*deps.Node]string{}
	root := new(deps.Node)
	root.Init(nil, 0)
	root.Register(mb)
	spawn = func(name string, parent *deps.Node, accs ...deps.Access) *deps.Node {
		n := new(deps.Node)
		names[n] = name
		if parent == nil {
			parent = root
		}
		n.Init(parent, len(accs))
		for _, a := range accs {
			n.Declare(&a, false)
		}
		n.Register(mb)
		return n
	}
	report = func() {
		for n := mb.TakeReady(); n != nil; n = n.Link {
			fmt.Println(names[n], "may run:", n.Cause())
		}
	}
	return mb, spawn, report
}

// Each access passes on by itself: x with the last child that uses it, y with the task.
func ExampleNode_Finish() {
	mb, spawn, report := engine()
	var x, y int
	p := spawn("parent", nil, deps.InOut(&x), deps.InOut(&y))
	c := spawn("child", p, deps.InOut(&x))
	spawn("next on x", nil, deps.In(&x))
	spawn("next on y", nil, deps.In(&y))
	p.Finish(mb)
	report()
	c.Finish(mb)
	report()
	// Output:
	// next on y may run: <nil>
	// next on x may run: <nil>
}

func ExampleNode_Release() {
	mb, spawn, report := engine()
	var x int
	w := spawn("writer", nil, deps.Out(&x))
	spawn("reader", nil, deps.In(&x))
	fmt.Println(w.Release(deps.Concurrent(&x), false, mb)) // not what it declared
	fmt.Println(w.Release(deps.Out(&x), false, mb))
	report()
	// Output:
	// false
	// true
	// reader may run: <nil>
}

func ExampleNode_Fail() {
	mb, spawn, report := engine()
	var x int
	w := spawn("writer", nil, deps.Out(&x))
	spawn("reader", nil, deps.In(&x))
	w.Fail(fmt.Errorf("disk full"))
	w.Finish(mb)
	report()
	// Output: reader may run: disk full
}

func ExampleNode_Access() {
	_, spawn, _ := engine()
	var x, y int
	n := spawn("n", nil, deps.In(&x), deps.Out(&y), deps.Out(&x))
	for i := range n.Accesses() {
		fmt.Println(n.Access(i).Kind(), n.Waiting(i)) // x was combined
	}
	// Output:
	// inout false
	// out false
}

func ExampleAccess_InOrder() {
	var x int
	fmt.Println(deps.Commutative(&x).InOrder().Kind(), deps.Concurrent(&x).InOrder().Kind())
	// Output: inout concurrent
}
