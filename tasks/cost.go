package tasks

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gompss/gompss/internal/race"
)

// Prediction is what a runtime has learned of the tasks of one label that were given a [Cost], and what is left of them.
type Prediction struct {
	Label     string
	Tasks     int64         // created and not yet over
	Units     int64         // the sum of their costs
	Measured  uint64        // bodies that the estimate rests on
	PerUnit   float64       // nanoseconds of a slot's time that a unit takes; recent bodies count more
	Deviation float64       // of PerUnit from body to body, likewise
	Work      time.Duration // Units × PerUnit: what is left takes that long on one slot
}

// Predictions returns what the runtime knows of the tasks with a [Cost], a Prediction for each label. Any goroutine may
// call it. A body counts as a whole until it is over; the time in which it waited for others does not count. Labels beyond
// the first thousand share one, "…".
func (rt *Runtime) Predictions() []Prediction {
	var all []Prediction
	for k := rt.kinds.newest(); k != nil; k = k.older {
		all = append(all, k.prediction())
	}
	return all
}

// Predicted returns how long all that is outstanding will take with all slots busy (nanos6_get_predicted_elapsed_time):
// the Work of all Predictions divided by the number of slots. Tasks without a [Cost], or of a label of which none is over
// yet, count nothing.
func (rt *Runtime) Predicted() time.Duration {
	var work time.Duration
	for k := rt.kinds.newest(); k != nil; k = k.older {
		work += k.prediction().Work
	}
	return work / time.Duration(rt.Workers())
}

// estimate is a mean and a variance in which the past fades.
type estimate struct {
	n        uint64
	mean     float64
	variance float64
}

// fading is the weight of the newest of many measurements.
const fading = 1.0 / 16

//go:norace
func (e *estimate) add(x float64) {
	e.n++
	w := max(1/float64(e.n), fading)
	d := x - e.mean
	e.mean += w * d
	e.variance = (1 - w) * (e.variance + w*d*d)
}

// costKind is the tasks of one label that have a cost.
type costKind struct {
	label   string
	tasks   atomic.Int64
	units   atomic.Int64
	mu      sync.Mutex
	per     estimate
	perUnit atomic.Uint64 // per.mean, to be read without the lock
	next    *costKind     // in the bucket
	older   *costKind
}

// costKinds finds them by label.
type costKinds struct {
	mu      sync.Mutex
	last    atomic.Pointer[costKind]
	count   int
	buckets [64]*costKind
}

const maxKinds = 1000

//go:norace
func (l *costKinds) newest() *costKind {
	race.Disable()
	k := l.last.Load()
	race.Enable()
	return k
}

//go:norace
func (l *costKinds) find(label string) *costKind {
	l.mu.Lock()
	if l.count > maxKinds {
		label = "…"
	}
	h := uint32(2166136261)
	for i := range len(label) {
		h = (h ^ uint32(label[i])) * 16777619
	}
	at := &l.buckets[h%uint32(len(l.buckets))]
	k := *at
	for k != nil && k.label != label {
		k = k.next
	}
	if k == nil {
		l.count++
		k = &costKind{label: label, next: *at, older: l.last.Load()}
		*at = k
		l.last.Store(k)
	}
	l.mu.Unlock()
	return k
}

// kindCache remembers the kind that a slot asked for last; labels come in runs.
type kindCache struct {
	label string
	kind  *costKind
}

//go:norace
func (s *slot) costKind(label string) *costKind {
	c := &s.kinds[len(label)%len(s.kinds)]
	if c.kind == nil || c.label != label {
		c.label, c.kind = label, s.rt.kinds.find(label)
	}
	return c.kind
}

//go:norace
func (k *costKind) prediction() Prediction {
	race.Disable()
	k.mu.Lock()
	per := k.per
	k.mu.Unlock()
	p := Prediction{Label: k.label, Tasks: k.tasks.Load(), Units: k.units.Load(), Measured: per.n, PerUnit: per.mean, Deviation: math.Sqrt(per.variance)}
	race.Enable()
	p.Work = time.Duration(float64(p.Units) * p.PerUnit)
	return p
}

// costing is a task's part in it, of use only with the flag costed.
type costing struct {
	kind  *costKind
	units int64
	from  int64 // when the body began or went on
	ran   int64 // how long it had run before
}

// epoch is where the clock begins.
var epoch = time.Now()

//go:norace
func clock() int64 { return int64(time.Since(epoch)) }

// costs notes the cost of a task that is being created.
//
//go:norace
func (t *Task) costs(k *costKind, units int64) {
	t.flags |= costed
	t.cost.kind, t.cost.units, t.cost.ran = k, units, 0
	t.cost.kind.tasks.Add(1)
	t.cost.kind.units.Add(units)
}

// costsOf is costs of a root.
//
//go:norace
func (t *Task) costsOf(p *properties) {
	if p.cost > 0 {
		race.Disable()
		t.costs(t.run.rt.kinds.find(t.Label()), p.cost)
		race.Enable()
	}
}

//go:norace
func (c *costing) begins() { c.from = clock() }

//go:norace
func (c *costing) pauses() { c.ran += clock() - c.from }

// measured is called when the body is over. If somebody else has the estimate at hand, this body does not count.
//
//go:norace
func (c *costing) measured() {
	c.pauses()
	if c.kind.mu.TryLock() {
		c.kind.per.add(float64(c.ran) / float64(c.units))
		c.kind.perUnit.Store(math.Float64bits(c.kind.per.mean))
		c.kind.mu.Unlock()
	}
}

// longerThan tells whether t will take longer than o, as far as the costs say.
//
//go:norace
func (t *Task) longerThan(o *Task) bool { return t.flags&costed != 0 && t.predicted() > o.predicted() }

//go:norace
func (t *Task) predicted() float64 {
	if t.flags&costed == 0 {
		return 0
	}
	return float64(t.cost.units) * math.Float64frombits(t.cost.kind.perUnit.Load())
}

//go:norace
func (c *costing) over() {
	c.kind.tasks.Add(-1)
	c.kind.units.Add(-c.units)
}
