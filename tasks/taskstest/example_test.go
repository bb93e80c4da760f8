package taskstest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
)

// t stands for the *testing.T of a test.
var t testing.TB = new(standIn)

func ExampleSerial() {
	err := taskstest.Serial(t, func(m *tasks.Task) error {
		for i := range 3 {
			tasks.Spawn(m, func() { fmt.Println("body", i) })
			fmt.Println("spawned", i)
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// body 0
	// spawned 0
	// body 1
	// spawned 1
	// body 2
	// spawned 2
	// <nil>
}

func ExampleRun() {
	var x, y int
	err := taskstest.Run(t, func(m *tasks.Task) error {
		tasks.Spawn(m, func() { x = 3 }, deps.Out(&x))
		tasks.Spawn(m, func() { y = 2 * x }, deps.In(&x), deps.Out(&y))
		return nil
	})
	fmt.Println(y, err)
	// Output: 6 <nil>
}

func ExampleRunSeed() {
	var mu sync.Mutex // the bodies are one at a time, but nothing they declared says so
	order := func(seed uint64) (s string) {
		taskstest.RunSeed(t, seed, func(m *tasks.Task) error {
			for _, label := range []string{"a", "b", "c", "d", "e", "f"} {
				tasks.Spawn(m, func() { mu.Lock(); s += label; mu.Unlock() })
			}
			return nil
		})
		return s
	}
	fmt.Println(order(1) == order(1), order(1) == order(2))
	// Output: true false
}

// standIn is a testing.TB that prints. FailNow does not end the goroutine: it belongs to the example.
type standIn struct {
	testing.TB
	failed bool
	end    []func()
}

func (s *standIn) Helper()                        {}
func (s *standIn) Context() context.Context       { return context.Background() }
func (s *standIn) Cleanup(f func())               { s.end = append(s.end, f) }
func (s *standIn) Failed() bool                   { return s.failed }
func (s *standIn) Logf(format string, a ...any)   { fmt.Printf(format+"\n", a...) }
func (s *standIn) Errorf(format string, a ...any) { s.failed = true; s.Logf(format, a...) }
