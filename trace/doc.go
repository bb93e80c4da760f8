// Package trace records what a task program did, and shows it.
//
// # Model
//
// A [Recorder] holds the recording of one process. Every worker writes its events to a row of its own, a [Stream]; rows
// belong to a rank ([Recorder.Rank]). An event is a time, a [Kind], a [Label] and the number of a task or message. After
// or during the run the recording is read, never changed: [Recorder.Summary] computes work, span and the other numbers,
// [Recorder.WriteChrome] writes a timeline for chrome://tracing and https://ui.perfetto.dev, and [Recorder.Events]
// yields the events themselves in the order of time.
//
//	rec := trace.New(trace.Config{})
//	gemm := rec.Label("gemm")
//	row := rec.Stream("worker 0")
//	task := rec.NextTask(1)
//	row.Emit(trace.TaskStart, gemm, task)
//	// … the body …
//	row.Emit(trace.TaskEnd, gemm, task)
//	row.Publish()
//	fmt.Print(rec.Summary())
//
// # What a reader sees
//
// A stream's owner writes without locks or atomics. Its events become visible to readers when it hands over a full chunk
// (4096 cells) and when it calls [Stream.Publish], which a worker does when it goes idle and when it stops. Reading is
// safe at any time from any goroutine: it sees, for each row, everything up to that row's last publication, and nothing
// half written.
//
// # Costs
//
// Off: a nil [Stream] costs the caller one comparison. On: about 10 ns for an event ([Stream.Emit]), nearly all of it the
// read of the cycle counter, and 2 to 8 ns per cell for fresh memory; where the kernel does not keep time by the cycle
// counter, and outside Linux, 15 to 20 ns more for the clock. No allocation except a 64 KiB chunk every 4096 cells, which
// the garbage collector does not scan. Memory is bounded by [Config].Limit; what does not fit is dropped, counted, and
// shown in every output.
package trace
