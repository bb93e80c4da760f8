package trace

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// A Summary is what a recording says about the run, in numbers. Times are as seen by the observer of the rows: pieces of
// tasks that were cut by the end of the recording count up to where they are known.
//
// The span is the longest path through the run, weighted by running time, where a task follows what its parent ran before
// creating it, its predecessors (each as far as it had come when the task started), and, after a taskwait, its children.
// path.go has the rules. Messages are not part of it: with several ranks it is a lower bound. S <= T and S <= W always hold.
type Summary struct {
	Wall    time.Duration // T: from the first visible event to the last
	Work    time.Duration // W: sum of the running pieces of all tasks; blocked time is no work
	Span    time.Duration // S: the longest chain of running time, see below
	Workers int           // P: rows on which a task ran or which recorded idle time

	Tasks      int // tasks that started
	Unfinished int // of these, tasks whose end is not visible

	Ranks  []RankSummary  // by rank
	Rows   []RowSummary   // in order of creation, only those counted in Workers
	Labels []LabelSummary // the longest total first

	Events int64 // visible
	Lost   int64 // dropped because of Config.Limit
}

// RankSummary is the part of one rank.
type RankSummary struct {
	Rank     int
	Workers  int
	Busy     time.Duration // sum over its rows
	Share    float64       // Busy of Workers times Wall, 0 to 1
	Sent     Messages      // posted by this rank
	Received Messages      // completed on this rank
}

// Messages counts messages. The size of a received message is the sender's, or that of the receive buffer if the send is
// not in the recording.
type Messages struct {
	Count int64
	Bytes int64
}

// RowSummary is one row. What is neither busy nor idle went to the runtime, or to work outside tasks.
type RowSummary struct {
	Name  string
	Rank  int
	Busy  time.Duration // running tasks
	Idle  time.Duration // between IdleBegin and IdleEnd
	Share float64       // Busy of Wall, 0 to 1
}

// LabelSummary is all started tasks of one label. The time of a task is the sum of its pieces.
type LabelSummary struct {
	Name  string // "" for tasks without a label
	Tasks int
	Total time.Duration
	Min   time.Duration
	Max   time.Duration
	Share float64 // Total of Work, 0 to 1
}

// Mean returns the mean time of a task.
func (l LabelSummary) Mean() time.Duration {
	if l.Tasks == 0 {
		return 0
	}
	return l.Total / time.Duration(l.Tasks)
}

// Parallelism returns W/S, the average parallelism: no number of workers makes the program faster than that many times
// the time of one. It is 0 when nothing ran.
func (s *Summary) Parallelism() float64 {
	if s.Span == 0 {
		return 0
	}
	return float64(s.Work) / float64(s.Span)
}

// Bounds returns Brent's bounds for P workers: no schedule finishes before max(W/P, S), and one that never leaves a worker
// idle while a task is ready finishes by W/P + S. A measured time above the second was lost elsewhere: in the creation
// of tasks, in the runtime, in waiting for messages or the outside.
func (s *Summary) Bounds(workers int) (atLeast, atMost time.Duration) {
	if workers < 1 {
		return s.Span, s.Span
	}
	each := s.Work / time.Duration(workers)
	return max(each, s.Span), each + s.Span
}

// Summary computes the numbers from what is visible of the whole recording, all ranks. It takes about 0.1 µs an event
// and some 100 bytes of memory per task, and is safe while streams are written. A nil Recorder gives an empty Summary.
func (r *Recorder) Summary() *Summary {
	if r == nil {
		return &Summary{}
	}
	return r.rec.look().summarize()
}

func (seen *sight) summarize() *Summary {
	t := &tally{rows: make([]rowTally, len(seen.rows)), ranks: make(map[int]*RankSummary)}
	for _, row := range seen.rows {
		t.rank(row.rank)
	}
	t.seen = seen
	replay := newReplay(seen, t)
	replay.all()

	s := &Summary{Events: replay.events, Lost: int64(seen.lost), Wall: time.Duration(replay.last - replay.first)}
	t.addRows(s)
	t.addTasks(s, replay.tasks)
	return s
}

// tally is the observer that counts.
type tally struct {
	seen  *sight
	rows  []rowTally
	ranks map[int]*RankSummary
}

type rowTally struct {
	worker     bool
	busy, idle int64
}

func (t *tally) ran(p piece) {
	row := &t.rows[p.row]
	row.worker = true
	row.busy += p.to - p.from
}

func (t *tally) idled(i int32, from, to int64) {
	row := &t.rows[i]
	row.worker = true
	row.idle += to - from
}

func (t *tally) messaged(x *transfer) {
	rank := t.rank(x.rank)
	switch {
	case !x.recv:
		rank.Sent.add(x)
	case x.matched:
		rank.Received.add(x)
	}
}

func (t *tally) depended(*task, int64, int32) {}
func (t *tally) marked(*event)                {}
func (t *tally) delivered(_, _ *transfer)     {}

func (m *Messages) add(x *transfer) {
	m.Count++
	m.Bytes += int64(x.bytes)
}

func (t *tally) rank(rank int) *RankSummary {
	known := t.ranks[rank]
	if known == nil {
		known = &RankSummary{Rank: rank}
		t.ranks[rank] = known
	}
	return known
}

// addRows fills in the rows and ranks. s.Wall is known.
func (t *tally) addRows(s *Summary) {
	for i, row := range t.rows {
		if !row.worker {
			continue
		}
		about := &t.seen.rows[i]
		out := RowSummary{Name: about.name, Rank: about.rank, Busy: time.Duration(row.busy), Idle: time.Duration(row.idle)}
		out.Share = share(out.Busy, s.Wall)
		s.Rows = append(s.Rows, out)
		s.Workers++
		s.Work += out.Busy
		rank := t.rank(out.Rank)
		rank.Workers++
		rank.Busy += out.Busy
	}
	for _, n := range slices.Sorted(maps.Keys(t.ranks)) {
		rank := t.ranks[n]
		rank.Share = share(rank.Busy, time.Duration(rank.Workers)*s.Wall)
		s.Ranks = append(s.Ranks, *rank)
	}
}

// addTasks fills in what is known by task. s.Work is known.
func (t *tally) addTasks(s *Summary, tasks []task) {
	byLabel := make(map[Label]*LabelSummary)
	for i := 1; i < len(tasks); i++ {
		task := &tasks[i]
		s.Span = max(s.Span, time.Duration(task.depth))
		if !task.started {
			continue
		}
		s.Tasks++
		if !task.ended {
			s.Unfinished++
		}
		label := byLabel[task.label]
		if label == nil {
			label = &LabelSummary{Name: t.seen.name(task.label), Min: time.Duration(task.work)}
			byLabel[task.label] = label
		}
		label.add(time.Duration(task.work))
	}
	for _, label := range byLabel {
		label.Share = share(label.Total, s.Work)
		s.Labels = append(s.Labels, *label)
	}
	slices.SortFunc(s.Labels, func(a, b LabelSummary) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Name, b.Name))
	})
}

func (l *LabelSummary) add(d time.Duration) {
	l.Tasks++
	l.Total += d
	l.Min = min(l.Min, d)
	l.Max = max(l.Max, d)
}

func share(part, whole time.Duration) float64 {
	if whole <= 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
