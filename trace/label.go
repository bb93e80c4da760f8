package trace

import (
	"sync"

	"github.com/gompss/gompss/internal/race"
)

// Label stands for a name within one recording: a task type, the reason of a wait, an operation. 0 is no label.
type Label uint16

// otherLabels is what Label returns once the numbers are used up.
const otherLabels Label = 1<<16 - 1

// labels interns names. It is a chained hash table of its own, not a Go map, because Label may be called from functions
// that are hidden from the race detector, and the detector looks inside map operations. Entries are only ever added.
type labels struct {
	mu      sync.Mutex
	buckets [1 << 10]*labelEntry // by hash
	first   *labelEntry          // all entries, by label: 1, 2, 3 …
	last    *labelEntry
}

type labelEntry struct {
	name   string
	label  Label
	inHash *labelEntry // next in the bucket
	next   *labelEntry // next label
}

// Label returns the label for name, the same one for the same name throughout the recording, all ranks included. The
// empty name is label 0; so is every name on a nil Recorder. When 65534 labels are in use, all further names share a
// catch-all label.
//
// Safe for concurrent use. It takes a lock: intern a name once and keep its label.
//
//go:norace
func (r *Recorder) Label(name string) Label {
	if r == nil || name == "" {
		return 0
	}
	race.Disable()
	l := r.rec.labels.intern(name)
	race.Enable()
	return l
}

//go:norace
func (t *labels) intern(name string) Label {
	bucket := &t.buckets[hash(name)%uint32(len(t.buckets))]
	t.mu.Lock()
	e := *bucket
	for e != nil && e.name != name {
		e = e.inHash
	}
	if e == nil {
		e = t.addLocked(bucket, name)
	}
	t.mu.Unlock()
	return e.label
}

//go:norace
func (t *labels) addLocked(bucket **labelEntry, name string) *labelEntry {
	e := &labelEntry{name: name, label: 1}
	switch {
	case t.last == nil:
		t.first, t.last = e, e
	case t.last.label+1 == otherLabels:
		e.label = otherLabels
		return e
	default:
		e.label = t.last.label + 1
		t.last.next, t.last = e, e
	}
	e.inHash, *bucket = *bucket, e
	return e
}

// names returns the names by label; those interned later are missing.
func (t *labels) names() []string {
	first, n := t.all()
	names := make([]string, n+1)
	for i, e := 1, first; i <= n; i, e = i+1, e.next {
		names[i] = e.name
	}
	return names
}

// all returns the list and its present length. The entries up to there never change again, except the last one's next.
//
//go:norace
func (t *labels) all() (first *labelEntry, n int) {
	race.Disable()
	t.mu.Lock()
	if t.last != nil {
		first, n = t.first, int(t.last.label)
	}
	t.mu.Unlock()
	race.Enable()
	return first, n
}

// hash is FNV-1a.
//
//go:norace
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}
