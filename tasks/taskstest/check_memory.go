package taskstest

import (
	"bytes"
	"sort"
	"unsafe"

	"github.com/gompss/gompss/deps"
)

// span is the bytes [lo, hi). What it names is kept alive by the accesses that it comes from.
type span struct{ lo, hi uintptr }

func (s span) and(t span) span { return span{max(s.lo, t.lo), min(s.hi, t.hi)} }
func (s span) empty() bool     { return s.lo >= s.hi }

// spansOf returns the runs of bytes of an access.
func spansOf(a deps.Access) []span {
	spans := make([]span, a.Runs())
	for i := range spans {
		p, n := a.Run(i)
		spans[i] = span{uintptr(p), uintptr(p) + n}
	}
	return spans
}

// share returns some bytes that both have, empty if there are none.
func share(a, b []span) span {
	for _, x := range a {
		for _, y := range b {
			if z := x.and(y); !z.empty() {
				return z
			}
		}
	}
	return span{}
}

// memory is all bytes that some task declared so far, as they were when they were looked at last.
type memory struct {
	chunks []chunk // by address, disjoint
	size   uintptr
	full   bool // there were more
}

type chunk struct {
	span
	now  unsafe.Pointer // the bytes themselves
	seen []byte
}

// maxMemory bounds what is compared at every step.
const maxMemory = 1 << 20

// add makes the bytes of an access known.
func (m *memory) add(a deps.Access) {
	for i := range a.Runs() {
		p, n := a.Run(i)
		m.addRun(p, span{uintptr(p), uintptr(p) + n})
	}
}

func (m *memory) addRun(p unsafe.Pointer, s span) {
	for at := s.lo; at < s.hi; {
		i := m.find(at)
		end := s.hi
		if i < len(m.chunks) {
			if c := m.chunks[i]; c.lo <= at {
				at = c.hi
				continue
			}
			end = min(end, m.chunks[i].lo)
		}
		if m.size+(end-at) > maxMemory {
			m.full = true
			return
		}
		m.size += end - at
		c := chunk{span: span{at, end}, now: unsafe.Add(p, at-s.lo)}
		c.seen = bytes.Clone(c.bytes())
		m.chunks = append(m.chunks, chunk{})
		copy(m.chunks[i+1:], m.chunks[i:])
		m.chunks[i] = c
		at = end
	}
}

// find returns the first chunk that ends behind at.
func (m *memory) find(at uintptr) int {
	return sort.Search(len(m.chunks), func(i int) bool { return m.chunks[i].hi > at })
}

func (c *chunk) bytes() []byte { return unsafe.Slice((*byte)(c.now), int(c.hi-c.lo)) }

// changes reports the bytes that changed since the last look, and looks.
func (m *memory) changes(report func(span)) {
	for i := range m.chunks {
		c := &m.chunks[i]
		now := c.bytes()
		if bytes.Equal(now, c.seen) {
			continue
		}
		for k := 0; k < len(now); {
			from := k
			for k < len(now) && now[k] != c.seen[k] {
				k++
			}
			if k > from && report != nil {
				report(span{c.lo + uintptr(from), c.lo + uintptr(k)})
			}
			for k < len(now) && now[k] == c.seen[k] {
				k++
			}
		}
		copy(c.seen, now)
	}
}
