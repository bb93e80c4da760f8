package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// example runs main on two slots and prints its error.
func example(main func(t *tasks.Task) error) { exampleOn(2, main) }

// exampleOn runs main on some slots; one makes the order of independent tasks predictable.
func exampleOn(slots int, main func(t *tasks.Task) error) {
	rt, err := tasks.New(tasks.Config{Workers: slots})
	if err != nil {
		panic(err)
	}
	defer rt.Close()
	if err := rt.Run(context.Background(), main); err != nil {
		fmt.Println(err)
	}
}

func Example() {
	rt, err := tasks.New(tasks.Config{})
	if err != nil {
		panic(err)
	}
	defer rt.Close()

	var x, y int
	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		tasks.Spawn(t, func() { x = 3 }, deps.Out(&x))
		tasks.Spawn(t, func() { y = 4 }, deps.Out(&y))
		tasks.Spawn(t, func() { x *= y }, deps.InOut(&x), deps.In(&y))
		return nil
	})
	fmt.Println(x, err)
	// Output: 12 <nil>
}

// Tasks spawn tasks. The outer ones touch the tiles only through their children, so they declare them weak: all of them
// may create at once, and the children are ordered as in a flat program.
func Example_nested() {
	tiles := make([][]int, 3)
	var all deps.List
	for i := range tiles {
		tiles[i] = []int{i, i}
		all = append(all, deps.Weak(deps.InOutSlice(tiles[i])))
	}
	step := func(f func(x int) int) func(*tasks.Task) {
		return func(t *tasks.Task) {
			for _, tile := range tiles {
				tasks.Spawn(t, func() {
					for i := range tile {
						tile[i] = f(tile[i])
					}
				}, deps.InOutSlice(tile))
			}
		}
	}
	example(func(t *tasks.Task) error {
		tasks.Spawn(t, step(func(x int) int { return x + 1 }), all)
		tasks.Spawn(t, step(func(x int) int { return 10 * x }), all)
		err := t.Wait()
		fmt.Println(tiles)
		return err
	})
	// Output: [[10 10] [20 20] [30 30]]
}

// A failed task takes those down that need its result, and nobody else.
func Example_errors() {
	example(func(t *tasks.Task) error {
		var a, b int
		tasks.Spawn(t, func() error { return errors.New("file not found") }, deps.Out(&a), tasks.Label("load a"))
		tasks.Spawn(t, func() error { b = 2; return nil }, deps.Out(&b), tasks.Label("load b"))
		tasks.Spawn(t, func() { fmt.Println("a is", a) }, deps.In(&a))
		tasks.Spawn(t, func() { fmt.Println("b is", b) }, deps.In(&b))
		fmt.Println(t.Wait())
		return nil
	})
	// Output:
	// b is 2
	// load a: file not found
}

func ExampleNew() {
	_, err := tasks.New(tasks.Config{Workers: -2})
	fmt.Println(err)
	// Output: tasks: Config.Workers is -2, want 0 to 65536
}

func ExampleSpawn() {
	example(func(t *tasks.Task) error {
		var words []string
		for _, w := range []string{"order", "follows", "from", "data"} {
			tasks.Spawn(t, func() { words = append(words, w) }, deps.InOut(&words))
		}
		tasks.Spawn(t, func() { fmt.Println(strings.Join(words, " ")) }, deps.In(&words))
		return nil
	})
	// Output: order follows from data
}

func ExampleNewType() {
	force := tasks.NewType("force", 2) // once, for all tasks of the kind
	example(func(t *tasks.Task) error {
		tasks.Spawn(t, func(t *tasks.Task) { fmt.Println(t.Label()) }, force)
		return nil
	})
	// Output: force
}

func ExampleLabel() {
	example(func(t *tasks.Task) error {
		tasks.Spawn(t, func() error { return errors.New("no such column") }, tasks.Label("read header"))
		return nil
	})
	// Output: read header: no such column
}

func ExamplePriority() {
	exampleOn(1, func(t *tasks.Task) error {
		for _, p := range []int{-1, 1, 0, 7} {
			tasks.Spawn(t, func() { fmt.Println("priority", p) }, tasks.Priority(p))
		}
		return nil
	})
	// Output:
	// priority 7
	// priority 1
	// priority 0
	// priority -1
}

// A task too small to be worth a task is still ordered by what it accesses.
func ExampleIf() {
	sum := func(t *tasks.Task, n int) {
		var x int
		tasks.Spawn(t, func() { x = 1 }, deps.Out(&x))
		tasks.Spawn(t, func() { x += n }, deps.InOut(&x), tasks.If(n > 1000))
		fmt.Println(x) // good, because the task was not deferred
	}
	example(func(t *tasks.Task) error {
		sum(t, 41)
		return nil
	})
	// Output: 42
}

func ExampleFinal() {
	var fib func(t *tasks.Task, n int) int
	fib = func(t *tasks.Task, n int) int {
		if n < 2 {
			return n
		}
		if t.InFinal() {
			return fib(t, n-1) + fib(t, n-2)
		}
		var a, b int
		tasks.Spawn(t, func(t *tasks.Task) { a = fib(t, n-1) }, tasks.Final(n < 10))
		tasks.Spawn(t, func(t *tasks.Task) { b = fib(t, n-2) }, tasks.Final(n < 10))
		t.Wait()
		return a + b
	}
	example(func(t *tasks.Task) error {
		fmt.Println(fib(t, 20))
		return nil
	})
	// Output: 6765
}

func ExampleCost() {
	example(func(t *tasks.Task) error {
		row := make([]float64, 1000)
		tasks.Spawn(t, func() { clear(row) }, deps.OutSlice(row), tasks.Cost(int64(len(row))))
		return t.Wait()
	})
	// Output:
}

// OnReady starts what the body needs as soon as its inputs are there; the body runs when it has arrived.
func ExampleOnReady() {
	example(func(t *tasks.Task) error {
		var page string
		var size int
		tasks.Spawn(t, func() { size = len(page) }, deps.Out(&size), tasks.OnReady(func(t *tasks.Task) {
			done := t.Hold()
			go func() { // for instance a download
				page = "<html>"
				done(nil)
			}()
		}))
		tasks.Spawn(t, func() { fmt.Println(size) }, deps.In(&size))
		return nil
	})
	// Output: 6
}

// The wait clause: the reader comes after all children, whatever they touch.
func ExampleOption_waitChildren() {
	example(func(t *tasks.Task) error {
		var total int
		parts := make([]int, 4)
		tasks.Spawn(t, func(t *tasks.Task) {
			for i := range parts {
				tasks.Spawn(t, func() { parts[i] = i })
			}
		}, deps.Out(&total), tasks.WaitChildren)
		tasks.Spawn(t, func() { fmt.Println(parts) }, deps.In(&total))
		return nil
	})
	// Output: [0 1 2 3]
}

func ExampleRuntime_Run() {
	rt, _ := tasks.New(tasks.Config{Workers: 2})
	defer rt.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	err := rt.Run(ctx, func(t *tasks.Task) error {
		t.Sleep(time.Hour)
		return nil
	})
	fmt.Println(err)
	// Output: context deadline exceeded
}

func ExampleRuntime_Go() {
	rt, _ := tasks.New(tasks.Config{})
	defer rt.Close()
	end := make(chan error)
	var answer int
	rt.Go(func(t *tasks.Task) error {
		tasks.Spawn(t, func() { answer = 42 })
		return nil
	}, func(err error) { end <- err }) // all is complete
	fmt.Println(<-end, answer)
	// Output: <nil> 42
}

func ExampleRuntime_Close() {
	rt, _ := tasks.New(tasks.Config{})
	fmt.Println(rt.Close())
	fmt.Println(rt.Run(context.Background(), func(*tasks.Task) error { return nil }))
	// Output:
	// <nil>
	// tasks: runtime is closed
}

func ExampleRuntime_Stats() {
	rt, _ := tasks.New(tasks.Config{Workers: 1})
	defer rt.Close()
	rt.Run(context.Background(), func(t *tasks.Task) error {
		for range 10 {
			tasks.Spawn(t, func() {})
		}
		return nil
	})
	s := rt.Stats()
	fmt.Println(s.Spawned, "spawned,", s.Executed, "executed") // main is one more
	// Output: 10 spawned, 11 executed
}

func ExampleRuntime_Workers() {
	rt, _ := tasks.New(tasks.Config{Workers: 3})
	defer rt.Close()
	fmt.Println(rt.Workers())
	// Output: 3
}

// A program gives cores away while something else needs them.
func ExampleRuntime_SetWorkers() {
	rt, _ := tasks.New(tasks.Config{Workers: 3})
	defer rt.Close()
	fmt.Println(rt.SetWorkers(1), rt.Workers())
	fmt.Println(rt.SetWorkers(4), rt.Workers())
	fmt.Println(rt.SetWorkers(0))
	// Output:
	// <nil> 1
	// <nil> 4
	// tasks: SetWorkers(0): want 1 to 65536
}

func ExampleRuntime_Slots() {
	rt, _ := tasks.New(tasks.Config{Workers: 3})
	defer rt.Close()
	rt.SetWorkers(2)
	fmt.Println(rt.Slots())
	rt.Run(context.Background(), func(*tasks.Task) error {
		fmt.Println(rt.Slots()[0])
		return nil
	})
	// Output:
	// [idle idle disabled]
	// running
}

func ExampleSlotState_String() {
	fmt.Println(tasks.SlotDisabled)
	// Output: disabled
}

func ExampleRuntime_Dump() {
	rt, _ := tasks.New(tasks.Config{Workers: 1})
	defer rt.Close()
	rt.Run(context.Background(), func(t *tasks.Task) error {
		resume := make(chan func(), 1)
		tasks.Spawn(t, func(t *tasks.Task) error {
			return t.Suspend(func(r func()) { resume <- r })
		}, tasks.Label("reply"))
		t.Yield()
		var report strings.Builder
		rt.Dump(&report) // or straight to os.Stderr
		_, waiting, _ := strings.Cut(report.String(), "\n")
		fmt.Print(waiting)
		(<-resume)()
		return nil
	})
	// Output:
	// run of "main":
	//   task "main" runs on slot 0
	//   task "main › reply" waits for resume
}

func ExampleTask_Wait() {
	example(func(t *tasks.Task) error {
		squares := make([]int, 5)
		for i := range squares {
			tasks.Spawn(t, func() { squares[i] = i * i })
		}
		err := t.Wait()
		fmt.Println(squares, err)
		return nil
	})
	// Output: [0 1 4 9 16] <nil>
}

func ExampleTask_WaitOn() {
	example(func(t *tasks.Task) error {
		var config string
		more := make(chan struct{})
		tasks.Spawn(t, func() { config = "loaded" }, deps.Out(&config))
		tasks.Spawn(t, func() { <-more }) // is not waited for
		err := t.WaitOn(deps.In(&config))
		fmt.Println(config, err)
		close(more)
		return nil
	})
	// Output: loaded <nil>
}

func ExampleTask_Release() {
	example(func(t *tasks.Task) error {
		var header, body string
		sent := make(chan struct{})
		tasks.Spawn(t, func(t *tasks.Task) {
			header = "content-length: 5"
			t.Release(deps.Out(&header)) // who needs only the header need not wait for the rest
			<-sent
			body = "hello"
		}, deps.Out(&header), deps.Out(&body))
		tasks.Spawn(t, func() { fmt.Println(header); close(sent) }, deps.In(&header))
		tasks.Spawn(t, func() { fmt.Println(body) }, deps.In(&body))
		return nil
	})
	// Output:
	// content-length: 5
	// hello
}

func ExampleTask_Context() {
	rt, _ := tasks.New(tasks.Config{})
	defer rt.Close()
	ctx, cancel := context.WithCancel(context.Background())
	err := rt.Run(ctx, func(t *tasks.Task) error {
		cancel()
		<-t.Context().Done() // a long computation looks now and then
		return nil
	})
	fmt.Println(err)
	// Output: context canceled
}

// Hold binds something that happens outside to the task: its data is ready when it has happened.
func ExampleTask_Hold() {
	example(func(t *tasks.Task) error {
		var reply string
		tasks.Spawn(t, func(t *tasks.Task) {
			done := t.Hold()
			time.AfterFunc(time.Millisecond, func() {
				reply = "pong"
				done(nil)
			})
		}, deps.Out(&reply))
		tasks.Spawn(t, func() { fmt.Println(reply) }, deps.In(&reply))
		return nil
	})
	// Output: pong
}

type direction string

func (d direction) String() string { return string(d) }

// HoldOn tells a report what is awaited.
func ExampleTask_HoldOn() {
	rt, _ := tasks.New(tasks.Config{Workers: 1})
	defer rt.Close()
	rt.Run(context.Background(), func(t *tasks.Task) error {
		done := t.HoldOn(nil, direction("a message from rank 3"))
		var report strings.Builder
		rt.Dump(&report)
		fmt.Println(strings.TrimSpace(strings.Split(report.String(), "\n")[3]))
		done(nil)
		return nil
	})
	// Output: task "main" is held by a message from rank 3
}

func ExampleTask_Suspend() {
	replies := make(chan string, 1)
	exampleOn(1, func(t *tasks.Task) error {
		tasks.Spawn(t, func(t *tasks.Task) error {
			var reply string
			err := t.Suspend(func(resume func()) {
				go func() {
					reply = <-replies
					resume()
				}()
			})
			fmt.Println("got", reply)
			return err
		}, tasks.Priority(1))
		tasks.Spawn(t, func() { // runs meanwhile, on the only slot
			fmt.Println("asking")
			replies <- "an answer"
		})
		return nil
	})
	// Output:
	// asking
	// got an answer
}

func ExampleTask_SuspendOn() {
	exampleOn(1, func(t *tasks.Task) error {
		resume := make(chan func(), 1)
		tasks.Spawn(t, func(t *tasks.Task) error {
			return t.SuspendOn(nil, direction("a signal"), func(r func()) { resume <- r })
		})
		t.Yield()
		var report strings.Builder
		t.Runtime().Dump(&report)
		fmt.Println(strings.TrimSpace(strings.Split(report.String(), "\n")[3]))
		(<-resume)()
		return nil
	})
	// Output: task "main › task" waits for a signal
}

func ExampleTask_Sleep() {
	example(func(t *tasks.Task) error {
		fmt.Println(t.Sleep(time.Millisecond) >= time.Millisecond)
		return nil
	})
	// Output: true
}

func ExampleTask_Yield() {
	exampleOn(1, func(t *tasks.Task) error {
		tasks.Spawn(t, func() { fmt.Println("child") })
		fmt.Println("before")
		t.Yield()
		fmt.Println("after")
		return nil
	})
	// Output:
	// before
	// child
	// after
}

func ExampleTask_Critical() {
	example(func(t *tasks.Task) error {
		hits := map[string]int{}
		for _, page := range []string{"a", "b", "a", "a"} {
			tasks.Spawn(t, func(t *tasks.Task) {
				t.Critical("hits", func() { hits[page]++ })
			})
		}
		err := t.Wait()
		fmt.Println(hits)
		return err
	})
	// Output: map[a:3 b:1]
}

func ExampleTask_InFinal() {
	example(func(t *tasks.Task) error {
		tasks.Spawn(t, func(t *tasks.Task) {
			tasks.Spawn(t, func(t *tasks.Task) { fmt.Println(t.InFinal()) })
		}, tasks.Final(true))
		return nil
	})
	// Output: true
}

func ExampleTask_Label() {
	example(func(t *tasks.Task) error {
		fmt.Println(t.Label())
		tasks.Spawn(t, func(t *tasks.Task) { fmt.Println(t.Label()) }, tasks.If(false))
		return nil
	})
	// Output:
	// main
	// task
}

func ExampleTask_Runtime() {
	rt, _ := tasks.New(tasks.Config{})
	defer rt.Close()
	rt.Run(context.Background(), func(t *tasks.Task) error {
		fmt.Println(t.Runtime() == rt)
		return nil
	})
	// Output: true
}

func ExampleTaskError() {
	rt, _ := tasks.New(tasks.Config{})
	defer rt.Close()
	err := rt.Run(context.Background(), func(t *tasks.Task) error {
		tasks.Spawn(t, func() error { return os.ErrNotExist }, tasks.Label("open"))
		return nil
	})
	failed, ok := errors.AsType[*tasks.TaskError](err)
	fmt.Println(ok, failed.Label, errors.Is(err, os.ErrNotExist))
	// Output: true open true
}

func ExamplePanicError() {
	rt, _ := tasks.New(tasks.Config{})
	defer rt.Close()
	err := rt.Run(context.Background(), func(t *tasks.Task) error {
		tasks.Spawn(t, func() {
			var v []int
			v[3] = 1
		})
		return nil
	})
	p, _ := errors.AsType[*tasks.PanicError](err)
	fmt.Println(p.Value) // p.Stack tells where
	// Output: runtime error: index out of range [3] with length 0
}

func ExampleDeadlockError() {
	rt, _ := tasks.New(tasks.Config{Workers: 1})
	defer rt.Close()
	err := rt.Run(context.Background(), func(t *tasks.Task) error {
		t.Critical("log", func() {
			tasks.Spawn(t, func(t *tasks.Task) { t.Critical("log", func() {}) }, tasks.Label("writer"))
			t.Wait() // for ever
		})
		return nil
	})
	fmt.Println(errors.Is(err, tasks.ErrDeadlock))
	d, _ := errors.AsType[*tasks.DeadlockError](err)
	for line := range strings.Lines(d.Waiting) {
		if strings.Contains(line, "waits for") {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	// Output:
	// true
	// task "main › writer" waits for critical log
	// task "main" waits for its children (taskwait)
}
