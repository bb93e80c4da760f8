//go:build !race

package trace

import (
	"testing"
)

func TestMillionTasks(t *testing.T) {
	r := recordTasks(1_000_000)
	s := r.Summary()
	if s.Tasks != 1_000_000 || s.Unfinished != 0 {
		t.Errorf("%d tasks, %d unfinished", s.Tasks, s.Unfinished)
	}
}
