package tasks

import (
	"sync"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

// streams are the runtime's streams that have functions queued, or failures that nobody has been told: a hash table,
// chained, as large as the most that there ever were at a time.
type streams struct {
	mu      sync.Mutex
	buckets []*stream // a power of two
	count   int
	orders  [64]byte // whose addresses tell the race detector what was before a Synchronize
}

// stream is one of them. Its first function runs; the others wait for their turn.
type stream struct {
	id         int
	head, tail *run
	errs       errorList // of functions without a callback
	next       *stream   // in the bucket
}

//go:norace
func hashOf(id int) uint32 { return uint32((uint64(id) * 0x9e3779b97f4a7c15) >> 32) }

//go:norace
func (ss *streams) order(id int) unsafe.Pointer {
	return unsafe.Pointer(&ss.orders[hashOf(id)%uint32(len(ss.orders))])
}

// bucket returns where the chain of id's bucket begins. The table is locked and not empty.
//
//go:norace
func (ss *streams) bucket(id int) **stream { return &ss.buckets[hashOf(id)&uint32(len(ss.buckets)-1)] }

// find returns nil if there is no such stream. The table is locked.
//
//go:norace
func (ss *streams) find(id int) *stream {
	if ss.count == 0 {
		return nil
	}
	s := *ss.bucket(id)
	for s != nil && s.id != id {
		s = s.next
	}
	return s
}

//go:norace
func (ss *streams) add(id int) *stream {
	if ss.count == len(ss.buckets) {
		old := ss.buckets
		ss.buckets = make([]*stream, max(16, 2*len(old)))
		for _, s := range old {
			for s != nil {
				next := s.next
				at := ss.bucket(s.id)
				s.next = *at
				*at = s
				s = next
			}
		}
	}
	at := ss.bucket(id)
	s := &stream{id: id, next: *at}
	*at = s
	ss.count++
	return s
}

// removeIdle forgets s if it has nothing queued and nothing to tell. The table is locked.
//
//go:norace
func (ss *streams) removeIdle(s *stream) {
	if s.head != nil || s.errs.head != nil {
		return
	}
	at := ss.bucket(s.id)
	for *at != s {
		at = &(*at).next
	}
	*at = s.next
	ss.count--
}

// push appends r to a stream and reports whether it is its turn at once.
//
//go:norace
func (ss *streams) push(id int, r *run) bool {
	race.Disable()
	ss.mu.Lock()
	s := ss.find(id)
	if s == nil {
		s = ss.add(id)
	}
	r.stream = s
	first := s.head == nil
	if first {
		s.head = r
	} else {
		s.tail.nextQueued = r
	}
	s.tail = r
	ss.mu.Unlock()
	race.Enable()
	return first
}

// pop takes r, which is over, off its stream. It returns the function whose turn it is, and who waited for r.
//
//go:norace
func (ss *streams) pop(r *run, err error) (next *run, waits streamWaits) {
	race.Disable()
	s := r.stream
	ss.mu.Lock()
	if err != nil {
		s.errs.add(err)
	}
	next = r.nextQueued
	s.head = next
	if next == nil {
		s.tail = nil
	}
	waits = r.waits
	ss.removeIdle(s)
	ss.mu.Unlock()
	race.Enable()
	return next, waits
}

// queued returns the first and the last function of a stream.
//
//go:norace
func (ss *streams) queued(id int) (head, tail *run) {
	race.Disable()
	ss.mu.Lock()
	if s := ss.find(id); s != nil {
		head, tail = s.head, s.tail
	}
	ss.mu.Unlock()
	race.Enable()
	return head, tail
}

// enlist has w wait for what is last in a stream now, or in each of all.
//
//go:norace
func (ss *streams) enlist(w *streamWaiter, id int, all bool) {
	ss.mu.Lock()
	if all {
		for _, s := range ss.buckets {
			for ; s != nil; s = s.next {
				s.enlist(w)
			}
		}
	} else if s := ss.find(id); s != nil {
		s.enlist(w)
	}
	ss.mu.Unlock()
}

//go:norace
func (s *stream) enlist(w *streamWaiter) {
	if r := s.tail; r != nil {
		r.waits.first = &streamWait{w, r.waits.first}
		w.left.Add(1)
	}
}

// errorsOf takes the failures that nobody has been told, of one stream or all.
//
//go:norace
func (ss *streams) errorsOf(id int, all bool) error {
	race.Disable()
	var errs errorList
	ss.mu.Lock()
	if all {
		for _, s := range ss.buckets {
			for s != nil {
				next := s.next
				s.errs.moveTo(&errs)
				ss.removeIdle(s)
				s = next
			}
		}
	} else if s := ss.find(id); s != nil {
		s.errs.moveTo(&errs)
		ss.removeIdle(s)
	}
	ss.mu.Unlock()
	err := errs.join()
	race.Enable()
	return err
}
