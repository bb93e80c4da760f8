package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
)

// inTasks factors a with tasks.
func inTasks(t *testing.T, a *matrix, workers int) (tasks.Stats, error) {
	t.Helper()
	rt, err := tasks.New(tasks.Config{Workers: workers})
	require.NoError(t, err)
	err = rt.Run(t.Context(), func(m *tasks.Task) error {
		factorTasks(m, a)
		return nil
	})
	require.NoError(t, rt.Close())
	return rt.Stats(), err
}

// tasksFrom counts the tasks of step k and later ones for a matrix of n × n tiles.
func tasksFrom(k, n int) (count uint64) {
	for ; k < n; k++ {
		below := uint64(n - k - 1)
		count += 1 + below + below*(below+1)/2
	}
	return count
}

func TestTasksGiveTheBitsOfTheSerialForm(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		for _, size := range []struct{ n, tile int }{
			{1, 1}, {1, 8}, {7, 1}, {64, 16}, {100, 16}, {100, 33}, {100, 100}, {100, 128},
		} {
			a := randomMatrix(size.n, size.tile, 3)
			serial, parallel := a.clone(), a.clone()
			require.NoError(t, factorSerial(serial))
			s, err := inTasks(t, parallel, workers)
			require.NoError(t, err)
			assert.NoError(t, sameBits(serial, parallel), "%+v", size)
			assert.Equal(t, tasksFrom(0, len(a.tiles)), s.Spawned)
			assert.Zero(t, s.Skipped)
			assert.Less(t, denseResidual(a, serial), 1.0, "%+v", size)
		}
	}
}

func TestAnyOrder(t *testing.T) {
	taskstest.Schedules(t, 20, func() (func(*tasks.Task) error, func() any) {
		a := randomMatrix(45, 8, 2)
		return func(m *tasks.Task) error { factorTasks(m, a); return nil }, func() any { return a }
	})
}

// denseResidual is residual without tiles, kernels and tasks.
func denseResidual(a, l *matrix) float64 {
	var norm, difference float64
	for i := range a.n {
		for j := range a.n {
			x := *a.at(max(i, j), min(i, j))
			norm += x * x
			for k := range min(i, j) + 1 {
				x -= *l.at(i, k) * *l.at(j, k)
			}
			difference += x * x
		}
	}
	return math.Sqrt(difference/norm) / (float64(a.n) * 0x1p-52)
}

func TestResidual(t *testing.T) {
	a := randomMatrix(50, 12, 1)
	l := a.clone()
	require.NoError(t, factorSerial(l))
	measure := func() (r float64) {
		require.NoError(t, taskstest.Run(t, func(m *tasks.Task) (err error) {
			r, err = residual(m, a, l)
			return err
		}))
		return r
	}
	assert.InDelta(t, denseResidual(a, l), measure(), 0.05)
	assert.Less(t, measure(), 0.1)
	*l.at(40, 30) += 1e-9
	assert.InEpsilon(t, denseResidual(a, l), measure(), 0.01)
	assert.Greater(t, measure(), float64(maxResidual), "one number is wrong in its tenth digit")
}

func TestFailureSkipsDependentsAndNoOthers(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		a := randomMatrix(100, 10, 1)
		a.spoil(57)
		good := a.clone()
		s, err := inTasks(t, a, workers)
		require.EqualError(t, err, "potrf: tile (5,5): the matrix is not positive definite: pivot 57 is -100", "once, and alone")
		var e *tasks.TaskError
		require.ErrorAs(t, err, &e)
		assert.Equal(t, "potrf", e.Label)
		assert.Equal(t, tasksFrom(5, 10)-1, s.Skipped)
		assert.Equal(t, tasksFrom(0, 10), s.Executed-1+s.Skipped, "the main task is executed, too")

		require.Error(t, factorSerial(good))
		for i := range 50 {
			for j := range i + 1 {
				assert.Equal(t, *good.at(i, j), *a.at(i, j), "what came before the failure is done")
			}
		}
	}
}

func TestMatrixDoesNotDependOnTiles(t *testing.T) {
	assert.NoError(t, sameBits(randomMatrix(30, 7, 5), randomMatrix(30, 30, 5)))
	assert.ErrorContains(t, sameBits(randomMatrix(30, 7, 5), randomMatrix(30, 7, 6)), "row 1, column 0")
}

func BenchmarkGemm(b *testing.B) {
	const n = 128
	x, y, z := randomBlock(n, n), randomBlock(n, n), randomBlock(n, n)
	for b.Loop() {
		gemm(z, x, y)
	}
	b.ReportMetric(2*n*n*n*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
}
