package worksharing_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

// A random loop computes dst[i] = 3·dst[i] + src[i+shift] + salt over arrays whose items are blocks.
const (
	arrays = 4
	blocks = 6
	block  = 4
	length = blocks * block
)

type memory [arrays][length]int

type randomLoop struct {
	form     int
	dst, src int
	shift    int // multiple of block
	salt     int
	grain    int // blocks
	schedule worksharing.Schedule
	weak     bool
}

func (l *randomLoop) update(m *memory, lo, hi int) {
	for i := lo; i < hi; i++ {
		m[l.dst][i] = 3*m[l.dst][i] + m[l.src][(i+l.shift)%length] + l.salt
	}
}

// accesses of the iterations from lo to hi, in whole blocks.
func (l *randomLoop) accesses(m *memory, lo, hi int) (accs deps.List) {
	for b := lo / block; b*block < hi; b++ {
		accs = append(accs, deps.InOutSlice(m[l.dst][b*block:(b+1)*block]))
		s := (b*block + l.shift) % length
		accs = append(accs, deps.InSlice(m[l.src][s:s+block]))
	}
	return accs
}

func (l *randomLoop) spawn(t *tasks.Task, m *memory) {
	var clauses []tasks.Clause
	switch l.form {
	case 0: // For
		accs := l.accesses(m, 0, length)
		if l.weak {
			for i := range accs {
				accs[i] = deps.Weak(accs[i])
			}
		}
		worksharing.For(t, length, l.schedule, func(_ *tasks.Task, lo, hi int) { l.update(m, lo, hi) }, accs)
	case 1, 2, 3: // Loop; with accesses given; with a For in each range
		if l.form == 2 {
			accs := l.accesses(m, 0, length)
			for i := range accs {
				accs[i] = deps.Weak(accs[i])
			}
			clauses = append(clauses, accs)
		}
		worksharing.Loop(t, blocks, l.grain, func(t *tasks.Task, from, to int) {
			from, to = from*block, to*block
			if l.form < 3 {
				l.update(m, from, to)
				return
			}
			worksharing.For(t, to-from, l.schedule, func(_ *tasks.Task, lo, hi int) { l.update(m, from+lo, from+hi) }, l.accesses(m, from, to))
		}, func(lo, hi int) []deps.Access { return l.accesses(m, lo*block, hi*block) }, clauses...)
	case 4: // Loop2 over blocks and iterations of a block, whole rows
		worksharing.Loop2(t, [2]int{blocks, block}, [2]int{l.grain, 0}, func(_ *tasks.Task, lo, hi [2]int) {
			for b := lo[0]; b < hi[0]; b++ {
				l.update(m, b*block+lo[1], b*block+hi[1])
			}
		}, func(lo, hi [2]int) []deps.Access { return l.accesses(m, lo[0]*block, hi[0]*block) })
	case 5: // For in a task with weak accesses
		accs := l.accesses(m, 0, length)
		var weak deps.List
		for _, a := range accs {
			weak = append(weak, deps.Weak(a))
		}
		tasks.Spawn(t, func(t *tasks.Task) {
			worksharing.For(t, length, l.schedule, func(_ *tasks.Task, lo, hi int) { l.update(m, lo, hi) }, accs)
		}, weak)
	}
}

// random returns a loop in which no iteration reads what another one writes.
func random(r *rand.Rand) *randomLoop {
	all := schedules()
	l := &randomLoop{
		form: r.IntN(6), dst: r.IntN(arrays), src: r.IntN(arrays), shift: r.IntN(blocks) * block, salt: r.IntN(100),
		grain: r.IntN(4), schedule: all[r.IntN(len(all))], weak: r.IntN(2) == 0,
	}
	if l.src == l.dst {
		l.shift = 0
	}
	return l
}

// TestRandomLoops compares 10,000 random loops, in programs of 25, with the same loops one after the other.
func TestRandomLoops(t *testing.T) {
	var rts []*tasks.Runtime
	for workers := 1; workers <= 4; workers++ {
		rts = append(rts, newRuntime(t, workers))
	}
	for seed := range fewer(400) {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		var loops []*randomLoop
		var want memory
		for range 25 {
			l := random(r)
			loops = append(loops, l)
			l.update(&want, 0, length)
		}
		rt := rts[seed%len(rts)]
		got := new(memory)
		require.NoError(t, run(t, rt, func(m *tasks.Task) {
			for _, l := range loops {
				l.spawn(m, got)
			}
		}))
		require.Equal(t, &want, got, "%s", describe(seed, rt.Workers(), loops))
	}
}

func describe(seed, workers int, loops []*randomLoop) string {
	s := fmt.Sprintf("seed %d, %d workers", seed, workers)
	for _, l := range loops {
		s += fmt.Sprintf("\n%+v", *l)
	}
	return s
}
