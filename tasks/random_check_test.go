package tasks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
)

// reports is a testing.TB that keeps what it is told.
type reports struct {
	testing.TB
	text   strings.Builder
	failed bool
}

func (r *reports) Helper()      {}
func (r *reports) Failed() bool { return r.failed }
func (r *reports) Logf(f string, a ...any) {
	fmt.Fprintf(&r.text, f+"\n", a...)
}
func (r *reports) Errorf(f string, a ...any) {
	r.failed = true
	r.Logf(f, a...)
}

// TestNothingIsWrongWithRandomPrograms has random programs, which are proper, checked. Advice they deserve; and after a
// WaitOn they may read what they declare as out, which is properly ordered and yet not what out means.
func TestNothingIsWrongWithRandomPrograms(t *testing.T) {
	eachSeed(100, func(seed uint64) {
		p := newProgram(seed)
		r := &reports{TB: t}
		all := taskstest.Check(r, 5, func() (func(*tasks.Task) error, func() any) {
			m := newMachine(p)
			return m.main, func() any { return [2][]uint64{m.cells, m.folds} }
		})
		for _, f := range all {
			ok := f.Advice() || strings.Contains(f.Text, "depends on what was in its out")
			require.True(t, ok, "seed %d: %s\n%s", seed, &r.text, p)
		}
	})
}
