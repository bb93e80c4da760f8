//go:build !race

package spare

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNoAllocationsWhileGoroutinesAreAtHand(t *testing.T) {
	p, c := New(4), &pingpong{back: make(chan struct{})}
	defer p.Close()
	run := func() { p.Go(c); <-c.back }
	run()
	require.LessOrEqual(t, testing.AllocsPerRun(1000, run), 0.1) // now and then the first goroutine is not back yet
}

func TestKeepsNoMoreThanIdle(t *testing.T) {
	p, b := New(3), &blocked{gate: make(chan struct{})}
	defer p.Close()
	b.running.Add(50)
	for range 50 {
		p.Go(b)
	}
	b.running.Wait()
	require.Equal(t, 3, p.ants.Running())
	p.Keep(5)
	b.running.Add(9)
	for range 9 {
		p.Go(b)
	}
	b.running.Wait()
	require.Equal(t, 5, p.ants.Running())
	close(b.gate)
}

func TestIdleGoroutinesEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as goroutines are kept")
	}
	p, c := New(4), new(counted)
	defer p.Close()
	c.wg.Add(1)
	p.Go(c)
	c.wg.Wait()
	require.Equal(t, 1, p.ants.Running())
	require.Eventually(t, func() bool { return p.ants.Running() == 0 }, 3*keep, 50*time.Millisecond)
}

type bomb struct{}

func (bomb) Run() { explode() }

func explode() { panic("boom") }

func TestPanicEndsTheProcessWithItsStack(t *testing.T) {
	if os.Getenv("SPARE_BOMB") != "" {
		New(1).Go(bomb{})
		select {}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "SPARE_BOMB=1")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "panic: boom")
	require.Contains(t, string(out), "spare.explode(")
}
