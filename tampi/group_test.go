package tampi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

// TestCancelledGroup: the receives of a cancelled group are taken back, blocking or bound; those of the rest of the run
// are not.
func TestCancelledGroup(t *testing.T) {
	require.NoError(t, setup{ranks: 1, eager: -1}.world(t, func(ctx ctxt, w *mpi.Comm, rt *tasks.Runtime) error {
		x := make([]int, 1)
		err := rt.Run(ctx, func(m *tasks.Task) error {
			g := m.Group(nil)
			tasks.Spawn(m, func(t *tasks.Task) error { _, err := tampi.Recv(t, w, x, 0, 9); return err })
			tasks.Spawn(m, func(c *tasks.Task) error {
				_, err := tampi.Recv(c, w, make([]int, 1), 0, 7)
				assert.ErrorIs(t, err, errStop)
				return err
			}, tasks.InGroup(g))
			tasks.Spawn(m, func(c *tasks.Task) error {
				return tampi.Irecv(c, w, make([]int, 1), 0, 8, nil)
			}, tasks.InGroup(g))
			tasks.Spawn(m, func() { g.Cancel(errStop) }, tasks.Priority(-1)) // after all others
			err := g.Wait()
			assert.ErrorIs(t, err, errStop)
			return mpi.Send(w, []int{5}, 0, 9)
		})
		assert.NoError(t, err)
		assert.Equal(t, 5, x[0])
		assert.NoError(t, still(t, w, 7, false))
		return still(t, w, 8, false)
	}))
}
