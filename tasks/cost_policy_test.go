package tasks_test

import (
	"cmp"
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// What knowing the tasks' times would be worth to the scheduler, by simulation: slots with a queue each, as package tasks
// has them, on irregular graphs, under several rules for tasks that become ready together.

type simTask struct {
	time  float64
	needs int
	frees []int
}

// simRandom is a graph of layers; times are spread over two orders of magnitude.
func simRandom(r *rand.Rand) []simTask {
	var g []simTask
	var before []int
	for range 30 {
		var layer []int
		for range 1 + r.IntN(8) {
			i := len(g)
			x := r.Float64()
			g = append(g, simTask{time: 1 + 99*x*x*x*x})
			for _, b := range before {
				if r.IntN(3) == 0 {
					g[b].frees = append(g[b].frees, i)
					g[i].needs++
				}
			}
			layer = append(layer, i)
		}
		before = layer
	}
	return g
}

// simForks is independent tasks of irregular time, freed together, and again.
func simForks(r *rand.Rand) []simTask {
	var g []simTask
	fork := 0
	g = append(g, simTask{time: 1})
	for range 8 {
		join := len(g)
		g = append(g, simTask{time: 1})
		for range 4 + r.IntN(12) {
			x := r.Float64()
			g = append(g, simTask{time: 1 + 99*x*x*x*x, needs: 1, frees: []int{join}})
			g[fork].frees = append(g[fork].frees, len(g)-1)
			g[join].needs++
		}
		fork = join
	}
	return g
}

// simLU is sparse LU of n×n blocks whose fill varies, times are by fill.
func simLU(r *rand.Rand) []simTask {
	const n = 10
	var g []simTask
	var last [n][n]int
	var fill [n][n]float64
	for i := range n {
		for j := range n {
			last[i][j] = -1
			if i == j || r.IntN(2) == 0 {
				x := r.Float64()
				fill[i][j] = 0.05 + x*x
			}
		}
	}
	add := func(time float64, writes [2]int, reads ...[2]int) {
		id := len(g)
		g = append(g, simTask{time: time})
		var on []int
		for _, a := range append(reads, writes) {
			if p := last[a[0]][a[1]]; p >= 0 && !slices.Contains(on, p) {
				on = append(on, p)
				g[p].frees = append(g[p].frees, id)
				g[id].needs++
			}
		}
		last[writes[0]][writes[1]] = id
	}
	for k := range n {
		add(33*fill[k][k], [2]int{k, k})
		for j := k + 1; j < n; j++ {
			if fill[k][j] > 0 {
				add(50*fill[k][j], [2]int{k, j}, [2]int{k, k})
			}
			if fill[j][k] > 0 {
				add(50*fill[j][k], [2]int{j, k}, [2]int{k, k})
			}
		}
		for i := k + 1; i < n; i++ {
			for j := k + 1; j < n; j++ {
				if w := fill[i][k] * fill[k][j]; w > 0 {
					add(100*w, [2]int{i, j}, [2]int{i, k}, [2]int{k, j})
					fill[i][j] = min(1, fill[i][j]+w)
				}
			}
		}
	}
	return g
}

type simEvent struct {
	at         float64
	slot, task int
}
type simEvents []simEvent

func (e simEvents) Len() int           { return len(e) }
func (e simEvents) Less(i, j int) bool { return e[i].at < e[j].at }
func (e simEvents) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *simEvents) Push(x any)        { *e = append(*e, x.(simEvent)) }
func (e *simEvents) Pop() any {
	old := *e
	x := old[len(old)-1]
	*e = old[:len(old)-1]
	return x
}

// simRules say how the tasks that one frees are ordered: the first runs next, the others are queued, the last of them is
// taken first. global is one queue, longest first, instead of one for each slot.
var simRules = []struct {
	name   string
	order  func(g []simTask, freed []int)
	global bool
}{
	{"as freed", func([]simTask, []int) {}, false},
	{"longest first", func(g []simTask, freed []int) {
		for i := range freed {
			if g[freed[i]].time > g[freed[0]].time {
				freed[0], freed[i] = freed[i], freed[0]
			}
		}
	}, false},
	{"longest first, then shortest", func(g []simTask, freed []int) {
		slices.SortFunc(freed, func(a, b int) int { return cmp.Compare(g[b].time, g[a].time) })
	}, false},
	{"one queue by length", func([]simTask, []int) {}, true},
}

// simulate returns how long g takes.
func simulate(g []simTask, slots, rule int, r *rand.Rand) float64 {
	needs := make([]int, len(g))
	queues := make([][]int, slots)
	for i := range g {
		needs[i] = g[i].needs
		if needs[i] == 0 {
			queues[0] = append(queues[0], i)
		}
	}
	var events simEvents
	idle := make([]bool, slots)
	now := 0.0
	start := func(s, t int) { heap.Push(&events, simEvent{now + g[t].time, s, t}) }
	take := func(s int) int {
		if simRules[rule].global {
			q := queues[0]
			if len(q) == 0 {
				return -1
			}
			best := 0
			for i := range q {
				if g[q[i]].time > g[q[best]].time {
					best = i
				}
			}
			t := q[best]
			queues[0] = slices.Delete(q, best, best+1)
			return t
		}
		if q := queues[s]; len(q) > 0 { // the newest
			queues[s] = q[:len(q)-1]
			return q[len(q)-1]
		}
		for i, off := 0, r.IntN(slots); i < slots; i++ { // the oldest half of another one's
			v := (i + off) % slots
			if q := queues[v]; len(q) > 0 {
				n := (len(q) + 1) / 2
				queues[s] = append(queues[s], q[1:n]...)
				slices.Reverse(queues[s])
				queues[v] = slices.Clone(q[n:])
				return q[0]
			}
		}
		return -1
	}
	for s := range slots {
		idle[s] = true
	}
	for {
		for s := range slots {
			if idle[s] {
				if t := take(s); t >= 0 {
					idle[s] = false
					start(s, t)
				}
			}
		}
		if len(events) == 0 {
			return now
		}
		e := heap.Pop(&events).(simEvent)
		now = e.at
		var freed []int
		for _, f := range g[e.task].frees {
			if needs[f]--; needs[f] == 0 {
				freed = append(freed, f)
			}
		}
		simRules[rule].order(g, freed)
		s := e.slot
		if simRules[rule].global {
			queues[0] = append(queues[0], freed...)
			idle[s] = true
			continue
		}
		if len(freed) == 0 {
			idle[s] = true
			continue
		}
		queues[s] = append(queues[s], freed[1:]...)
		start(s, freed[0])
	}
}

// simBound is what no schedule can beat: the work divided by the slots, or the longest path.
func simBound(g []simTask, slots int) float64 {
	work, longest := 0.0, 0.0
	until := make([]float64, len(g))
	order := make([]int, 0, len(g))
	needs := make([]int, len(g))
	for i := range g {
		if needs[i] = g[i].needs; needs[i] == 0 {
			order = append(order, i)
		}
	}
	for k := 0; k < len(order); k++ {
		i := order[k]
		until[i] += g[i].time
		work += g[i].time
		longest = max(longest, until[i])
		for _, f := range g[i].frees {
			until[f] = max(until[f], until[i])
			if needs[f]--; needs[f] == 0 {
				order = append(order, f)
			}
		}
	}
	return max(work/float64(slots), longest)
}

// BenchmarkCostPolicies reports, for graphs, slots and rules, how much longer than the lower bound the schedule is, in
// percent.
func BenchmarkCostPolicies(b *testing.B) {
	for _, kind := range []struct {
		name string
		make func(*rand.Rand) []simTask
	}{{"random", simRandom}, {"forks", simForks}, {"lu", simLU}} {
		for _, slots := range []int{2, 4, 8} {
			for rule := range simRules {
				b.Run(fmt.Sprintf("%s/%d/%s", kind.name, slots, simRules[rule].name), func(b *testing.B) {
					const graphs = 300
					over := 0.0
					for b.Loop() {
						over = 0
						for seed := range uint64(graphs) {
							r := rand.New(rand.NewPCG(seed, 11))
							g := kind.make(r)
							over += simulate(g, slots, rule, r)/simBound(g, slots) - 1
						}
					}
					b.ReportMetric(100*over/graphs, "%over")
					b.ReportMetric(0, "ns/op")
				})
			}
		}
	}
}
