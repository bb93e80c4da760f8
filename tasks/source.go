package tasks

import "sync"

// A Source ends Suspends and Holds from within a closed world, such as messages between in-process ranks. The runtime
// tells it when nothing else can happen, so that it can find out whether the whole world waits for itself. Its methods
// are called under a lock of the runtime: they must not block, nor call into the runtime. In race builds they are
// called hidden from the detector (internal/race).
type Source interface {
	Quiet() // all slots are idle, a run is under way, and all that it waits for comes from Sources
	Busy()  // that is over
	Done()  // no run is under way; the Source is forgotten until it is used again
}

type sourceCall uint8

const (
	sourceQuiet sourceCall = iota
	sourceBusy
	sourceDone
)

// sourceList holds the Sources that were used since the runtime was last without a run.
type sourceList struct {
	mu   sync.Mutex
	head *sourceItem
}

type sourceItem struct {
	src  Source
	next *sourceItem
}

//go:norace
func (l *sourceList) add(src Source) {
	l.mu.Lock()
	for i := l.head; i != nil; i = i.next {
		if i.src == src {
			l.mu.Unlock()
			return
		}
	}
	l.head = &sourceItem{src, l.head}
	l.mu.Unlock()
}

//go:norace
func (l *sourceList) tell(c sourceCall) {
	l.mu.Lock()
	for i := l.head; i != nil; i = i.next {
		switch c {
		case sourceQuiet:
			i.src.Quiet()
		case sourceBusy:
			i.src.Busy()
		case sourceDone:
			i.src.Done()
		}
	}
	if c == sourceDone {
		l.head = nil
	}
	l.mu.Unlock()
}
