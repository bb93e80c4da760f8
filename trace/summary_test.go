package trace

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden files in testdata")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("differs from %s (go test -update writes it anew):\n%s", path, got)
	}
}

// Every number computed by hand from the script small.
func TestSummary(t *testing.T) {
	got := small(t).Summary()
	const task5 = 8200
	const produce, send, check, mainTask = 4000, 1000 + 500, 3480, 4000 + 300
	const rank0 = produce + send + check + mainTask
	want := &Summary{
		Wall:    10010,
		Work:    rank0 + task5,
		Span:    1000 + produce + check + 300, // main creates produce, then check, then main's end
		Workers: 3, Tasks: 5, Events: 32,
		Ranks: []RankSummary{
			{Rank: 0, Workers: 2, Busy: rank0, Share: float64(rank0) / (2 * 10010), Sent: Messages{1, 800}},
			{Rank: 1, Workers: 1, Busy: task5, Share: float64(task5) / 10010, Received: Messages{1, 800}},
		},
		Rows: []RowSummary{
			{Name: "worker 0", Rank: 0, Busy: 4300 + 3480 + 500, Share: 8280. / 10010},
			{Name: "worker 1", Rank: 0, Busy: 5000, Idle: 1500, Share: 5000. / 10010},
			{Name: "worker 0", Rank: 1, Busy: task5, Share: float64(task5) / 10010},
		},
		Labels: []LabelSummary{
			{"", 1, task5, task5, task5, float64(task5) / (rank0 + task5)},
			{"main", 1, mainTask, mainTask, mainTask, float64(mainTask) / (rank0 + task5)},
			{"produce", 1, produce, produce, produce, float64(produce) / (rank0 + task5)},
			{"check", 1, check, check, check, float64(check) / (rank0 + task5)},
			{"send", 1, send, send, send, float64(send) / (rank0 + task5)},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	atLeast, atMost := got.Bounds(got.Workers)
	if atLeast != 8780 || atMost != 7160+8780 {
		t.Errorf("bounds %d and %d", atLeast, atMost)
	}
	if p := got.Parallelism(); p != 21480./8780 {
		t.Errorf("parallelism %v", p)
	}
	golden(t, "small.txt", []byte(got.String()))
}

func TestLabelTable(t *testing.T) {
	s := newScript()
	s.on("a").runs(0, 10, 1, "x").runs(10, 40, 2, "x").runs(50, 70, 3, "x").at(80, TaskStart, "y", 4)
	sum := s.Summary()
	want := []LabelSummary{{"x", 3, 60, 10, 30, 1}, {"y", 1, 0, 0, 0, 0}}
	if !slices.Equal(sum.Labels, want) || sum.Labels[0].Mean() != 20 || sum.Unfinished != 1 {
		t.Errorf("got %+v", sum)
	}
}

// The rules of path.go, one script each.
func TestSpan(t *testing.T) {
	for _, c := range []struct {
		name   string
		script func(a, b *scriptRow)
		want   time.Duration
	}{
		{"nothing", func(a, b *scriptRow) {}, 0},
		{"independent", func(a, b *scriptRow) { a.runs(0, 10, 1, ""); b.runs(20, 27, 2, "") }, 10},
		{"creation", func(a, b *scriptRow) {
			a.at(0, TaskStart, "", 1).at(4, TaskCreate, "", 2, 1).at(10, TaskEnd, "", 1)
			b.runs(20, 30, 2, "")
		}, 14},
		{"dependency", func(a, b *scriptRow) {
			a.at(0, Edge, "", 2, 1).runs(0, 10, 1, "")
			b.runs(20, 30, 2, "")
		}, 20},
		{"early release", func(a, b *scriptRow) {
			a.at(0, Edge, "", 2, 1).at(0, TaskStart, "", 1)
			b.runs(5, 30, 2, "")
			a.at(10, TaskEnd, "", 1)
		}, 30},
		{"blocked time is no work", func(a, b *scriptRow) {
			a.at(0, TaskStart, "", 1).at(3, TaskBlock, "", 1).at(50, TaskResume, "", 1).at(54, TaskEnd, "", 1)
		}, 7},
		{"taskwait", func(a, b *scriptRow) {
			a.at(0, TaskStart, "", 1).at(2, TaskCreate, "", 2, 1).at(3, TaskBlock, "", 1)
			b.runs(10, 20, 2, "").at(20, TaskDone, "", 2)
			a.at(25, TaskResume, "", 1).at(26, TaskEnd, "", 1)
		}, 2 + 10 + 1},
		{"taskwait waits for grandchildren", func(a, b *scriptRow) {
			a.at(0, TaskStart, "", 1).at(2, TaskCreate, "", 2, 1).at(3, TaskBlock, "", 1)
			b.at(10, TaskStart, "", 2).at(11, TaskCreate, "", 3, 2).at(12, TaskEnd, "", 2)
			b.runs(13, 20, 3, "").at(20, TaskDone, "", 3).at(20, TaskDone, "", 2)
			a.at(25, TaskResume, "", 1).at(26, TaskEnd, "", 1)
		}, 2 + 1 + 7 + 1},
		{"a wait for something else while a child lives", func(a, b *scriptRow) {
			a.at(0, TaskStart, "", 1).at(2, TaskCreate, "", 2, 1).at(2, TaskCreate, "", 3, 1).at(3, TaskBlock, "", 1)
			b.runs(10, 20, 2, "").at(20, TaskDone, "", 2)
			a.at(25, TaskResume, "", 1).at(26, TaskEnd, "", 1)
		}, 2 + 10},
		{"taskwait on one child, known by an edge", func(a, b *scriptRow) {
			a.at(0, TaskStart, "", 1).at(2, TaskCreate, "", 2, 1).at(2, TaskCreate, "", 3, 1).at(3, TaskBlock, "", 1)
			b.runs(10, 20, 2, "").at(20, TaskDone, "", 2)
			a.at(24, Edge, "", 1, 2).at(25, TaskResume, "", 1).at(26, TaskEnd, "", 1)
		}, 2 + 10 + 1},
		{"on the stack without a block", func(a, b *scriptRow) {
			a.at(0, TaskStart, "", 1).runs(3, 8, 2, "").at(10, TaskEnd, "", 1)
		}, 10},
		{"worksharing counts what passes, not the sum", func(a, b *scriptRow) {
			a.at(0, TaskStart, "", 1)
			b.at(2, TaskStart, "", 1)
			a.at(8, TaskEnd, "", 1)
			b.at(10, TaskEnd, "", 1)
		}, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript()
			c.script(s.on("a"), s.on("b"))
			if got := s.Summary().Span; got != c.want {
				t.Errorf("span %d, want %d", got, c.want)
			}
		})
	}
}

// Random graphs: main creates tasks with dependencies among them, waits for all and goes on. The recording of a greedy
// schedule must give the longest path that a search over all paths of the graph finds.
func TestSpanAgainstAllPaths(t *testing.T) {
	for seed := range uint64(300) {
		g := randomGraph(rand.New(rand.NewPCG(seed, 1)))
		sum := g.record().Summary()
		if got, want := int64(sum.Span), g.longest(); got != want {
			t.Fatalf("seed %d: span %d, longest path %d", seed, got, want)
		}
		if got, want := int64(sum.Work), g.work(); got != want {
			t.Fatalf("seed %d: work %d, want %d", seed, got, want)
		}
		if atLeast, _ := sum.Bounds(sum.Workers); sum.Wall < atLeast {
			t.Fatalf("seed %d: wall %v below the bound %v", seed, sum.Wall, atLeast)
		}
	}
}

// graph: main runs steps[i], then creates task i, for all i; waits for all; runs tail.
type graph struct {
	steps []int64
	time  []int64 // of each task
	preds [][]int // earlier tasks
	tail  int64
	cut   []int64 // a task blocks after this much of its time, and goes on on another row; 0 = not at all
}

func randomGraph(rnd *rand.Rand) *graph {
	g := &graph{tail: 1 + rnd.Int64N(50)}
	for i := range 1 + rnd.IntN(10) {
		g.steps = append(g.steps, 1+rnd.Int64N(20))
		g.time = append(g.time, 2+rnd.Int64N(100))
		g.cut = append(g.cut, max(0, rnd.Int64N(2*g.time[i])-g.time[i]))
		var preds []int
		for p := range i {
			if rnd.IntN(3) == 0 {
				preds = append(preds, p)
			}
		}
		g.preds = append(g.preds, preds)
	}
	return g
}

// longest goes over all paths, from the end backwards.
func (g *graph) longest() int64 {
	created := func(i int) (d int64) {
		for _, s := range g.steps[:i+1] {
			d += s
		}
		return d
	}
	var to func(i int) int64
	to = func(i int) int64 {
		best := created(i)
		for _, p := range g.preds[i] {
			best = max(best, to(p))
		}
		return best + g.time[i]
	}
	best := created(len(g.steps) - 1)
	for i := range g.time {
		best = max(best, to(i))
	}
	return best + g.tail
}

func (g *graph) work() int64 {
	w := g.tail
	for i := range g.time {
		w += g.time[i] + g.steps[i]
	}
	return w
}

// record schedules the graph: main on row 0, each task on the row of three that is free first.
func (g *graph) record() *Recorder {
	s := newScript()
	rows := []*scriptRow{s.on("0"), s.on("1"), s.on("2"), s.on("3")}
	free := make([]int64, 4)
	ends := make([]int64, len(g.time))
	const mainID = 1
	id := func(i int) uint64 { return uint64(i + 2) }
	first := func() int {
		best := 1
		for w := 2; w < 4; w++ {
			if free[w] < free[best] {
				best = w
			}
		}
		return best
	}

	now, waited := int64(0), int64(0)
	rows[0].at(0, TaskStart, "main", mainID)
	for i := range g.time {
		now += g.steps[i]
		rows[0].at(uint64(now), TaskCreate, "task", id(i), mainID)
		ready := now
		for _, p := range g.preds[i] {
			rows[0].at(uint64(now), Edge, "", id(i), id(p))
			ready = max(ready, ends[p])
		}
		w := first()
		begin := max(ready, free[w])
		rows[w].at(uint64(begin), TaskStart, "task", id(i))
		rest := g.time[i]
		if cut := g.cut[i]; cut > 0 {
			free[w] = begin + cut
			rows[w].at(uint64(free[w]), TaskBlock, "message", id(i))
			w = first()
			begin, rest = max(begin+cut+7, free[w]), rest-cut
			rows[w].at(uint64(begin), TaskResume, "", id(i))
		}
		free[w] = begin + rest
		ends[i] = free[w]
		rows[w].at(uint64(free[w]), TaskEnd, "", id(i)).at(uint64(free[w]), TaskDone, "", id(i))
		waited = max(waited, free[w])
	}
	rows[0].at(uint64(now), TaskBlock, "taskwait", mainID)
	now = max(now, waited) + 1
	rows[0].at(uint64(now), TaskResume, "", mainID).at(uint64(now+g.tail), TaskEnd, "", mainID)
	return s.Recorder
}
