//go:build !race

package taskstest

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
)

var a, b, c = tasks.Label("a"), tasks.Label("b"), tasks.Label("c")

type two struct{ x, y int }

type row [8]int

var wrong = []struct {
	name    string
	program program
	kind    Kind
	text    []string
}{
	{"write not declared", programOf(func(m *tasks.Task, d *two) {
		tasks.Spawn(m, func() { d.x = 3 }, deps.Out(&d.x), a)
		tasks.Spawn(m, func() { d.x = 4; d.y = 1 }, deps.Out(&d.y), b)
	}), Undeclared, []string{`task "b" (main/1, check_wrong_test.go:`, "changes bytes that it does not declare", `task "a" (main/0`, "out of 8 bytes"}},

	{"write declared as read", programOf(func(m *tasks.Task, d *two) {
		tasks.Spawn(m, func() { d.x = 3 }, deps.Out(&d.x), a)
		tasks.Spawn(m, func() { d.x++; d.y = 1 }, deps.In(&d.x), deps.Out(&d.y), b)
	}), Undeclared, []string{`task "b"`, "changes what it declares as in of 8 bytes (access 1)", "out or inout"}},

	{"read not declared", programOf(func(m *tasks.Task, d *two) {
		tasks.Spawn(m, func() { d.x = 3 }, deps.Out(&d.x), a)
		tasks.Spawn(m, func() { d.y = 2 * d.x }, deps.Out(&d.y), b)
	}), Undeclared, []string{`task "b"`, "depends on bytes that it does not declare", `task "a"`, "It needs in"}},

	{"out that reads", programOf(func(m *tasks.Task, d *two) {
		tasks.Spawn(m, func() { d.x = 3 }, deps.Out(&d.x), a)
		tasks.Spawn(m, func() { d.x *= 5 }, deps.Out(&d.x), b)
	}), Undeclared, []string{`task "b"`, "depends on what was in its out of 8 bytes before", "inout"}},

	{"reduction without the copy", programOf(func(m *tasks.Task, d *two) {
		tasks.Spawn(m, func(t *tasks.Task) { d.x += 3 }, reduce.Sum(&d.x), a)
	}), Undeclared, []string{`task "a"`, "reduction of 8 bytes", "reduce.Local"}},

	{"tile too narrow", programOf(func(m *tasks.Task, d *[16]int) {
		tasks.Spawn(m, func() { d[0], d[4] = 1, 1 }, deps.OutTile(d[:], 4, 0, 2, 0, 1), a)
		tasks.Spawn(m, func() { d[1], d[5], d[6] = 2, 2, 2 }, deps.OutTile(d[:], 4, 0, 2, 1, 2), b)
		tasks.Spawn(m, func() { d[2], d[6] = 3, 3 }, deps.OutTile(d[:], 4, 0, 2, 2, 3), c)
	}), Undeclared, []string{`task "b"`, "does not declare", `task "c"`, "out of 16 bytes"}},

	{"write after release", programOf(func(m *tasks.Task, d *two) {
		tasks.Spawn(m, func(t *tasks.Task) {
			d.x = 1
			t.Release(deps.InOut(&d.x))
			t.Yield()
			d.x = 2
		}, deps.InOut(&d.x), a)
		tasks.Spawn(m, func(t *tasks.Task) {}, c)
		tasks.Spawn(m, func(t *tasks.Task) { d.x += 7 }, deps.InOut(&d.x), b)
	}), Undeclared, []string{`task "a"`, "does not declare", `task "b"`}},

	{"parent says less", programOf(func(m *tasks.Task, d *two) {
		tasks.Spawn(m, func(t *tasks.Task) {
			tasks.Spawn(t, func() { d.x++ }, deps.InOut(&d.x), b)
		}, deps.Weak(deps.In(&d.x)), a)
	}), Beyond, []string{`task "b" (main/0/0`, "declares inout of 8 bytes", `task "a" (main/0`, "only weak in of 8 bytes"}},

	{"parents say nothing", programOf(func(m *tasks.Task, d *two) {
		for _, l := range []tasks.Option{a, b} {
			tasks.Spawn(m, func(t *tasks.Task) {
				tasks.Spawn(t, func() { d.x++ }, deps.InOut(&d.x), c)
			}, l)
		}
	}), Unordered, []string{`task "c" (main/0/0`, `its parent, task "a"`, `task "c" (main/1/0`, `its parent, task "b"`, "at least weak"}},

	{"one parent says nothing", programOf(func(m *tasks.Task, d *row) {
		tasks.Spawn(m, func() {
			for i := range d {
				d[i] = i
			}
		}, deps.Out(d), a)
		tasks.Spawn(m, func(t *tasks.Task) {
			tasks.Spawn(t, func() { d[3]++ }, deps.InOutSlice(d[3:5]), c)
		}, b)
	}), Unordered, []string{`task "a" (main/0`, `its parent, task "b"`, "They share 16 bytes at +24"}},

	{"parent writes too early", programOf(func(m *tasks.Task, d *two) {
		tasks.Spawn(m, func() { d.y = d.x }, deps.In(&d.x), deps.Out(&d.y), a)
		d.x = 5
		_ = m.Wait()
	}), TooEarly, []string{`task "main"`, `after it spawned task "a"`, "in of 8 bytes (access 1)", "Wait before"}},

	{"commutative and an event", func() (func(*tasks.Task) error, func() any) {
		var x int
		return func(m *tasks.Task) error {
			resume := func() {}
			tasks.Spawn(m, func(t *tasks.Task) error {
				x++
				return t.Suspend(func(r func()) { resume = r })
			}, deps.Commutative(&x), a)
			tasks.Spawn(m, func() { x++; resume() }, deps.Commutative(&x), b)
			return nil
		}, nil
	}, Stuck, []string{`task "a"`, "holds commutative of 8 bytes while it waits", `task "b"`, "cannot begin without it"}},

	{"deadlock in one order only", func() (func(*tasks.Task) error, func() any) {
		var x, y int
		return func(m *tasks.Task) error {
			ready := false
			tasks.Spawn(m, func() { ready = true }, a)
			tasks.Spawn(m, func(t *tasks.Task) error {
				if ready {
					return nil
				}
				tasks.Spawn(t, func() {}, deps.Commutative(&x), deps.Weak(deps.InOut(&y)), c)
				return t.Wait()
			}, deps.Commutative(&x), deps.Weak(deps.InOut(&y)), b)
			return nil
		}, nil
	}, Stuck, []string{`task "b"`, "cannot end", "holds commutative of 8 bytes (access 1) while it waits", `task "c"`}},

	{"result differs", programOf(func(m *tasks.Task, d *two) {
		tasks.Spawn(m, func() { d.x = d.x*2 + 1 }, a)
		tasks.Spawn(m, func() { d.x = d.x * 3 }, b)
	}), Differs, []string{"the result of", "in program order it is"}},

	{"superfluous in", programOf(func(m *tasks.Task, d *two) {
		tasks.Spawn(m, func() { d.x = 3 }, deps.Out(&d.x), a)
		tasks.Spawn(m, func() { d.y = 2 }, deps.In(&d.x), deps.Out(&d.y), b)
	}), Superfluous, []string{`task "b"`, "in of 8 bytes (access 1)"}},

	{"superfluous inout", programOf(func(m *tasks.Task, d *two) {
		tasks.Spawn(m, func() { d.x = 3 }, deps.Out(&d.x), a)
		tasks.Spawn(m, func() { d.y = 2 }, deps.InOut(&d.x), deps.Out(&d.y), b)
	}), Superfluous, []string{`task "b"`, "inout of 8 bytes (access 1)"}},

	{"inout for in", programOf(func(m *tasks.Task, d *two) {
		tasks.Spawn(m, func() { d.x = 3 }, deps.Out(&d.x), a)
		tasks.Spawn(m, func() { d.y = d.x }, deps.InOut(&d.x), deps.Out(&d.y), b)
	}), TooStrong, []string{`task "b"`, "inout of 8 bytes (access 1)", "in would do"}},

	{"inout for out", programOf(func(m *tasks.Task, d *[4]float64) {
		tasks.Spawn(m, func() {
			for i := range d {
				d[i] = float64(i) + 1.5
			}
		}, deps.InOut(d), a)
		tasks.Spawn(m, func() {
			for i := range d {
				d[i] *= 2
			}
		}, deps.InOut(d), b)
	}), TooStrong, []string{`task "a"`, "out would do"}},

	{"strong for weak", programOf(func(m *tasks.Task, d *two) {
		tasks.Spawn(m, func() { d.x = 3 }, deps.Out(&d.x), a)
		tasks.Spawn(m, func(t *tasks.Task) {
			tasks.Spawn(t, func() { d.x++ }, deps.InOut(&d.x), c)
		}, deps.InOut(&d.x), b)
	}), TooStrong, []string{`task "b"`, "weak would do"}},

	{"overlapping", programOf(func(m *tasks.Task, d *row) {
		tasks.Spawn(m, func() {
			for i := range d[:4] {
				d[i] += d[i+4]
			}
		}, deps.InSlice(d[:]), deps.InOutSlice(d[:4]), a)
	}), Overlapping, []string{`task "a"`, "in of 64 bytes and inout of 32 bytes", "share 32 bytes"}},
}

func TestCheckFindsWhatIsWrong(t *testing.T) {
	defer func(d time.Duration) { quiet = d }(quiet)
	quiet /= 10
	for _, w := range wrong {
		t.Run(w.name, func(t *testing.T) {
			r := &recorder{TB: t}
			all := Check(r, 20, w.program)
			t.Logf("%s", r.text.String())
			var kinds []Kind
			for _, f := range all {
				kinds = append(kinds, f.Kind)
				if f.Kind != w.kind {
					continue
				}
				require.Contains(t, r.text.String(), f.String())
				require.Equal(t, !f.Advice(), r.bad)
				for _, part := range w.text {
					require.Contains(t, f.Text, part)
				}
				return
			}
			require.Contains(t, kinds, w.kind)
		})
	}
}

func TestTheSeedOfAFindingShowsItAgain(t *testing.T) {
	for _, w := range wrong[:3] {
		for _, f := range Check(&recorder{TB: t}, 20, w.program) {
			if f.Seed == 0 || f.Kind != w.kind {
				continue
			}
			require.NoError(t, flag.Set(seedFlag, fmt.Sprint(f.Seed)))
			again := Check(&recorder{TB: t}, 20, w.program)
			require.NoError(t, flag.Set(seedFlag, "0"))
			require.Contains(t, again, f, w.name)
		}
	}
}
