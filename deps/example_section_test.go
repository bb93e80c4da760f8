package deps_test

import (
	"fmt"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func ExampleInTile() {
	program(func(t *tasks.Task) error {
		const n = 4
		a := make([]int, n*n)
		for i := range a {
			a[i] = i
		}
		// Each task has a quarter of the matrix: they run together.
		var sums [2][2]int
		for i := 0; i < n; i += 2 {
			for j := 0; j < n; j += 2 {
				sum := &sums[i/2][j/2]
				tasks.Spawn(t, func() {
					*sum = a[i*n+j] + a[i*n+j+1] + a[(i+1)*n+j] + a[(i+1)*n+j+1]
				}, deps.InTile(a, n, i, i+2, j, j+2), deps.Out(sum))
			}
		}
		err := t.Wait()
		fmt.Println(sums)
		return err
	})
	// Output: [[10 18] [42 50]]
}

func ExampleOutTile() {
	program(func(t *tasks.Task) error {
		const n = 3
		a := make([]int, n*n)
		for i := range n {
			tasks.Spawn(t, func() {
				for k := range n {
					a[k*n+i] = i
				}
			}, deps.OutTile(a, n, 0, n, i, i+1)) // column i
		}
		for i := range n {
			// A row waits for all columns.
			tasks.Spawn(t, func() { fmt.Println(a[i*n : i*n+n]) }, deps.InOutSlice(a[i*n:i*n+n]), tasks.If(false))
		}
		return nil
	})
	// Output:
	// [0 1 2]
	// [0 1 2]
	// [0 1 2]
}

func ExampleInOutTile() {
	program(func(t *tasks.Task) error {
		a := []int{1, 2, 3, 4}
		tasks.Spawn(t, func() { a[1] *= 10; a[3] *= 10 }, deps.InOutTile(a, 2, 0, 2, 1, 2)) // second column
		tasks.Spawn(t, func() { fmt.Println(a[2:]) }, deps.InTile(a, 2, 1, 2, 0, 2))        // second row
		return t.Wait()
	})
	// Output: [3 40]
}

func ExampleConcurrentTile() {
	program(func(t *tasks.Task) error {
		a := make([]int, 6)
		for i := range 2 { // both may run at once: they touch different elements of the tile
			tasks.Spawn(t, func() { a[3*i] = i + 1 }, deps.ConcurrentTile(a, 3, 0, 2, 0, 1))
		}
		tasks.Spawn(t, func() { fmt.Println(a[0], a[3]) }, deps.InSlice(a))
		return t.Wait()
	})
	// Output: 1 2
}

func ExampleCommutativeTile() {
	program(func(t *tasks.Task) error {
		a := make([]int, 4)
		for i := range 10 { // in any order, one at a time
			tasks.Spawn(t, func() { a[0] += i; a[2] += i }, deps.CommutativeTile(a, 2, 0, 2, 0, 1))
		}
		err := t.Wait()
		fmt.Println(a)
		return err
	})
	// Output: [45 0 45 0]
}

func ExampleInSection() {
	program(func(t *tasks.Task) error {
		a := make([]int, 2*3*4)
		for i := range a {
			a[i] = i
		}
		// a[0:2][1][1:3]
		s := deps.InSection(a, deps.Dim{N: 2, Lo: 0, Hi: 2}, deps.Dim{N: 3, Lo: 1, Hi: 2}, deps.Dim{N: 4, Lo: 1, Hi: 3})
		tasks.Spawn(t, func() { fmt.Println(a[5:7], a[17:19]) }, s)
		return t.Wait()
	})
	// Output: [5 6] [17 18]
}

func ExampleOutSection() {
	program(func(t *tasks.Task) error {
		a := make([]int, 2*2*2)
		for k := range 2 {
			tasks.Spawn(t, func() {
				for i := range 4 {
					a[2*i+k] = k + 1
				}
			}, deps.OutSection(a, deps.Dim{N: 4, Lo: 0, Hi: 4}, deps.Dim{N: 2, Lo: k, Hi: k + 1}))
		}
		err := t.Wait()
		fmt.Println(a)
		return err
	})
	// Output: [1 2 1 2 1 2 1 2]
}

func ExampleInOutSection() {
	program(func(t *tasks.Task) error {
		a := []int{1, 2, 3, 4, 5, 6}
		tasks.Spawn(t, func() { a[2], a[5] = -a[2], -a[5] }, deps.InOutSection(a, deps.Dim{N: 2, Lo: 0, Hi: 2}, deps.Dim{N: 3, Lo: 2, Hi: 3}))
		tasks.Spawn(t, func() { fmt.Println(a[5]) }, deps.In(&a[5]))
		return t.Wait()
	})
	// Output: -6
}

func ExampleConcurrentSection() {
	var a [4]int
	s := deps.ConcurrentSection(a[:], deps.Dim{N: 2, Lo: 0, Hi: 2}, deps.Dim{N: 2, Lo: 0, Hi: 1})
	fmt.Println(s.Kind())
	// Output: concurrent
}

func ExampleCommutativeSection() {
	var a [4]int
	s := deps.CommutativeSection(a[:], deps.Dim{N: 2, Lo: 0, Hi: 2}, deps.Dim{N: 2, Lo: 0, Hi: 1})
	fmt.Println(s.Kind())
	// Output: commutative
}
