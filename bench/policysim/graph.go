package main

import "math/rand/v2"

// task is a node of a graph, in the order of creation.
type task struct {
	kind  int
	cost  float64
	preds []int // created before
	succs []int
	level float64 // longest path from its start to the end of the graph
}

// graph is what a program creates. Kinds are numbered as they appear.
type graph struct {
	name  string
	kinds []string
	tasks []task
	last  map[int]int   // writer of an item
	reads map[int][]int // since then
	r     *rand.Rand
}

func newGraph(name string, kinds ...string) *graph {
	return &graph{name: name, kinds: kinds, last: map[int]int{}, reads: map[int][]int{}, r: rand.New(rand.NewPCG(1, 2))}
}

// add creates a task that reads some items and changes one. Costs vary by a fifth, as measured ones do.
func (g *graph) add(kind int, cost float64, inout int, in ...int) {
	n := len(g.tasks)
	t := task{kind: kind, cost: cost * (0.8 + 0.4*g.r.Float64())}
	after := func(p int) {
		for _, q := range t.preds {
			if q == p {
				return
			}
		}
		t.preds = append(t.preds, p)
		g.tasks[p].succs = append(g.tasks[p].succs, n)
	}
	for _, i := range in {
		if w, ok := g.last[i]; ok {
			after(w)
		}
		g.reads[i] = append(g.reads[i], n)
	}
	if w, ok := g.last[inout]; ok {
		after(w)
	}
	for _, p := range g.reads[inout] {
		after(p)
	}
	g.last[inout], g.reads[inout] = n, nil
	g.tasks = append(g.tasks, t)
}

// finish computes the levels.
func (g *graph) finish() *graph {
	for i := len(g.tasks) - 1; i >= 0; i-- {
		t := &g.tasks[i]
		t.level = t.cost
		for _, s := range t.succs {
			t.level = max(t.level, t.cost+g.tasks[s].level)
		}
	}
	return g
}

func (g *graph) work() (sum float64) {
	for i := range g.tasks {
		sum += g.tasks[i].cost
	}
	return sum
}

func (g *graph) span() (most float64) {
	for i := range g.tasks {
		most = max(most, g.tasks[i].level)
	}
	return most
}

// cholesky is the graph of examples/cholesky on n × n tiles; costs are those of its kernels, a gemm is 2.
func cholesky(n int) *graph {
	g := newGraph("cholesky", "potrf", "trsm", "syrk", "gemm")
	at := func(i, j int) int { return i*n + j }
	for k := range n {
		g.add(0, 0.7, at(k, k))
		for i := k + 1; i < n; i++ {
			g.add(1, 1.2, at(i, k), at(k, k))
		}
		for i := k + 1; i < n; i++ {
			for j := k + 1; j < i; j++ {
				g.add(3, 2, at(i, j), at(i, k), at(j, k))
			}
			g.add(2, 1.1, at(i, i), at(i, k))
		}
	}
	return g.finish()
}

// sparselu is the graph of examples/sparselu on n × n blocks, of which a third is there at first.
func sparselu(n int) *graph {
	g := newGraph("sparselu", "lu0", "fwd", "bdiv", "bmod")
	at := func(i, j int) int { return i*n + j }
	full := make([]bool, n*n)
	for i := range n {
		for j := range n {
			full[at(i, j)] = g.r.Float64() < 0.33 || j >= i-1 && j <= i+1
		}
	}
	for k := range n {
		g.add(0, 0.9, at(k, k))
		for j := k + 1; j < n; j++ {
			if full[at(k, j)] {
				g.add(1, 1.3, at(k, j), at(k, k))
			}
		}
		for i := k + 1; i < n; i++ {
			if !full[at(i, k)] {
				continue
			}
			g.add(2, 1.5, at(i, k), at(k, k))
			for j := k + 1; j < n; j++ {
				if full[at(k, j)] {
					full[at(i, j)] = true
					g.add(3, 2, at(i, j), at(i, k), at(k, j))
				}
			}
		}
	}
	return g.finish()
}
