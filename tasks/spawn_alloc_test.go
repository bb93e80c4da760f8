//go:build !race

package tasks_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// TestSpawnAllocations measures inside a run, after a warm-up in which the runtime made the tasks that it reuses.
func TestSpawnAllocations(t *testing.T) {
	var x, y, z, w int
	v := make([]int, 8)
	kind := tasks.NewType("kind", 0)
	list := deps.List{deps.In(&x), deps.In(&y), deps.In(&z)}
	sum := 0
	for name, c := range map[string]struct {
		want  float64
		spawn func(*tasks.Task)
	}{
		"static body":               {0, func(m *tasks.Task) { tasks.Spawn(m, static) }},
		"static body with its task": {0, func(m *tasks.Task) { tasks.Spawn(m, staticTask) }},
		"1 access":                  {0, func(m *tasks.Task) { tasks.Spawn(m, static, deps.InOut(&x)) }},
		"2 accesses":                {0, func(m *tasks.Task) { tasks.Spawn(m, static, deps.In(&x), deps.Out(&y)) }},
		"3 accesses":                {0, func(m *tasks.Task) { tasks.Spawn(m, static, deps.In(&x), deps.Out(&y), deps.Concurrent(&z)) }},
		"4 accesses": {0, func(m *tasks.Task) {
			tasks.Spawn(m, static, deps.InSlice(v), deps.Commutative(&y), deps.Weak(deps.InOut(&z)), deps.InOut(&w))
		}},
		"4 accesses and a type": {0, func(m *tasks.Task) {
			tasks.Spawn(m, static, kind, deps.In(&x), deps.In(&y), deps.In(&z), deps.InOut(&w))
		}},
		"options": {0, func(m *tasks.Task) {
			tasks.Spawn(m, static, tasks.Label("l"), tasks.Final(true), tasks.Cost(3), deps.In(&x))
		}},
		"ready-made list":   {0, func(m *tasks.Task) { tasks.Spawn(m, static, list, deps.Out(&w)) }},
		"capturing closure": {1, func(m *tasks.Task) { tasks.Spawn(m, func() { sum += x }, deps.In(&x), deps.InOut(&sum)) }},
		"wait":              {0, func(m *tasks.Task) { tasks.Spawn(m, static); _ = m.Wait() }},
		"no wait":           {0, func(m *tasks.Task) { m.InFinal(); m.Yield() }},
	} {
		t.Run(name, func(t *testing.T) {
			rt := newRuntime(t, 1)
			require.NoError(t, run(t, rt, func(m *tasks.Task) error {
				batch := func() {
					for range 100 {
						c.spawn(m)
					}
					_ = m.Wait()
				}
				for range 50 {
					batch()
				}
				got := testing.AllocsPerRun(50, batch) / 100
				assert.LessOrEqual(t, got, c.want+0.02)
				assert.GreaterOrEqual(t, got, c.want-0.02)
				return nil
			}))
		})
	}
}
