package worksharing

import (
	"time"

	"github.com/gompss/gompss/internal/race"
)

// plan is how a loop is cut.
//
//	static, dynamic    chunks ranges of chunk iterations, the last one shorter; chunk 0: as even as can be
//	guided, adaptive   ranges of at least chunk iterations, cut as they are claimed
//
// parts is the number of collaborators. In race builds, and if a reduction wants contributions in order, the loop is
// dealt: cut beforehand, as with static, and parts is the number of tasks that run the ranges.
type plan struct {
	dealt  bool
	kind   kind
	n      int
	chunk  int
	chunks int
	parts  int
}

// dealtParts bounds the tasks of a loop that is dealt. They do not depend on the number of slots: ranges that one worker
// runs are checked, too, and ordered sums are the same on any number.
const dealtParts = 64

// cut makes the plan for n iterations.
func (p *plan) cut(s Schedule, slots int) {
	n := p.n
	p.kind, p.chunk = s.kind, s.chunk
	if p.dealt {
		slots = dealtParts
		if s.kind == guided {
			p.chunk = max(s.chunk, ceil(n, dealtParts))
		}
		p.kind = static
	}
	if p.chunk == 0 && s.kind == dynamic {
		p.chunk = 1
	}
	if p.chunk == 0 && p.kind == static {
		p.chunks = min(n, slots)
	} else {
		p.chunk = max(p.chunk, 1)
		p.chunks = ceil(n, p.chunk)
	}
	p.parts = min(p.chunks, slots)
}

// at returns chunk i.
func (p *plan) at(i int) (lo, hi int) {
	if p.chunk == 0 {
		return even(p.n, p.chunks, i)
	}
	lo = i * p.chunk
	return lo, lo + min(p.chunk, p.n-lo)
}

// even returns part i of n iterations in parts that differ by one at most.
func even(n, parts, i int) (lo, hi int) {
	size, more := n/parts, n%parts
	lo = i*size + min(i, more)
	if i < more {
		size++
	}
	return lo, lo + size
}

// ceil returns n/d rounded up.
func ceil(n, d int) int {
	q := n / d
	if n%d != 0 {
		q++
	}
	return q
}

// claimant is what a collaborator knows of itself.
type claimant struct {
	number int // in the order of arrival
	taken  int // static: chunks taken

	// adaptive
	size  int           // of its last range
	since time.Duration // when that began
}

// A range of Adaptive aims at target, and has at most grow times and at least a shrink-th of the iterations of the one
// before: what was measured over less than a microsecond, or while the core did something else, is little to go by.
const (
	target = 50 * time.Microsecond
	grow   = 16
	shrink = 4
)

var epoch = time.Now()

// claim takes the next range; lo == hi says that there is none.
//
// Guided and adaptive look where the cursor is, and then move it by a size that fits what they saw. If others came
// between, the size is a little too large for what is left; nobody has to try again.
func (l *shared) claim(c *claimant) (lo, hi int) {
	var size int
	switch l.kind {
	case static:
		i := c.number + c.taken*l.parts
		c.taken++
		if i < l.chunks {
			return l.at(i)
		}
		return 0, 0
	case dynamic:
		if i := int(l.next.Add(1)) - 1; i < l.chunks {
			return l.at(i)
		}
		return 0, 0
	}
	left := l.n - int(l.next.Load())
	if left <= 0 {
		return 0, 0
	}
	size = max(ceil(left, 2*l.parts), l.chunk)
	if l.kind == adaptive {
		size = min(size, c.adapt())
	}
	size = min(size, left)
	lo = int(l.next.Add(int64(size))) - size
	if lo >= l.n {
		return 0, 0
	}
	hi = lo + min(size, l.n-lo)
	c.size = hi - lo
	return lo, hi
}

// adapt returns how many iterations take the time aimed at, going by the last range, and starts the clock for the next.
func (c *claimant) adapt() int {
	now := time.Since(epoch)
	took := now - c.since
	c.since = now
	if c.size == 0 {
		return 1
	}
	size := c.size * grow
	if fits := float64(c.size) * float64(target) / float64(max(took, 1)); fits < float64(size) {
		size = int(fits)
	}
	return max(size, c.size/shrink, 1)
}

// exhausted tells whether there is nothing left to claim, or nothing to be claimed any more.
func (l *shared) exhausted() bool {
	if l.stopped.Load() {
		return true
	}
	if race.Enabled {
		return false
	}
	switch l.kind {
	case static:
		return false // every part has its own collaborator
	case dynamic:
		return int(l.next.Load()) >= l.chunks
	}
	return int(l.next.Load()) >= l.n
}
