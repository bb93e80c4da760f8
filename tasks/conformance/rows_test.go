package conformance

// row is one line of the table: a feature of OmpSs-2, what stands for it here, and the test that shows it. A test of
// another package is written folder.Name. Rows that are planned or not in Go have no test.
type row struct{ id, feature, answer, how, test string }

const (
	works   = "works"
	better  = "works better"
	partly  = "works in part"
	planned = "planned"
	notHere = "not in Go"
)

var rows = []row{
	{"M1", "thread pool, `main` is a task", better, "`Run`'s main is a task; slots are as many as `Config.Workers`, by default the cores that Go sees (affinity mask, cgroup). A body that waits gives its slot away and costs a goroutine, not an OS thread", "TestMainIsATask"},
	{"M2", "finished, deeply complete", better, "the same states. What a body captured lives as long as anybody refers to it, so a child may use its parent's locals", "TestTaskStates"},
	{"M3", "nested dependency domains", works, "a child without cover by its parent's accesses is unordered here as well; `go test -race` and `taskstest.Check` tell", "TestNestedDomains"},
	{"M4", "early release", works, "per access, by bytes", "TestEarlyRelease"},
	{"M5", "a writer may still appear", works, "", "TestAWriterMayStillAppear"},
	{"M6", "only tasks create tasks", works, "`Spawn` needs the running task; anything else panics by name. `Runtime.Go` from any goroutine", "TestWhoMayCreate"},

	{"D1", "`task` inline", works, "`tasks.Spawn` of a closure", "TestTaskCaptures"},
	{"D2", "`task` on a function", works, "a function that spawns; its arguments are evaluated at the call. Kernels: with `accel`", "TestTaskCaptures"},
	{"D3", "`taskwait`", works, "`t.Wait`, which also returns what failed; free without children", "TestTaskwait"},
	{"D4", "`taskwait on(…)`, `in/out/inout`", works, "`t.WaitOn`; weak is refused; any other kind will do", "TestTaskwaitOn"},
	{"D5", "`release`", better, "`t.Release`: any part of one or several accesses, also of sections; `In` of an inout gives up the right to write only, of bytes that no child uses at that moment; reductions; the exclusion of a commutative goes with the last byte of it. What was not declared like that panics", "TestRelease"},
	{"D6", "`taskloop`", works, "`worksharing.Loop`, `Loop2`, `Loop3` (collapse)", "TestTaskloop"},
	{"D7", "`task for`", better, "`worksharing.For`: removed from Nanos6, first class here: dependencies, reductions, `OnReady`, nesting, four schedules", "TestTaskFor"},
	{"D8", "`taskiter` for and while", better, "`worksharing.Iter`, `IterWhile`, `Update`, `Unroll`: an exact while without a barrier, reductions, a graph that changes is recorded anew", "TestTaskiter"},
	{"D9", "`critical`", works, "`t.Critical(name, f)`", "TestCritical"},
	{"D10", "`atomic`", works, "`sync/atomic`, sequentially consistent", "TestAtomic"},
	{"D11", "`declare reduction`", works, "`reduce.NewOp` and `With`; the neutral element does not see the original, because nobody waits for it", "TestDeclareReduction"},
	{"D12", "`assert(\"…\")` on the runtime's variant", notHere, "there is one dependency system, which does what both of Nanos6 do; what a program needs else is an import, or `Config`", ""},
	{"D13", "`taskyield`", works, "`t.Yield`", "TestYield"},
	{"D14", "coroutine tasks", better, "every body may block anywhere, on one slot by the thousand, without another kind of function", "TestBlockedBodiesCostNoSlot"},

	{"C1", "`in`", works, "", "TestIn"},
	{"C2", "`out`, `inout`", works, "the same order; `out` runs although the task before it failed", "TestOutAndInOut"},
	{"C3", "`concurrent`", better, "weak as well", "TestConcurrent"},
	{"C4", "`commutative`", better, "all items at once; exclusion is of bytes, not of a hash; a task without weak accesses may wait for children that use the item", "TestCommutative"},
	{"C5", "`weak…`", better, "`deps.Weak` of any kind", "TestWeak"},
	{"C6", "weak with `final`", works, "strong; the source of a taskloop is weak", "TestWeakInFinal"},
	{"C7", "`reduction`", works, "see R1–R7", "TestReductionOpens"},
	{"C8", "`weakreduction`", works, "`deps.Weak(reduce.Sum(&x))`", "TestReductionOpens"},
	{"C9", "the same item twice in a task", better, "piece by piece, commutative with concurrent is commutative, other mixes inout; a reduction with anything else panics at `Spawn`", "TestTheSameItemTwice"},
	{"C10", "null pointer, zero length", works, "ignored", "TestEmptyAccesses"},
	{"C11", "array sections, shaping", better, "`…Slice`, `…Tile`, `…Section` of any number of dimensions; half-open as in Go", "TestSections"},
	{"C12", "multi-dependences", works, "`deps.List`", "TestMultidependences"},
	{"C13", "`if`", works, "`tasks.If`", "TestIf"},
	{"C14", "`final`", works, "`tasks.Final`, `t.InFinal`", "TestFinal"},
	{"C15", "`wait`", works, "`tasks.WaitChildren`", "TestWaitClause"},
	{"C16", "`priority`", works, "`tasks.Priority`, exact", "TestPriority"},
	{"C17", "`cost`", planned, "`tasks.Cost` is accepted; nothing uses it yet", ""},
	{"C18", "`label`", works, "`tasks.NewType` and `Label`, in traces, errors and dumps", "TestLabel"},
	{"C19", "`onready`", better, "`tasks.OnReady`; on worksharing tasks, too", "TestOnReady"},
	{"C20", "`default`, `private`, `firstprivate`, `shared`", notHere, "a closure shares what it names; a copy is a variable of one's own. Memory safety removes the class of errors that these clauses guard against; `-race` finds unordered use", ""},
	{"C21", "`grainsize`, `collapse`, `chunksize`; `unroll`, `update`", works, "arguments of `Loop`, `Loop2`, `Loop3` and of the schedules of `For`; options of `Iter`", "TestTaskloop"},
	{"C22", "`device`, `ndrange`, `grid`, `shmem`", planned, "package `accel`", ""},
	{"C23", "`create`", notHere, "an `if` round `Spawn`", ""},
	{"C24", "`immediate`, `microtask`", notHere, "rejected there, too", ""},

	{"S1", "matching of accesses", better, "by bytes, always; equal items take the short way. No choice to make per process, and no overlap goes unordered", "TestPairs"},
	{"S2", "region syntax", better, "every byte of a section counts, and no other", "TestSections"},
	{"S3", "partial `release`", works, "by bytes", "TestPairs"},
	{"S4", "commutative", better, "tokens by item, by bytes from the first partial overlap on; no false sharing", "TestCommutative"},
	{"S5", "cost", better, "atomic additions as in `discrete` for equal items; a lock per access only where regions are cut", "bench.BenchmarkMicro"},
	{"S6", "reductions", works, "as in `discrete`, overlaps included", "TestReductionCloses"},

	{"R1", "opening", works, "a part of the item joins its scope", "TestReductionOpens"},
	{"R2", "a reduction task never waits for the item", works, "", "TestReductionStarts"},
	{"R3", "closing", works, "", "TestReductionCloses"},
	{"R4", "storage", better, "copies belong to tasks while they run and are handed on; large ones combine in pieces at the same time", "TestReductionStorage"},
	{"R5", "types and operators", works, "all 11; every Go number type and bool; structs with declared ones; the same bits every time with `reduce.Ordered`", "TestReductionOperators"},
	{"R6", "limits", better, "bodies may block, wait and have strong children; early release; a scope under concurrent or commutative parents. Contiguous items only", "TestReductionLimits"},
	{"R7", "with events", works, "", "TestReductionAndEvents"},

	{"A1", "block, unblock", works, "`t.Suspend(arm)`; the resume function is for one round, so nothing can be mixed up", "TestBlockAndUnblock"},
	{"A2", "`wait_for`", works, "`t.Sleep`", "TestWaitFor"},
	{"A3", "`yield`", works, "`t.Yield`", "TestYield"},
	{"A4", "event counter", works, "`t.Hold`: one function an event, which may also fail the task; one call too many panics", "TestEvents"},
	{"A5", "polling services", works, "a task of `Runtime.Go` that sleeps between rounds, as Nanos6 advises since it removed them", "TestPollingService"},
	{"A6", "user lock", works, "`t.Critical`", "TestCritical"},
	{"A7", "`in_final`, `in_serial_context`", works, "`t.InFinal`; a body cannot tell that it is undeferred, and needs not", "TestFinal"},
	{"A8", "`spawn_function`", works, "`Runtime.Go`", "TestSpawnFunction"},
	{"A9", "streams", works, "`Runtime.Stream(id)`: `Go`, `Synchronize`, `Cancel`; `SynchronizeStreams`. Without an executor task that waits", "TestStreams"},
	{"A10", "library mode", better, "a runtime is a value: any number, any time, `New`, `Run`, `Close`", "TestLibraryMode"},
	{"A11", "task creation interface", partly, "`Spawn`, without a compiler; several implementations of one task are planned", "TestTaskCaptures"},
	{"A12", "ALPI", works, "`Suspend`, `Sleep`, `Yield`, `Hold`, `Go`; `SuspendOn` and `HoldOn` for libraries, whose waits then count in deadlock detection. `tampi` uses nothing else. Suspend modes are not needed: a body is suspended with its stack", "TestTaskAwareLibrary"},
	{"A13", "CPU control", works, "`Runtime.SetWorkers`, `Slots`; slots are not tied to cores, so which of them goes is the runtime's choice", "TestCPUControl"},
	{"A14", "runtime information", works, "`Config.Effective`, `Runtime.Stats`, `Workers`; `gompss info`", "TestRuntimeInfo"},
	{"A15", "NUMA allocation", notHere, "Go's allocator places memory, pages by first touch", ""},
	{"A16", "directory, device memory", planned, "package `accel`", ""},
	{"A17", "the task's CUDA stream", planned, "package `accel`", ""},
	{"A18", "predicted time", planned, "", ""},
	{"A19", "lint", better, "`go test -race` is the checker: the runtime's own locks are hidden from the detector, declared edges shown; no regions to register. `taskstest.Check` also finds accesses that are not needed", "tasks.TestRaceDetectorChecksAnnotations"},
	{"A20", "cluster", notHere, "tasks stay in their process; between processes: `mpi` with `tampi`, and `coarray`", ""},
}
