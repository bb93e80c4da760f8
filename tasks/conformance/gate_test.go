package conformance

import (
	"sync"

	"github.com/gompss/gompss/internal/race"
)

// gates is what bodies and the stage's driver say to each other. In race builds it is hidden from the detector: the
// bodies' order must come from what the runtime declares. So its methods are norace and use no append.
type gates struct {
	mu     sync.Mutex
	open   bool // for good: the program is to run to its end
	blocks bool // bodies wait at their gates with their slots
	told   []word
	n      int
	gates  []gate
	wakeup chan bool // the driver, on a stage with many slots
}

// word is one thing that a body says.
type word struct {
	id      int
	entered bool // otherwise: its op is over
}

type gate struct {
	resume func()    // ends the body's suspension
	passed bool      // before the body came to the gate
	turn   chan bool // for a body that keeps its slot
}

func newGates(tasks, words int, blocks bool) *gates {
	g := &gates{blocks: blocks, told: make([]word, words), gates: make([]gate, tasks), wakeup: make(chan bool, 1)}
	for i := range g.gates {
		g.gates[i].turn = make(chan bool, 1)
	}
	return g
}

//go:norace
func (g *gates) tell(w word) {
	race.Disable()
	g.mu.Lock()
	g.told[g.n] = w
	g.n++
	g.mu.Unlock()
	select {
	case g.wakeup <- true:
	default:
	}
	race.Enable()
}

// hear returns the i-th word, if it was said.
//
//go:norace
func (g *gates) hear(i int) (w word, ok bool) {
	race.Disable()
	g.mu.Lock()
	if i < g.n {
		w, ok = g.told[i], true
	}
	g.mu.Unlock()
	race.Enable()
	return w, ok
}

// arm is called in a suspension.
//
//go:norace
func (g *gates) arm(id int, resume func()) {
	race.Disable()
	g.mu.Lock()
	now := g.open || g.gates[id].passed
	g.gates[id].passed = false
	if !now {
		g.gates[id].resume = resume
	}
	g.mu.Unlock()
	race.Enable()
	if now {
		resume()
	}
}

// pass lets a body go on that is at its gate, or will be.
//
//go:norace
func (g *gates) pass(id int) {
	race.Disable()
	g.mu.Lock()
	resume := g.gates[id].resume
	g.gates[id].resume = nil
	g.gates[id].passed = resume == nil
	g.mu.Unlock()
	if g.blocks {
		select {
		case g.gates[id].turn <- true:
		default:
		}
	}
	race.Enable()
	if resume != nil {
		resume()
	}
}

// block waits for pass, with the slot.
//
//go:norace
func (g *gates) block(id int) {
	race.Disable()
	g.mu.Lock()
	open := g.open
	g.mu.Unlock()
	if !open {
		<-g.gates[id].turn
	}
	race.Enable()
}

// openAll lets all bodies run to their ends.
//
//go:norace
func (g *gates) openAll() {
	race.Disable()
	g.mu.Lock()
	g.open = true
	g.mu.Unlock()
	race.Enable()
	for i := range g.gates {
		g.pass(i)
	}
}

//go:norace
func (g *gates) isOpen() bool {
	race.Disable()
	g.mu.Lock()
	open := g.open
	g.mu.Unlock()
	race.Enable()
	return open
}

// looked returns whether anything was picked since the last call.
//
//go:norace
func (s *stage) looked() bool {
	was := s.picked
	s.picked = false
	return was
}

// pick chooses as the stage's seed says; seed 0 is first come, first served.
//
//go:norace
func (s *stage) pick(n int) int {
	s.picked = true
	if s.seed == 0 {
		return 0
	}
	s.seed = s.seed*6364136223846793005 + 1442695040888963407
	return int(s.seed>>33) % n
}
