package trace

import (
	"io"
	"testing"
)

// What a worker pays per event, with the recording on and off. A benchmark of some seconds stays within the limit by
// going back to the first cell of its chunk.

func benchStream(b *testing.B) *Stream {
	b.Helper()
	b.ReportAllocs()
	return New(Config{}).Stream("worker 0")
}

func BenchmarkEmit(b *testing.B) {
	s := benchStream(b)
	for b.Loop() {
		s.Emit(TaskStart, 1, 42)
		s.restart()
	}
}

func BenchmarkEmit2(b *testing.B) {
	s := benchStream(b)
	for b.Loop() {
		s.Emit2(Edge, 1, 42, 41)
		s.restart()
	}
}

// restart drops a full chunk's worth of events now and then, so that a long benchmark does not reach the limit. The
// chunk is taken anew, as in a real recording.
func (s *Stream) restart() {
	if s.n >= chunkCells-1 {
		s.n, s.tail, s.before = chunkCells, nil, 0
		s.rec.left.Add(chunkBytes)
	}
}

// One task of the usual kind, as six events.
func BenchmarkTask(b *testing.B) {
	s := benchStream(b)
	for id := uint64(1); b.Loop(); id++ {
		s.Emit2(TaskCreate, 1, id, 1)
		s.Emit2(Edge, 0, id, id-1)
		s.Emit(TaskReady, 0, id)
		s.Emit(TaskStart, 1, id)
		s.Emit(TaskEnd, 0, id)
		s.Emit(TaskDone, 0, id)
		s.restart()
	}
}

var off *Stream

// Off is what a nil stream costs, in a loop that does something: compare with BenchmarkNothing.
func BenchmarkEmitOff(b *testing.B) {
	s := off
	sum := uint64(0)
	for b.Loop() {
		sum = sum*31 + 7
		s.Emit(TaskStart, 1, sum)
	}
	sink = sum
}

func BenchmarkNothing(b *testing.B) {
	sum := uint64(0)
	for b.Loop() {
		sum = sum*31 + 7
	}
	sink = sum
}

var sink uint64

func BenchmarkShared(b *testing.B) {
	b.ReportAllocs()
	s := New(Config{}).Shared("messages")
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			s.Emit(MsgSendDone, 0, 1)
		}
	})
}

func BenchmarkPublish(b *testing.B) {
	s := benchStream(b)
	s.Emit(Mark, 0, 1)
	for b.Loop() {
		s.Publish()
	}
}

func BenchmarkNextTask(b *testing.B) {
	r := New(Config{})
	for b.Loop() {
		sink = r.NextTask(1)
	}
}

// Reading, per task of a recording of 100,000 tasks with two dependencies each.
func BenchmarkSummary(b *testing.B) {
	r := recordTasks(100_000)
	for b.Loop() {
		sink = uint64(r.Summary().Tasks)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100_000, "ns/task")
}

func BenchmarkWriteChrome(b *testing.B) {
	r := recordTasks(100_000)
	for b.Loop() {
		if err := r.WriteChrome(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100_000, "ns/task")
}

// recordTasks records n tasks on four rows by turns.
func recordTasks(n int) *Recorder {
	r := New(Config{})
	label := r.Label("task")
	rows := [4]*Stream{r.Stream("worker 0"), r.Stream("worker 1"), r.Stream("worker 2"), r.Stream("worker 3")}
	for i := range n {
		s, id := rows[i%4], r.NextTask(1)
		s.Emit2(TaskCreate, label, id, 1)
		if id > 10 {
			s.Emit2(Edge, 0, id, id-4)
			s.Emit2(Edge, 0, id, id-7)
		}
		s.Emit(TaskReady, 0, id)
		s.Emit(TaskStart, label, id)
		s.Emit(TaskEnd, 0, id)
		s.Emit(TaskDone, 0, id)
	}
	for _, s := range rows {
		s.Publish()
	}
	return r
}
