package trace_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gompss/gompss/trace"
)

// One worker runs two tasks, the second after the first.
func Example() {
	rec := trace.New(trace.Config{})
	row := rec.Stream("worker 0")
	load, sum := rec.Label("load"), rec.Label("sum")

	first := rec.NextTask(2) // numbers for two tasks
	second := first + 1
	row.Emit2(trace.Edge, 0, second, first)
	row.Emit(trace.TaskStart, load, first)
	row.Emit(trace.TaskEnd, 0, first)
	row.Emit(trace.TaskStart, sum, second)
	row.Emit(trace.TaskEnd, 0, second)
	row.Publish()

	s := rec.Summary()
	fmt.Println(s.Tasks, "tasks on", s.Workers, "worker, work = span:", s.Work == s.Span)
	// Output: 2 tasks on 1 worker, work = span: true
}

// A nil Recorder is tracing switched off: the same program, no recording.
func ExampleNew() {
	for _, rec := range []*trace.Recorder{nil, trace.New(trace.Config{Limit: 16 << 20})} {
		row := rec.Stream("worker 0")
		row.Emit(trace.Mark, rec.Label("here"), 1)
		row.Publish()
		fmt.Println(rec.Summary().Events)
	}
	// Output:
	// 0
	// 1
}

// Each rank of the process records under its own number.
func ExampleRecorder_Rank() {
	rec := trace.New(trace.Config{})
	for rank := range 2 {
		row := rec.Rank(rank).Stream("worker 0")
		row.Emit(trace.Mark, rec.Label("hello"), 0)
		row.Publish()
	}
	for e := range rec.Events() {
		fmt.Println("rank", e.Rank, e.Row, e.Label)
	}
	// Output:
	// rank 0 worker 0 hello
	// rank 1 worker 0 hello
}

func ExampleRecorder_Label() {
	rec := trace.New(trace.Config{})
	fmt.Println(rec.Label("gemm"), rec.Label("trsm"), rec.Label("gemm"), rec.Label(""))
	// Output: 1 2 1 0
}

// Without Publish the events of a chunk that is not full stay invisible.
func ExampleStream_Publish() {
	rec := trace.New(trace.Config{})
	row := rec.Stream("worker 0")
	row.Emit(trace.IdleBegin, 0, 0)
	fmt.Println(rec.Summary().Events)
	row.Publish()
	fmt.Println(rec.Summary().Events)
	// Output:
	// 0
	// 1
}

// A task that waits gives its core away and goes on later, here on another row.
func ExampleStream_Emit() {
	rec := trace.New(trace.Config{})
	a, b := rec.Stream("worker 0"), rec.Stream("worker 1")
	task := rec.NextTask(1)
	a.Emit(trace.TaskStart, rec.Label("exchange"), task)
	a.Emit(trace.TaskBlock, rec.Label("message"), task)
	b.Emit(trace.TaskResume, 0, task)
	b.Emit(trace.TaskEnd, 0, task)
	a.Publish()
	b.Publish()
	for e := range rec.Events() {
		fmt.Println(e.Row, e.Kind)
	}
	// Output:
	// worker 0 TaskStart
	// worker 0 TaskBlock
	// worker 1 TaskResume
	// worker 1 TaskEnd
}

// A message from rank 0 to rank 1: the receive is posted under a number of its own and completes with the message's.
func ExampleStream_Emit2() {
	rec := trace.New(trace.Config{})
	sender, receiver := rec.Rank(0).Shared("messages"), rec.Rank(1).Shared("messages")
	message, receive := rec.NextMessage(1), rec.NextMessage(1)

	receiver.Emit2(trace.MsgRecv, rec.Label("Irecv"), receive, trace.PackMessage(0, 7, 800))
	sender.Emit2(trace.MsgSend, rec.Label("Isend"), message, trace.PackMessage(1, 7, 800))
	sender.Emit(trace.MsgSendDone, 0, message)
	receiver.Emit2(trace.MsgRecvDone, 0, message, receive)

	for _, rank := range rec.Summary().Ranks {
		fmt.Printf("rank %d sent %d bytes, received %d bytes\n", rank.Rank, rank.Sent.Bytes, rank.Received.Bytes)
	}
	// Output:
	// rank 0 sent 800 bytes, received 0 bytes
	// rank 1 sent 0 bytes, received 800 bytes
}

// Many goroutines may write one shared row.
func ExampleRecorder_Shared() {
	rec := trace.New(trace.Config{})
	row := rec.Shared("events")
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() { row.Emit(trace.Mark, 0, uint64(i)) })
	}
	wg.Wait()
	fmt.Println(rec.Summary().Events)
	// Output: 10
}

// A worker reserves numbers for its next tasks at once.
func ExampleRecorder_NextTask() {
	rec := trace.New(trace.Config{})
	fmt.Println(rec.NextTask(64), rec.NextTask(64), rec.NextTask(1))
	// Output: 1 65 129
}

func ExampleRecorder_NextMessage() {
	rec := trace.New(trace.Config{})
	fmt.Println(rec.NextMessage(1), rec.Rank(1).NextMessage(1))
	// Output: 1 2
}

func ExamplePackMessage() {
	fmt.Println(trace.UnpackMessage(trace.PackMessage(3, 7, 4096)))
	// Output: 3 7 4096
}

// The file opens in chrome://tracing and in https://ui.perfetto.dev.
func ExampleRecorder_WriteChrome() {
	rec := trace.New(trace.Config{})
	row := rec.Stream("worker 0")
	row.Emit(trace.TaskStart, rec.Label("gemm"), rec.NextTask(1))
	row.Emit(trace.TaskEnd, 0, 1)
	row.Publish()

	var file bytes.Buffer
	if err := rec.WriteChrome(&file); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	fmt.Println(strings.Count(file.String(), `"name":"gemm"`), "slice")
	// Output: 1 slice
}

func ExampleRecorder_Events() {
	rec := trace.New(trace.Config{})
	row := rec.Stream("worker 0")
	row.Emit2(trace.TaskCreate, rec.Label("sum"), 2, 1)
	row.Publish()
	for e := range rec.Events() {
		fmt.Println(e.Kind, e.Label, e.ID, e.Arg)
	}
	// Output: TaskCreate sum 2 1
}

// The program prints where its time went before it exits.
func ExampleRecorder_Summary() {
	rec := trace.New(trace.Config{})
	row := rec.Stream("worker 0")
	for range 3 {
		task := rec.NextTask(1)
		row.Emit(trace.TaskStart, rec.Label("sweep"), task)
		row.Emit(trace.TaskEnd, 0, task)
	}
	row.Publish()

	s := rec.Summary()
	s.WriteTo(io.Discard) // a program would use os.Stderr
	for _, l := range s.Labels {
		fmt.Println(l.Name, l.Tasks)
	}
	// Output: sweep 3
}

// Four units of work of which the longest chain is two: four workers are of no more use than two.
func ExampleSummary_Bounds() {
	s := &trace.Summary{Work: 4e9, Span: 2e9}
	for _, p := range []int{1, 2, 4} {
		atLeast, atMost := s.Bounds(p)
		fmt.Println(p, "workers:", atLeast, "to", atMost)
	}
	fmt.Println("average parallelism", s.Parallelism())
	// Output:
	// 1 workers: 4s to 6s
	// 2 workers: 2s to 4s
	// 4 workers: 2s to 3s
	// average parallelism 2
}

func ExampleSummary_String() {
	s := &trace.Summary{
		Wall: 3e6, Work: 4e6, Span: 2e6, Workers: 2, Tasks: 4, Events: 16,
		Labels: []trace.LabelSummary{{Name: "gemm", Tasks: 4, Total: 4e6, Min: 1e6, Max: 1e6, Share: 1}},
	}
	fmt.Print(s)
	// Output:
	// wall T 3ms   work W 4ms   span S 2ms   average parallelism W/S 2.00
	// on 2 workers: at least max(W/P, S) = 2ms, greedy at most W/P + S = 4ms, T = 3ms
	// 4 tasks, 16 events
	//
	// label  tasks  total  mean  min  max    share
	// gemm       4    4ms   1ms  1ms  1ms  100.0 %
}

func ExampleLabelSummary_Mean() {
	gemm := trace.LabelSummary{Name: "gemm", Tasks: 4, Total: 10 * time.Millisecond}
	fmt.Println(gemm.Mean())
	// Output: 2.5ms
}
