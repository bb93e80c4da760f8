package conformance

import (
	"fmt"
	"sync"
	"testing"

	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
)

// free is a program that runs without gates: each body asks the oracle when it enters and after its waits. Its lock
// orders the bodies for the race detector, so of races nothing is seen here.
type free struct {
	mu sync.Mutex
	play
	wrong error
}

func runFreely(t testing.TB, seed uint64, root *task) error {
	f := &free{play: play{stage: &stage{arena: make([]int64, cells)}, root: root, all: number(root, nil, nil)}}
	f.seen = make([]int64, len(f.all))
	for i := range f.arena {
		f.arena[i] = 1
	}
	err := taskstest.RunSeed(t, seed, func(t *tasks.Task) error { f.spawnFreely(t, root); return nil })
	if err == nil {
		err = f.wrong
	}
	if err == nil {
		err = f.results()
	}
	if err != nil {
		err = fmt.Errorf("%w (seed %d)\n%v", err, seed, root)
	}
	return err
}

func (f *free) spawnFreely(t *tasks.Task, k *task) {
	tasks.Spawn(t, func(t *tasks.Task) error { return f.bodyFreely(t, k) }, f.clauses(k)...)
}

// tell runs an event of the oracle.
func (f *free) tell(event func() error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := event(); err != nil && f.wrong == nil {
		f.wrong = err
	}
}

func (f *free) bodyFreely(t *tasks.Task, k *task) error {
	f.tell(func() error { return f.enter(k) })
	f.touch(t, k)
	for i := range k.ops {
		o := &k.ops[i]
		f.tell(func() error { f.begin(k); return nil })
		if o.do == doSpawn {
			f.spawnFreely(t, o.kid)
		} else if err := f.perform(t, o); err != nil {
			return err
		}
		f.tell(func() error { return f.leave(k) })
		t.Yield()
	}
	f.tell(func() error { end(k); return nil })
	return nil
}
