//go:build race

package tasks_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func TestRaceBuildsFailATaskThatDeclaresMoreThanItsParent(t *testing.T) {
	var x [4]int
	for name, c := range map[string]struct {
		parent, child deps.Access
		wrong         bool
	}{
		"out below in":            {deps.In(&x), deps.Out(&x[1]), true},
		"weak out below weak in":  {deps.Weak(deps.In(&x)), deps.Weak(deps.Out(&x[1])), true},
		"inout below inout":       {deps.Weak(deps.InOut(&x)), deps.InOut(&x[1]), false},
		"inout below commutative": {deps.Commutative(&x), deps.InOut(&x), false},
		"inout below concurrent":  {deps.Concurrent(&x), deps.InOut(&x), true},
	} {
		t.Run(name, func(t *testing.T) {
			for setup, cfg := range map[string]tasks.Config{"real": {}, "serial": {Serial: true}} {
				rt, err := tasks.New(cfg)
				require.NoError(t, err)
				ran := false
				err = rt.Run(context.Background(), func(m *tasks.Task) error {
					tasks.Spawn(m, func(t *tasks.Task) error {
						tasks.Spawn(t, func() { ran = true }, c.child, tasks.Label("child"))
						return t.Wait()
					}, c.parent, tasks.Label("parent"))
					return nil
				})
				require.NoError(t, rt.Close())
				require.Equal(t, !c.wrong, ran, setup)
				if !c.wrong {
					require.NoError(t, err, setup)
					continue
				}
				require.ErrorContains(t, err, `child: deps: `, setup)
				require.ErrorContains(t, err, `of task "child" is more than `, setup)
				require.ErrorContains(t, err, `which its parent, task "parent", declares for these bytes`, setup)
			}
		})
	}
}
