package trace

import (
	"fmt"
	"slices"
	"testing"
)

// lister writes down what replay reports.
type lister struct {
	replay *replay
	pieces []string
	arrows []string
}

func (l *lister) ran(p piece) {
	l.pieces = append(l.pieces, fmt.Sprintf("%s: %d %d-%d %s",
		l.replay.seen.rows[p.row].name, l.replay.tasks[p.task].id, p.from, p.to, [...]string{"cut", "block", "end"}[endIndex(p.end)]))
}

func endIndex(k Kind) int {
	switch k {
	case TaskBlock:
		return 1
	case TaskEnd:
		return 2
	}
	return 0
}

func (l *lister) idled(row int32, from, to int64) {
	l.pieces = append(l.pieces, fmt.Sprintf("%s: idle %d-%d", l.replay.seen.rows[row].name, from, to))
}

func (l *lister) depended(pred *task, left int64, row int32) {
	l.arrows = append(l.arrows, fmt.Sprintf("%d@%d -> %s@%d", pred.id, left, l.replay.seen.rows[row].name, l.replay.last))
}

func (l *lister) marked(*event)                  {}
func (l *lister) messaged(*transfer)             {}
func (l *lister) delivered(send, recv *transfer) {}

func list(r *Recorder) *lister {
	l := &lister{}
	l.replay = newReplay(r.rec.look(), l)
	l.replay.all()
	return l
}

func TestPieces(t *testing.T) {
	for _, c := range []struct {
		name   string
		script func(a, b *scriptRow)
		want   []string
	}{
		{"one task", func(a, b *scriptRow) { a.runs(1, 5, 1, "") }, []string{"a: 1 1-5 end"}},
		{"blocks and goes on elsewhere", func(a, b *scriptRow) {
			a.at(1, TaskStart, "", 1).at(3, TaskBlock, "", 1)
			b.at(7, TaskResume, "", 1).at(9, TaskEnd, "", 1)
		}, []string{"a: 1 1-3 block", "b: 1 7-9 end"}},
		{"a child on the stack of its waiting parent", func(a, b *scriptRow) {
			a.at(1, TaskStart, "", 1).at(2, TaskBlock, "", 1)
			a.runs(3, 4, 2, "")
			a.at(5, TaskResume, "", 1).at(6, TaskEnd, "", 1)
		}, []string{"a: 1 1-2 block", "a: 2 3-4 end", "a: 1 5-6 end"}},
		{"a child on the stack without a block", func(a, b *scriptRow) {
			a.at(1, TaskStart, "", 1)
			a.runs(2, 4, 2, "")
			a.at(5, TaskEnd, "", 1)
		}, []string{"a: 1 1-2 block", "a: 2 2-4 end", "a: 1 4-5 end"}},
		{"such a child blocks and takes the parent along", func(a, b *scriptRow) {
			a.at(1, TaskStart, "", 1).at(2, TaskStart, "", 2).at(3, TaskBlock, "", 2)
			a.runs(4, 5, 3, "")
			b.at(6, TaskResume, "", 2).at(7, TaskEnd, "", 2).at(8, TaskEnd, "", 1)
		}, []string{"a: 1 1-2 block", "a: 2 2-3 block", "a: 3 4-5 end", "b: 2 6-7 end", "b: 1 7-8 end"}},
		{"idle time ends where a task starts", func(a, b *scriptRow) {
			a.at(1, IdleBegin, "", 0).at(3, TaskStart, "", 1).at(4, IdleBegin, "", 0).at(6, IdleEnd, "", 0)
		}, []string{"a: idle 1-3", "a: 1 3-4 cut", "a: idle 4-6"}},
		{"open ends close with the row's last event", func(a, b *scriptRow) {
			a.at(1, TaskStart, "", 1).at(3, Mark, "", 0)
			b.at(2, IdleBegin, "", 0).at(9, Mark, "", 0)
		}, []string{"a: 1 1-3 cut", "b: idle 2-9"}},
		{"contradictions are skipped", func(a, b *scriptRow) {
			a.at(1, TaskEnd, "", 1).at(2, TaskBlock, "", 1).at(3, IdleEnd, "", 0).at(4, TaskStart, "", 0)
			a.at(5, TaskStart, "", 1).at(6, TaskStart, "", 1).at(7, TaskEnd, "", 2).at(8, TaskEnd, "", 1).at(9, TaskEnd, "", 1)
		}, []string{"a: 1 5-8 end"}},
		{"one task on two rows", func(a, b *scriptRow) {
			a.at(1, TaskStart, "", 1)
			b.at(2, TaskStart, "", 1)
			a.at(3, TaskEnd, "", 1)
			b.at(5, TaskEnd, "", 1)
		}, []string{"a: 1 1-3 end", "b: 1 2-5 end"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript()
			c.script(s.on("a"), s.on("b"))
			if got := list(s.Recorder).pieces; !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestArrows(t *testing.T) {
	s := newScript()
	a, b := s.on("a"), s.on("b")
	a.at(1, Edge, "", 2, 1).at(1, Edge, "", 3, 1).at(1, Edge, "", 3, 99).at(1, Edge, "", 3, 3)
	a.at(2, TaskStart, "", 1)
	b.runs(4, 5, 2, "") // task 1 has released early
	a.at(6, TaskEnd, "", 1)
	b.at(8, TaskStart, "", 3)
	b.at(9, TaskBlock, "", 3).at(9, Edge, "", 3, 2).at(10, TaskResume, "", 3).at(11, TaskEnd, "", 3)
	want := []string{"1@4 -> b@4", "1@6 -> b@8", "2@5 -> b@10"}
	if got := list(s.Recorder).arrows; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A receive that was cancelled ends, but received nothing.
func TestCancelledReceive(t *testing.T) {
	s := newScript()
	m := s.on("messages")
	m.at(1, MsgRecv, "", 1, PackMessage(0, 0, 10)).at(5, MsgRecvDone, "", 0, 1)
	m.at(6, MsgRecv, "", 2, PackMessage(0, 0, 10)).at(9, MsgRecvDone, "", 77, 2) // from a process recorded elsewhere
	if got, want := s.Summary().Ranks[0].Received, (Messages{1, 10}); got != want {
		t.Errorf("received %v, want %v", got, want)
	}
	if found := checkChrome(t, chromeJSON(t, s.Recorder), true); found.slices != 2 {
		t.Errorf("%d slices, want 2", found.slices)
	}
}

// Task numbers that no NextTask gave are found again, before and after the array has grown over them.
func TestTable(t *testing.T) {
	tab := newTable()
	ids := []uint64{1 << 39, 1 << 17, 5}
	for id := uint64(1); id < 50_000; id++ {
		ids = append(ids, id)
	}
	ids = append(ids, 1<<17+1, idMask)
	index := map[uint64]int32{}
	for _, id := range ids {
		i := tab.index(id)
		if old, ok := index[id]; ok && old != i {
			t.Fatalf("task %d has indices %d and %d", id, old, i)
		}
		index[id] = i
		if tab.tasks[i].id != id {
			t.Fatalf("index of %d leads to %d", id, tab.tasks[i].id)
		}
	}
	for id, i := range index {
		if tab.index(id) != i {
			t.Fatalf("task %d is lost", id)
		}
	}
	if tab.index(0) != 0 || len(tab.tasks) != len(index)+1 {
		t.Error("0 is a task, or tasks were added twice")
	}
}
