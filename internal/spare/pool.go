//go:build !race

package spare

import (
	"time"

	"github.com/panjf2000/ants/v2"
)

// keep is how long a goroutine stays at hand unused; at most twice that.
const keep = 5 * time.Second

// Pool hands Runners to goroutines. Its methods may be called from any goroutine.
type Pool struct {
	ants *ants.PoolWithFuncGeneric[Runner] // nil when nothing is to be kept
}

// New returns a pool of up to idle goroutines, none of them started yet. What exceeds them runs on goroutines that end
// after use, so idle bounds what is kept and not what may run.
func New(idle int) *Pool {
	if idle <= 0 { // to ants this would mean: without bound
		return &Pool{}
	}
	a, err := ants.NewPoolWithFuncGeneric(idle, Runner.Run,
		ants.WithNonblocking(true),
		ants.WithExpiryDuration(keep),
		ants.WithPanicHandler(func(v any) { panic(v) })) // still on the stack of the first panic
	if err != nil {
		panic("spare: " + err.Error()) // ants refuses only options that are not ours
	}
	return &Pool{ants: a}
}

// Go runs f on another goroutine and does not wait for anything.
func (p *Pool) Go(f Runner) {
	if p.ants == nil || p.ants.Invoke(f) != nil { // full or closed
		go f.Run()
	}
}

// Keep changes how many goroutines are kept to idle, which is at least 1.
func (p *Pool) Keep(idle int) {
	if p.ants != nil {
		p.ants.Tune(idle)
	}
}

// Close ends the goroutines at hand; busy ones end after their Runner. It waits for neither. It may be called twice, and
// Go still works afterwards.
func (p *Pool) Close() {
	if p.ants != nil {
		p.ants.Release()
	}
}
