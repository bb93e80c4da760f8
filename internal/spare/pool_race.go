//go:build race

package spare

import (
	"sync"

	"github.com/gompss/gompss/internal/race"
)

// Pool hands Runners to goroutines. Its methods may be called from any goroutine.
//
// Fields are touched by hidden functions only. wake holds a token whenever the launcher may have something to do; it is
// never closed, because the detector takes a close for a write and hiding covers synchronisation only.
type Pool struct {
	mu          sync.Mutex
	first, last *entry // guarded by mu: Runners to start, oldest first
	closed      bool   // guarded by mu
	wake        chan struct{}
}

type entry struct {
	f    Runner
	next *entry
}

// New returns a pool. idle counts only without the race detector.
func New(idle int) *Pool {
	p := &Pool{wake: make(chan struct{}, 1)}
	go p.launch()
	return p
}

// Go runs f on another goroutine, which starts without an order after the caller, and does not wait for it.
//
//go:norace
func (p *Pool) Go(f Runner) {
	race.Disable()
	p.mu.Lock()
	closed := p.closed
	if !closed {
		e := &entry{f: f}
		if p.last == nil {
			p.first = e
		} else {
			p.last.next = e
		}
		p.last = e
	}
	p.mu.Unlock()
	p.signal()
	race.Enable()
	if closed {
		go f.Run() // ordered after the caller, for lack of a launcher
	}
}

// Keep counts only without the race detector.
//
//go:norace
func (p *Pool) Keep(idle int) {}

// Close ends the launcher after what was given to Go before. It may be called twice, and Go still works afterwards.
//
//go:norace
func (p *Pool) Close() {
	race.Disable()
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.signal()
	race.Enable()
}

//go:norace
func (p *Pool) signal() {
	select {
	case p.wake <- struct{}{}:
	default: // there is a token already
	}
}

// launch starts the Runners, one goroutine each, until Close. It stays clean: the only order it knows is the one that New
// gave it, and a go statement outside the hidden stretches passes on just that.
//
//go:norace
func (p *Pool) launch() {
	for {
		race.Disable()
		p.mu.Lock()
		for p.first == nil && !p.closed {
			p.mu.Unlock()
			<-p.wake
			p.mu.Lock()
		}
		e := p.first
		if e != nil {
			if p.first = e.next; p.first == nil {
				p.last = nil
			}
		}
		p.mu.Unlock()
		race.Enable()
		if e == nil {
			return
		}
		go e.f.Run()
	}
}
