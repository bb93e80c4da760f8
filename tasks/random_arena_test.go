package tasks_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/tasks"
)

var arenaTime = flag.Duration("arena", 0, "how long TestStressArena runs; 0: some rounds")

// arena is memory that many creators spawn tasks on at the same time, with regions that overlap. Each creator declares
// some of it weak, so that all of them create while the grants of the others arrive for parts of what they declared. A
// watch for each cell sees whether who should be alone is.
type arena struct {
	*regionMachine
	total []uint64 // what the cells must be in the end
	tasks atomic.Int32
}

func newArena(cells int) *arena {
	return &arena{regionMachine: newRegionMachine(&regionProgram{cells: cells, tasks: 1}), total: make([]uint64, cells)}
}

// create spawns tasks inside the region that t declared weak, or strong and leaves to its children.
func (a *arena) create(t *tasks.Task, r *rand.Rand, region regionAccess, depth int) {
	g := &regionGenerator{r: r}
	for range 3 + r.IntN(12) {
		sub := g.inside(region)
		switch k := r.IntN(12); {
		case k < 4 && depth > 0:
			sub.kind, sub.weak = deps.KindInOut, k > 0
			seed := r.Uint64()
			a.tasks.Add(1)
			tasks.Spawn(t, func(t *tasks.Task) { a.create(t, rand.New(rand.NewPCG(seed, 1)), sub, depth-1) }, a.access(sub))
		case k == 4 && region.rows == 1 && region.cols > 1: // the rest is for those who follow
			first := region
			first.cols = 1 + r.IntN(region.cols-1)
			region.base, region.cols = region.base+first.cols, region.cols-first.cols
			t.Release(a.access(first))
		case k == 5 && r.IntN(4) == 0:
			_ = t.Wait()
		default:
			a.spawnLeaf(t, g, region)
		}
	}
}

// spawnLeaf spawns a task that touches what it declares.
func (a *arena) spawnLeaf(t *tasks.Task, g *regionGenerator, region regionAccess) {
	var accs deps.List
	kinds := map[int]progAccess{}
	var all []regionAccess
	for range 1 + g.r.IntN(3) {
		sub := g.inside(region)
		sub.kind, sub.weak = deps.Kind(1+g.r.IntN(5)), false
		all = append(all, sub)
		accs = append(accs, a.access(sub))
		for _, c := range sub.cells() {
			k := progAccess{cell: c, kind: sub.kind}
			if before, twice := kinds[c]; twice {
				k = combined(before, k)
			}
			kinds[c] = k
		}
	}
	a.tasks.Add(1)
	early, pause := g.r.IntN(6) == 0, g.r.IntN(3)
	tasks.Spawn(t, func(t *tasks.Task) {
		a.use(kinds, pause)
		if last := all[len(all)-1]; early && len(all) == 1 && last.rows == 1 {
			last.cols = 1 + last.cols/2
			t.Release(a.access(last))
			for _, c := range last.cells() {
				delete(kinds, c)
			}
			a.use(kinds, pause)
		}
	}, accs)
}

// use touches all cells at once.
func (a *arena) use(kinds map[int]progAccess, pause int) {
	mode := func(k deps.Kind) touch {
		i := item{}
		return i.touch(k)
	}
	for c, k := range kinds {
		a.enter(0, c, mode(k.kind))
	}
	sum := uint64(0)
	for range pause {
		runtime.Gosched()
	}
	for c, k := range kinds {
		switch k.kind {
		case deps.KindIn:
			sum += a.cells[c]
			continue
		case deps.KindConcurrent:
			atomic.AddUint64(&a.cells[c], 1)
		default:
			a.cells[c]++
		}
		if !race.Enabled { // else it would order the bodies
			atomic.AddUint64(&a.total[c], 1)
		}
	}
	_ = sum
	for c, k := range kinds {
		a.leave(c, mode(k.kind))
	}
}

func TestStressArena(t *testing.T) {
	const setups = 2 * 3 * 3
	for _, procs := range []int{2, 8} {
		for _, workers := range []int{2, 4, 8} {
			for _, cells := range []int{8, 64, 512} { // 64 bytes to 4 KiB
				t.Run(fmt.Sprintf("procs=%d/workers=%d/cells=%d", procs, workers, cells), func(t *testing.T) {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
					rt, err := tasks.New(tasks.Config{Workers: workers, Throttle: -1})
					require.NoError(t, err)
					rounds, spawned, end := max(rounds()/400, 1), int32(0), time.Now().Add(*arenaTime/setups)
					for round := uint64(0); round < uint64(rounds) || time.Now().Before(end); round++ {
						spawned += stressArena(t, rt, cells, round)
					}
					require.NoError(t, guarded(t, rt, rt.Close, t.Name))
					t.Logf("%d tasks", spawned)
				})
			}
		}
	}
}

func stressArena(t *testing.T, rt *tasks.Runtime, cells int, seed uint64) int32 {
	a := newArena(cells)
	mustRun(t, rt, func(m *tasks.Task) error {
		r := rand.New(rand.NewPCG(seed, uint64(cells)))
		g := &regionGenerator{r: r}
		for range 4 + r.IntN(5) {
			region := g.inside(regionAccess{ld: cells, rows: 1, cols: cells, kind: deps.KindInOut, weak: true})
			if r.IntN(2) == 0 {
				region = regionAccess{ld: cells, rows: 1, cols: cells, kind: deps.KindInOut, weak: true}
			}
			seed := r.Uint64()
			tasks.Spawn(m, func(t *tasks.Task) { a.create(t, rand.New(rand.NewPCG(seed, 2)), region, 3) }, a.access(region))
		}
		return nil
	})
	if text := a.wrong.Load(); text != nil {
		t.Fatalf("round %d: %s", seed, *text)
	}
	if !race.Enabled {
		require.Equal(t, a.total, a.cells, "round %d", seed)
	}
	return a.tasks.Load()
}
