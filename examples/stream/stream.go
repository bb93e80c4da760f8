package main

import (
	"fmt"
	"math"
	"time"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

const scalar = 3

// blocks are the same numbers of all three arrays.
type blocks struct{ a, b, c []float64 }

func (x blocks) init() {
	for i := range x.a {
		x.a[i], x.b[i], x.c[i] = 2, 2, 0
	}
}

func (x blocks) copy() { copy(x.c, x.a) }

func (x blocks) scale() {
	b := x.b[:len(x.c)]
	for i, c := range x.c {
		b[i] = scalar * c
	}
}

func (x blocks) add() {
	b, c := x.b[:len(x.a)], x.c[:len(x.a)]
	for i, a := range x.a {
		c[i] = a + b[i]
	}
}

func (x blocks) triad() {
	a, c := x.a[:len(x.b)], x.c[:len(x.b)]
	for i, b := range x.b {
		a[i] = b + scalar*c[i]
	}
}

// kernels are in the order in which a round makes them.
var kernels = [4]struct {
	name     string
	arrays   int // that the kernel reads or writes
	task     tasks.Type
	run      func(blocks)
	accesses func(blocks) deps.List
}{
	{"copy", 2, tasks.NewType("copy", 0), blocks.copy, func(x blocks) deps.List {
		return deps.List{deps.InSlice(x.a), deps.OutSlice(x.c)}
	}},
	{"scale", 2, tasks.NewType("scale", 0), blocks.scale, func(x blocks) deps.List {
		return deps.List{deps.InSlice(x.c), deps.OutSlice(x.b)}
	}},
	{"add", 3, tasks.NewType("add", 0), blocks.add, func(x blocks) deps.List {
		return deps.List{deps.InSlice(x.a), deps.InSlice(x.b), deps.OutSlice(x.c)}
	}},
	{"triad", 3, tasks.NewType("triad", 0), blocks.triad, func(x blocks) deps.List {
		return deps.List{deps.InSlice(x.b), deps.InSlice(x.c), deps.OutSlice(x.a)}
	}},
}

var initType = tasks.NewType("init", 0)

// A stream is one run of the benchmark.
type stream struct {
	cfg     *config
	all     blocks
	workers int
	busy    [][4][]time.Duration // by round and kernel: what the task of each block took
	wall    [][4]time.Duration   // by round and kernel: from one barrier to the next, if there are any
}

func newStream(cfg *config) *stream {
	numbers := func() []float64 { return make([]float64, cfg.n) }
	s := &stream{cfg: cfg, all: blocks{numbers(), numbers(), numbers()}}
	s.busy, s.wall = make([][4][]time.Duration, cfg.rounds), make([][4]time.Duration, cfg.rounds)
	for round := range s.busy {
		for k := range kernels {
			s.busy[round][k] = make([]time.Duration, cfg.blocks())
		}
	}
	return s
}

// blocks returns how many blocks an array has.
func (c *config) blocks() int { return (c.n + c.block - 1) / c.block }

func (s *stream) block(i int) blocks {
	lo, hi := i*s.cfg.block, min((i+1)*s.cfg.block, s.cfg.n)
	return blocks{s.all.a[lo:hi], s.all.b[lo:hi], s.all.c[lo:hi]}
}

// tasks spawns what serial does.
func (s *stream) tasks(t *tasks.Task) error {
	s.workers = t.Runtime().Workers()
	for i := range s.cfg.blocks() {
		x := s.block(i)
		tasks.Spawn(t, x.init, initType, deps.OutSlice(x.a), deps.OutSlice(x.b), deps.OutSlice(x.c))
	}
	if s.cfg.barrier {
		if err := t.Wait(); err != nil {
			return err
		}
	}
	for round := 0; round < s.cfg.rounds && t.Context().Err() == nil; round++ {
		for k := range kernels {
			if err := s.spawnKernel(t, round, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// spawnKernel makes a task of each block. It waits for the kernels before it on the same block, and for no other.
func (s *stream) spawnKernel(t *tasks.Task, round, k int) error {
	began := time.Now()
	for i := range s.cfg.blocks() {
		x := s.block(i)
		took := &s.busy[round][k][i]
		tasks.Spawn(t, func() {
			began := time.Now()
			kernels[k].run(x)
			*took = time.Since(began)
		}, kernels[k].task, kernels[k].accesses(x))
	}
	if !s.cfg.barrier {
		return nil
	}
	err := t.Wait()
	s.wall[round][k] = time.Since(began)
	return err
}

func (s *stream) serial() {
	s.all.init()
	for range s.cfg.rounds {
		for k := range kernels {
			kernels[k].run(s.all)
		}
	}
}

// times returns the mean, the least and the greatest time of kernel k over all rounds but the first. With barriers it is the
// time between two of them. Without, kernels overlap, and it is what the kernel alone would keep all workers busy for: the time
// of its tasks, divided by the workers.
func (s *stream) times(k int) (mean, least, most time.Duration) {
	for round := 1; round < s.cfg.rounds; round++ {
		took := s.wall[round][k]
		if !s.cfg.barrier {
			for _, d := range s.busy[round][k] {
				took += d
			}
			took /= time.Duration(s.workers)
		}
		took = max(took, 1) // of a coarse clock
		if round == 1 {
			least = took
		}
		mean, least, most = mean+took, min(least, took), max(most, took)
	}
	return mean / time.Duration(s.cfg.rounds-1), least, most
}

// maxError is the original's bound on the mean error of an array, relative to the value that all its numbers should have.
const maxError = 1e-13

func (s *stream) validate() error {
	want := blocks{make([]float64, 1), make([]float64, 1), make([]float64, 1)}
	want.init()
	for range s.cfg.rounds {
		for k := range kernels {
			kernels[k].run(want)
		}
	}
	for _, array := range []struct {
		name      string
		got, want []float64
	}{{"a", s.all.a, want.a}, {"b", s.all.b, want.b}, {"c", s.all.c, want.c}} {
		sum, expected := 0.0, array.want[0]
		for _, x := range array.got {
			sum += math.Abs(x - expected)
		}
		if e := sum / float64(len(array.got)) / math.Abs(expected); !(e <= maxError) {
			return fmt.Errorf("array %s is wrong: its numbers should be %v, and the mean error is %.1e", array.name, expected, e)
		}
	}
	return nil
}

// sameBits returns an error that names the first difference.
func (s *stream) sameBits(want *stream) error {
	for _, array := range []struct {
		name      string
		got, want []float64
	}{{"a", s.all.a, want.all.a}, {"b", s.all.b, want.all.b}, {"c", s.all.c, want.all.c}} {
		for i, w := range array.want {
			if g := array.got[i]; math.Float64bits(g) != math.Float64bits(w) {
				return fmt.Errorf("%s[%d] is %v, and %v in the serial form", array.name, i, g, w)
			}
		}
	}
	return nil
}
