package bench

import (
	"fmt"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// Cell is what the tasks of a pattern are ordered by.
type Cell = int64

// Pattern is one micro benchmark.
type Pattern struct {
	Name  string
	What  string
	Tasks int

	// Run creates the pattern's tasks below t and waits for them. check makes the bodies increment their inout cell.
	Run func(t *tasks.Task, check bool) *Result
}

// Result holds what a run left behind.
type Result struct {
	Cells []Cell
	Want  func(i int) Cell // of cell i, in check mode
	Value int              // of M5
}

// Check compares the cells of a run in check mode with what they must be.
func (r *Result) Check() error {
	for i, c := range r.Cells {
		if want := r.Want(i); c != want {
			return fmt.Errorf("cell %d is %d, want %d", i, c, want)
		}
	}
	return nil
}

// Micro lists the patterns M1 to M8.
var Micro = []Pattern{
	{"M1", "independent tasks", 1_000_000, independent},
	{"M2", "one chain", 1_000_000, chain},
	{"M3", "64 chains", 1_000_000, chains},
	{"M4", "wavefront over 256 × 256, 10 sweeps", 10 * grid * grid, wavefront},
	{"M5", "fib(25), a taskwait per call", 242_784, fibonacci},
	{"M6", "one writer, then 100 readers, 10,000 times", 1_010_000, readers},
	{"M7", "8 in + 1 inout of 4096 random cells", 200_000, scattered},
	{"M8", "Cholesky on 64 × 64 tiles, 10 times", 457_600, cholesky},
}

func nothing() {}

// body returns what a task on *c runs: one static function in timing mode.
func body(c *Cell, check bool) func() {
	if !check {
		return nothing
	}
	return func() { *c++ }
}

func same(n Cell) func(int) Cell { return func(int) Cell { return n } }

func independent(t *tasks.Task, _ bool) *Result {
	for range 1_000_000 {
		tasks.Spawn(t, nothing)
	}
	wait(t)
	return &Result{}
}

func chain(t *tasks.Task, check bool) *Result {
	c := make([]Cell, 1)
	f := body(&c[0], check)
	for range 1_000_000 {
		tasks.Spawn(t, f, deps.InOut(&c[0]))
	}
	wait(t)
	return &Result{Cells: c, Want: same(1_000_000)}
}

func chains(t *tasks.Task, check bool) *Result {
	c := make([]Cell, 64)
	for i := range 1_000_000 {
		at := &c[i&63]
		tasks.Spawn(t, body(at, check), deps.InOut(at))
	}
	wait(t)
	return &Result{Cells: c, Want: same(15_625)}
}

const grid = 256

func wavefront(t *tasks.Task, check bool) *Result {
	const row = grid + 1 // with the borders, which are cells too
	c := make([]Cell, row*row)
	for range 10 {
		for i := 1; i <= grid; i++ {
			for j := 1; j <= grid; j++ {
				at := i*row + j
				tasks.Spawn(t, body(&c[at], check), deps.In(&c[at-row]), deps.In(&c[at-1]), deps.InOut(&c[at]))
			}
		}
	}
	wait(t)
	return &Result{Cells: c, Want: func(i int) Cell {
		if i < row || i%row == 0 {
			return 0
		}
		return 10
	}}
}

func fibonacci(t *tasks.Task, _ bool) *Result {
	r := &Result{}
	fib(t, 25, &r.Value)
	return r
}

func fib(t *tasks.Task, n int, out *int) {
	if n < 2 {
		*out = n
		return
	}
	var a, b int
	tasks.Spawn(t, func(t *tasks.Task) { fib(t, n-1, &a) })
	tasks.Spawn(t, func(t *tasks.Task) { fib(t, n-2, &b) })
	wait(t)
	*out = a + b
}

func readers(t *tasks.Task, check bool) *Result {
	c := make([]Cell, 1)
	f := body(&c[0], check)
	for range 10_000 {
		tasks.Spawn(t, f, deps.InOut(&c[0]))
		for range 100 {
			tasks.Spawn(t, nothing, deps.In(&c[0]))
		}
	}
	wait(t)
	return &Result{Cells: c, Want: same(10_000)}
}

// splitmix is the generator of M7, seeded with 12345.
type splitmix uint64

func (s *splitmix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func scattered(t *tasks.Task, check bool) *Result {
	c := make([]Cell, 4096)
	times := make([]Cell, 4096)
	r := splitmix(12345)
	for range 200_000 {
		var p [9]uint64
		for i := range p {
		draw:
			p[i] = r.next() & 4095
			for _, q := range p[:i] {
				if q == p[i] {
					goto draw
				}
			}
		}
		self := &c[p[8]]
		times[p[8]]++
		tasks.Spawn(t, body(self, check), deps.In(&c[p[0]]), deps.In(&c[p[1]]), deps.In(&c[p[2]]), deps.In(&c[p[3]]),
			deps.In(&c[p[4]]), deps.In(&c[p[5]]), deps.In(&c[p[6]]), deps.In(&c[p[7]]), deps.InOut(self))
	}
	wait(t)
	return &Result{Cells: c, Want: func(i int) Cell { return times[i] }}
}

func cholesky(t *tasks.Task, check bool) *Result {
	const n = 64
	c := make([]Cell, n*n)
	at := func(i, j int) *Cell { return &c[i*n+j] }
	for range 10 {
		for k := range n {
			tasks.Spawn(t, body(at(k, k), check), deps.InOut(at(k, k)))
			for i := k + 1; i < n; i++ {
				tasks.Spawn(t, body(at(i, k), check), deps.In(at(k, k)), deps.InOut(at(i, k)))
			}
			for i := k + 1; i < n; i++ {
				for j := k + 1; j < i; j++ {
					tasks.Spawn(t, body(at(i, j), check), deps.In(at(i, k)), deps.In(at(j, k)), deps.InOut(at(i, j)))
				}
				tasks.Spawn(t, body(at(i, i), check), deps.In(at(i, k)), deps.InOut(at(i, i)))
			}
		}
		wait(t)
	}
	return &Result{Cells: c, Want: func(i int) Cell {
		if i/n < i%n {
			return 0
		}
		return Cell(10 * (i%n + 1))
	}}
}

func wait(t *tasks.Task) {
	if err := t.Wait(); err != nil {
		panic(err)
	}
}
