package trace

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gompss/gompss/internal/race"
)

// Events of one and two cells come back as they were, over several chunks, whatever their place in a chunk.
func TestRoundTrip(t *testing.T) {
	for pad := range 2 {
		r := New(Config{})
		s := r.Rank(3).Stream("row")
		label := r.Label("a label")
		for range pad {
			s.Emit(Mark, 0, 0)
		}
		const n = 3 * chunkCells
		for i := range uint64(n) {
			if i%3 == 0 {
				s.Emit2(Edge, label, i, ^i)
			} else {
				s.Emit(TaskStart, label, i)
			}
		}
		s.Publish()
		i, last := uint64(0), int64(0)
		for e := range r.Events() {
			if e.Kind == Mark {
				continue
			}
			want := Event{Time: e.Time, Rank: 3, Row: "row", Kind: TaskStart, Label: "a label", ID: i}
			if i%3 == 0 {
				want.Kind, want.Arg = Edge, ^i
			}
			if e != want {
				t.Fatalf("pad %d: event %d is %+v, want %+v", pad, i, e, want)
			}
			if int64(e.Time) < last {
				t.Fatalf("time goes back at event %d", i)
			}
			i, last = i+1, int64(e.Time)
		}
		if i != n {
			t.Fatalf("pad %d: %d events, want %d", pad, i, n)
		}
	}
}

func TestFieldsAreCutToTheirBits(t *testing.T) {
	r := New(Config{})
	s := r.Stream("row")
	s.Emit(Mark, 0, ^uint64(0))
	s.Publish()
	for e := range r.Events() {
		if e.Kind != Mark || e.ID != 1<<40-1 || e.Label != "" {
			t.Errorf("a large id spoils its neighbours: %+v", e)
		}
	}
}

func TestMergeIsInTheOrderOfTime(t *testing.T) {
	s := newScript()
	for i := range uint64(1000) {
		s.on(fmt.Sprint(i*i%7)).at(i, Mark, "", i)
	}
	i := uint64(0)
	for e := range s.Events() {
		if e.ID != i {
			t.Fatalf("event %d in place of %d", e.ID, i)
		}
		i++
	}
	if i != 1000 {
		t.Fatalf("%d events", i)
	}
}

// A row whose clock steps back keeps its order.
func TestStepBack(t *testing.T) {
	s := newScript()
	s.on("a").at(100, Mark, "", 1).at(90, Mark, "", 2).at(110, Mark, "", 4)
	s.on("b").at(105, Mark, "", 3)
	var ids []uint64
	for e := range s.Events() {
		ids = append(ids, e.ID)
	}
	if !slices.Equal(ids, []uint64{1, 2, 3, 4}) {
		t.Errorf("order %v", ids)
	}
}

func TestPublish(t *testing.T) {
	r := New(Config{})
	s := r.Stream("row")
	s.Publish() // nothing yet
	visible := func() (n int) {
		for range r.Events() {
			n++
		}
		return n
	}
	s.Emit(Mark, 0, 1)
	if n := visible(); n != 0 {
		t.Errorf("%d events visible before Publish", n)
	}
	s.Publish()
	if n := visible(); n != 1 {
		t.Errorf("%d events visible after Publish, want 1", n)
	}
	for range chunkCells {
		s.Emit(Mark, 0, 1)
	}
	if n := visible(); n != chunkCells {
		t.Errorf("%d events visible after a full chunk, want %d", n, chunkCells)
	}
	if n := r.Summary().Events; n != chunkCells {
		t.Errorf("summary has %d events, want %d", n, chunkCells)
	}
}

func TestLimit(t *testing.T) {
	const more = 10
	r := New(Config{Limit: 2*chunkBytes + 5})
	a, b, c := r.Stream("a"), r.Shared("b"), r.Stream("c")
	for range chunkCells + more {
		a.Emit(Mark, 0, 1)
		b.Emit(Mark, 0, 1)
	}
	c.Emit2(Edge, 0, 1, 2)
	a.Publish()
	c.Publish()
	s := r.Summary()
	if s.Events != 2*chunkCells || s.Lost != 2*more+1 {
		t.Errorf("%d events, %d lost; want %d and %d", s.Events, s.Lost, 2*chunkCells, 2*more+1)
	}

	if text := s.String(); !strings.Contains(text, "21 events LOST") {
		t.Errorf("the text does not tell the loss:\n%s", text)
	}

	r = New(Config{Limit: 1})
	a = r.Stream("a")
	a.Emit(Mark, 0, 1)
	a.Publish()
	if s := r.Summary(); s.Events != 1 || s.Lost != 0 {
		t.Errorf("smallest limit: %d events, %d lost", s.Events, s.Lost)
	}
}

// Two cells do not fit where one is left.
func TestLimitInsideEvent(t *testing.T) {
	r := New(Config{Limit: chunkBytes})
	s := r.Stream("a")
	for range chunkCells - 1 {
		s.Emit(Mark, 0, 1)
	}
	s.Emit2(Edge, 0, 1, 2)
	s.Emit(Mark, 0, 1)
	s.Publish()
	if sum := r.Summary(); sum.Events != chunkCells-1 || sum.Lost != 2 {
		t.Errorf("%d events, %d lost", sum.Events, sum.Lost)
	}
}

func TestNil(t *testing.T) {
	var r *Recorder
	if r.Rank(1) != nil || r.Stream("a") != nil || r.Shared("a") != nil || r.Label("a") != 0 || r.NextTask(1) != 0 || r.NextMessage(1) != 0 {
		t.Error("a nil Recorder does something")
	}
	var s *Stream
	s.Emit(Mark, 0, 1)
	s.Emit2(Mark, 0, 1, 2)
	s.Publish()
	for range r.Events() {
		t.Error("a nil Recorder has events")
	}
	if err := r.WriteChrome(io.Discard); err != nil {
		t.Error(err)
	}
	_ = r.Summary().String()
}

func TestShared(t *testing.T) {
	const writers, each = 8, 2000
	r := New(Config{})
	s := r.Shared("messages")
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				s.Emit2(Edge, 0, uint64(w), uint64(i))
			}
		})
	}
	wg.Wait()
	var next [writers]uint64
	for e := range r.Events() {
		if e.Arg != next[e.ID] {
			t.Fatalf("writer %d: event %d in place of %d", e.ID, e.Arg, next[e.ID])
		}
		next[e.ID]++
	}
	for w, n := range next {
		if n != each {
			t.Errorf("writer %d: %d events", w, n)
		}
	}
}

// Readers while all is written, by writers hidden from the race detector and by visible ones.
func TestReadWhileWriting(t *testing.T) {
	for _, hidden := range []bool{false, true} {
		t.Run(fmt.Sprintf("hidden=%v", hidden), func(t *testing.T) {
			r := New(Config{})
			shared := r.Shared("messages")
			var writers, readers sync.WaitGroup
			stop := make(chan struct{})
			for w := range 2 {
				writers.Go(func() { writeTasks(r.Rank(w), shared, hidden) })
			}
			readers.Go(func() {
				for {
					s := r.Summary()
					if s.Span > s.Work || s.Span > s.Wall {
						t.Errorf("span %v, work %v, wall %v", s.Span, s.Work, s.Wall)
					}
					if err := r.WriteChrome(io.Discard); err != nil {
						t.Error(err)
					}
					select {
					case <-stop:
						return
					default:
					}
				}
			})
			writers.Wait()
			close(stop)
			readers.Wait()
			if got := r.Summary().Tasks; got != 2*writtenTasks {
				t.Errorf("%d tasks, want %d", got, 2*writtenTasks)
			}
		})
	}
}

const writtenTasks = 3000

func writeTasks(r *Recorder, shared *Stream, hidden bool) {
	if hidden {
		race.Disable()
		defer race.Enable()
	}
	s := r.Stream("worker")
	for i := range writtenTasks {
		id := r.NextTask(1)
		label := r.Label("task " + string(rune('a'+i%26)))
		s.Emit2(TaskCreate, label, id, 0)
		s.Emit2(Edge, 0, id, id-1)
		s.Emit(TaskStart, label, id)
		shared.Emit2(MsgSend, 0, id, PackMessage(1, 2, 3))
		s.Emit(TaskEnd, 0, id)
		if i%100 == 0 {
			s.Publish()
		}
	}
	s.Publish()
}

func TestNextTask(t *testing.T) {
	r := New(Config{})
	const goroutines, each = 4, 1000
	firsts := make([][]uint64, goroutines)
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			for range each {
				firsts[g] = append(firsts[g], r.Rank(g).NextTask(3))
			}
		})
	}
	wg.Wait()
	all := slices.Concat(firsts...)
	slices.Sort(all)
	for i, id := range all {
		if id != uint64(3*i+1) {
			t.Fatalf("number %d in place of %d", id, 3*i+1)
		}
	}
}

func TestLabels(t *testing.T) {
	r := New(Config{})
	if a, b := r.Label("x"), r.Rank(1).Label("x"); a != b || a == 0 {
		t.Errorf("one name has labels %d and %d", a, b)
	}
	if r.Label("") != 0 {
		t.Error("the empty name has a label")
	}
	for i := range 1<<16 - 3 {
		if l := r.Label(fmt.Sprint(i)); l != Label(i+2) {
			t.Fatalf("name %d has label %d", i, l)
		}
	}
	if l := r.Label("one too many"); l != otherLabels {
		t.Errorf("label %d after the last", l)
	}
	s := r.Stream("row")
	s.Emit(Mark, r.Label("65532"), 1)
	s.Emit(Mark, r.Label("and more"), 2)
	s.Publish()
	var got []string
	for e := range r.Events() {
		got = append(got, e.Label)
	}
	if want := []string{"65532", "(other labels)"}; !slices.Equal(got, want) {
		t.Errorf("labels read back as %q, want %q", got, want)
	}
}

func TestMessageArg(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct{ peer, tag, bytes, wantPeer, wantTag, wantBytes int }{
		{0, 0, 0, 0, 0, 0},
		{65534, 65534, 2*gib - 1, 65534, 65534, 2*gib - 1},
		{-1, -2, -5, -1, -1, 0},
		{65535, 70000, 1, -1, -1, 1},
	} {
		peer, tag, bytes := UnpackMessage(PackMessage(c.peer, c.tag, c.bytes))
		if peer != c.wantPeer || tag != c.wantTag || bytes != c.wantBytes {
			t.Errorf("%+v reads back as %d, %d, %d", c, peer, tag, bytes)
		}
	}
	for _, c := range []struct{ bytes, want uint64 }{
		{2 * gib, 2 * gib}, {2*gib + 1, 2*gib + 1024}, {1 << 50, (1<<31 - 1) << 10},
	} {
		if got := unpackSize(packSize(c.bytes)); got != c.want {
			t.Errorf("size %d reads back as %d, want %d", c.bytes, got, c.want)
		}
	}
}
