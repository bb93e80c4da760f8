package tasks

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/deps"
)

// What runs now, for Dump.
//
// A slot says which body runs on it: running, and a version that is odd for as long. Its holder writes both without
// locks or atomic additions; whoever looks follows the pointer and may find that the task is over meanwhile, reset, and
// in use again for another one. That does no harm. A Task stays a Task, so every single word read from it is what it
// seems to be; words that go together, as a string's, are copied one by one, and used only if the version is still the
// same after that. Why it then was the same task all the time:
//
//   - The holder makes the version even before the end of the body can be known to anybody (over, complete). Whatever
//     overwrites the task's words comes after an atomic addition there: of the task's events, of its live, or of its
//     node's references, the last of which is always among them. A reader that sees a new word sees the new version.
//   - The holder's stores are seen in their order, which storeInOrder sees to. The reader's loads are made in theirs:
//     what leads on is loaded atomically, and a fence comes before the last look at the version.
//   - A version comes back after 2³² changes. Nobody looks that long.
//
// A task that runs keeps its ancestors from being complete, so they are what they were, too.

// storeInOrder stores v after everything that the goroutine stored before. x86 does that with any store; an atomic one
// would be an exchange there and cost a task several nanoseconds.
//
//go:norace
func storeInOrder(p *uint32, v uint32) {
	if runtime.GOARCH == "amd64" || runtime.GOARCH == "386" {
		*p = v
		return
	}
	atomic.StoreUint32(p, v)
}

// runs notes that the body of t runs on s from here on, rests that it does not.
//
//go:norace
func (s *slot) runs(t *Task) {
	s.running = t
	storeInOrder(&s.version, s.version+1)
}

//go:norace
func (s *slot) rests() { storeInOrder(&s.version, s.version+1) }

// pauses and goesOn enclose what a verb does that waits. Meanwhile the slot may run another body on top of t's, or be
// given away: w goes on with another one then.
//
//go:norace
func (t *Task) pauses(w *worker) {
	if t.flags&costed != 0 {
		t.cost.pauses()
	}
	t.waiting = true
	w.slot.rests()
}

//go:norace
func (t *Task) goesOn(w *worker) {
	w.slot.runs(t)
	t.waiting = false
	if t.flags&costed != 0 {
		t.cost.begins()
	}
}

const (
	pathMax    = 8  // labels of ancestors that a report shows
	waitersMax = 4  // tasks that a report shows as waiting for another one
	lookTries  = 20 // a look takes longer than a task without work
)

// fence makes this goroutine's later loads come after its earlier ones: on arm64 a plain load may otherwise be overtaken
// by an atomic one.
//
//go:norace
func fence() { atomic.AddUint32(&fenced, 1) }

var fenced uint32

// load reads a pointer that its owner may be writing.
//
//go:norace
func load[T any](at **T) *T { return (*T)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(at)))) }

// body is what is to be said about one that runs.
type body struct {
	slot    int
	run     *run
	onReady bool               // not the body but the OnReady clause
	label   [1 + pathMax]words // its own and its ancestors'
	waits   [1 + pathMax]reason
	labels  int
	below   int // ancestors that wait for it on the same stack
	waiting waiting
}

// words are those of a string: to be put together once it is known that they belong together.
type words struct {
	data unsafe.Pointer
	len  uintptr
}

//go:norace
func wordsOf(s *string) words {
	p := (*words)(unsafe.Pointer(s))
	return words{data: atomic.LoadPointer(&p.data), len: atomic.LoadUintptr(&p.len)}
}

//go:norace
func (w words) text() string {
	if w.len == 0 {
		return "task"
	}
	return unsafe.String((*byte)(w.data), int(w.len))
}

// waiting is who waits for the accesses of one task.
type waiting struct {
	count  int
	access [waitersMax]deps.Waiter
	label  [waitersMax]words
	still  [waitersMax]bool
}

// find reads who waits for t. The labels count if t was the same task all the time; of one that runs, version tells.
//
//go:norace
func (x *waiting) find(t *Task, version *uint32, at uint32) {
	x.count = t.node.Waiters(x.access[:], version, at)
	for i := range min(x.count, waitersMax) {
		x.label[i] = wordsOf(&taskOf(x.access[i].Node).label)
		fence()
		x.still[i] = x.access[i].Waits()
	}
}

// look describes the body that runs on s in b. It reports false if none does; busy if they are over too soon.
//
//go:norace
func (s *slot) look(b *body) (found, busy bool) {
	for range lookTries {
		at := atomic.LoadUint32(&s.version)
		if at&1 == 0 {
			return false, false
		}
		b.read(load(&s.running), &s.version, at)
		fence()
		if atomic.LoadUint32(&s.version) == at {
			b.slot = s.id
			return true, false
		}
	}
	return false, true
}

//go:norace
func (b *body) read(t *Task, version *uint32, at uint32) {
	if t == nil {
		return // the version has changed
	}
	b.run = t.run
	b.onReady = t.flags&begun == 0
	b.labels, b.below = 0, 0
	w := load(&t.worker)
	for c, p := t, t; p != nil && b.labels < len(b.label); c, p = p, load(&p.parent) {
		b.label[b.labels] = wordsOf(&p.label)
		b.waits[b.labels] = waitTasks
		if c.flags&undeferred != 0 {
			b.waits[b.labels] = waitUndeferred
		}
		b.labels++
	}
	for p := load(&t.parent); p != nil && load(&p.worker) == w && b.below < maxDepth; p = load(&p.parent) {
		b.below++
	}
	b.waiting.find(t, version, at)
}
