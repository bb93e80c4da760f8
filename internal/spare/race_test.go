//go:build race

package spare

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

// reader and writer touch a plain word in sight of the detector. They tell that they are done out of its sight.
type (
	reader struct{ probe }
	writer struct{ probe }
	probe  struct {
		x       *int
		acquire bool
		done    chan struct{}
	}
)

func (r reader) Run() {
	if r.acquire {
		race.Acquire(unsafe.Pointer(r.x))
	}
	_ = *r.x + 1
	sink = *r.x
	r.tell()
}

func (w writer) Run() {
	*w.x = 1
	race.ReleaseMerge(unsafe.Pointer(w.x))
	w.tell()
}

//go:norace
func (p probe) tell() {
	race.Disable()
	p.done <- struct{}{}
	race.Enable()
}

//go:norace
func (p probe) wait() {
	race.Disable()
	<-p.done
	race.Enable()
}

var sink int

// programs are run in processes of their own, since a race found ends them.
var programs = map[string]struct {
	racy bool
	run  func(p *Pool, x *int)
}{
	"caller and runner": {true, func(p *Pool, x *int) {
		r := reader{probe{x, false, make(chan struct{})}}
		*x = 1
		p.Go(r)
		r.wait()
	}},
	"caller and runner, declared": {false, func(p *Pool, x *int) {
		r := reader{probe{x, true, make(chan struct{})}}
		*x = 1
		race.ReleaseMerge(unsafe.Pointer(x))
		p.Go(r)
		r.wait()
	}},
	"one runner after the other": {true, func(p *Pool, x *int) {
		w, r := writer{probe{x, false, make(chan struct{})}}, reader{probe{x, false, make(chan struct{})}}
		p.Go(w)
		w.wait()
		time.Sleep(10 * time.Millisecond) // let the first goroutine end
		p.Go(r)
		r.wait()
	}},
	"one runner after the other, declared": {false, func(p *Pool, x *int) {
		w, r := writer{probe{x, false, make(chan struct{})}}, reader{probe{x, true, make(chan struct{})}}
		p.Go(w)
		w.wait()
		p.Go(r)
		r.wait()
	}},
	"what came before New": {false, func(_ *Pool, x *int) {
		r := reader{probe{x, false, make(chan struct{})}}
		*x = 1
		p := New(1)
		p.Go(r)
		r.wait()
		p.Close()
	}},
}

func TestOnlyDeclaredOrderIsSeen(t *testing.T) {
	const variable = "SPARE_PROGRAM"
	if program, ok := programs[os.Getenv(variable)]; ok {
		p := New(1)
		program.run(p, new(int))
		p.Close()
		return
	}
	for name, program := range programs {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestOnlyDeclaredOrderIsSeen$")
			cmd.Env = append(os.Environ(), variable+"="+name, "GORACE=atexit_sleep_ms=10")
			out, err := cmd.CombinedOutput()
			if found := strings.Contains(string(out), "DATA RACE"); found != program.racy {
				t.Errorf("race reported: %v, want %v\n%v\n%s", found, program.racy, err, out)
			}
		})
	}
}
