package worksharing

import "fmt"

// Schedule says how the iterations of a [For] are cut into chunks and who runs which. The words are OpenMP's. The zero
// Schedule is that of [Adaptive].
type Schedule struct {
	kind  kind
	chunk int // as the program gave it; 0 is the default
}

type kind uint8

const (
	adaptive kind = iota
	static
	dynamic
	guided
)

// Static deals chunks out like cards: of k collaborators, number i runs chunks i, i+k, i+2k and so on. With 0 there are
// k chunks of the same size, give or take one iteration. Nothing is shared, so it is the cheapest; it is for iterations
// that cost the same on cores that nobody else uses. It panics if chunk is negative.
func Static(chunk int) Schedule { return newSchedule(static, chunk) }

// Dynamic hands out chunks in order to whoever asks next. 0 is a chunk of 1. It is for iterations that cost much and
// not the same. It panics if chunk is negative.
func Dynamic(chunk int) Schedule { return newSchedule(dynamic, chunk) }

// Guided hands out, to whoever of k collaborators asks next, a 2k-th of the iterations left, at least min of them but
// for the last chunk: large chunks first, then smaller ones that even out. min 0 is 1. It panics if min is negative.
func Guided(min int) Schedule { return newSchedule(guided, min) }

// Adaptive measures what iterations cost and hands out chunks that take some tens of microseconds; towards the end, like
// [Guided], smaller ones. It is for loops of which the program does not know what an iteration costs.
//
// A chunk of 50 µs makes what it costs to claim and to measure it, about a tenth of a microsecond, less than a
// percent, and the time that collaborators wait for the last one short.
func Adaptive() Schedule { return Schedule{} }

func newSchedule(k kind, chunk int) Schedule {
	s := Schedule{k, chunk}
	if chunk < 0 {
		panic(fmt.Sprintf("worksharing: schedule %v: a chunk is not negative", s))
	}
	return s
}

// String returns the schedule as OpenMP writes it, for instance "dynamic,4".
func (s Schedule) String() string {
	name := [...]string{adaptive: "adaptive", static: "static", dynamic: "dynamic", guided: "guided"}[s.kind]
	if s.chunk == 0 {
		return name
	}
	return fmt.Sprintf("%s,%d", name, s.chunk)
}
