package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
)

// plain is the program as one would first write it: a single array, no blocks.
func plain(cfg *config) *result {
	width := cfg.cols + 2
	u := make([]float64, (cfg.rows+2)*width)
	for i := range cfg.rows + 2 {
		for j := range width {
			if i == 0 || j == 0 || i == cfg.rows+1 || j == width-1 {
				u[i*width+j] = temperature(cfg.sources, float64(j)/float64(cfg.cols+1), float64(i)/float64(cfg.rows+1))
			}
		}
	}
	residual := 0.0
	for range cfg.steps {
		residual = 0
		for i := 1; i <= cfg.rows; i++ {
			for j := 1; j <= cfg.cols; j++ {
				at := i*width + j
				old := u[at]
				u[at] = 0.25 * (u[at-width] + u[at+width] + u[at+1] + u[at-1])
				residual = max(residual, math.Abs(u[at]-old))
			}
		}
	}
	var cells []float64
	for i := 1; i <= cfg.rows; i++ {
		cells = append(cells, u[i*width+1:][:cfg.cols]...)
	}
	return &result{cells, cfg.steps, residual}
}

func aConfig(rows, cols, block int) *config {
	return &config{rows: rows, cols: cols, block: block, steps: 9, sources: defaultSources, ranks: 1, workers: 1}
}

var transfers = map[string]transfer{"blocking": blocking, "iwait": iwait}

func TestSerialIsThePlainProgram(t *testing.T) {
	for _, block := range []int{1, 4, 5, 23, 100} {
		cfg := aConfig(23, 17, block)
		got, err := runSerial(t.Context(), cfg)
		require.NoError(t, err)
		assert.NoError(t, sameBits(plain(cfg), got, cfg.cols))
		assert.Positive(t, got.cells[0])
	}
}

func TestEveryFormHasTheSameBits(t *testing.T) {
	for _, size := range []struct{ rows, cols int }{{23, 17}, {16, 16}, {4, 30}} {
		for _, block := range []int{2, 5, 8, 64} {
			for ranks := 1; ranks <= 4; ranks++ {
				for workers := 1; workers <= 2; workers++ {
					for name, via := range transfers {
						cfg := aConfig(size.rows, size.cols, block)
						cfg.ranks, cfg.workers, cfg.every = ranks, workers, 4
						got, err := runTasks(t.Context(), cfg, via, nil, io.Discard)
						where := fmt.Sprintf("%+v, block %d, %d ranks, %d workers, %s", size, block, ranks, workers, name)
						require.NoError(t, err, where)
						require.NoError(t, sameBits(plain(cfg), got, cfg.cols), where)
					}
				}
			}
		}
	}
}

// Rows of more than 8 KiB are not buffered: not even Isend is complete before the receive has taken them.
func TestLongRows(t *testing.T) {
	for name, via := range transfers {
		cfg := aConfig(9, 2200, 1100)
		cfg.ranks = 3
		got, err := runTasks(t.Context(), cfg, via, nil, io.Discard)
		require.NoError(t, err, name)
		require.NoError(t, sameBits(plain(cfg), got, cfg.cols), name)
	}
}

func TestToleranceStopsAllRanksAtTheSameStep(t *testing.T) {
	for name, via := range transfers {
		cfg := aConfig(20, 20, 6)
		cfg.steps, cfg.every, cfg.tolerance = 1000, 5, 1e-3
		want, err := runSerial(t.Context(), cfg)
		require.NoError(t, err)
		assert.Less(t, want.steps, 1000)
		assert.LessOrEqual(t, want.residual, 1e-3)
		for ranks := 1; ranks <= 3; ranks++ {
			cfg.ranks, cfg.workers = ranks, 2
			got, err := runTasks(t.Context(), cfg, via, nil, io.Discard)
			require.NoError(t, err)
			assert.NoError(t, sameBits(want, got, cfg.cols), "%s, %d ranks", name, ranks)
		}
	}
}

func TestAnyOrder(t *testing.T) {
	require.NoError(t, mpi.Run(t.Context(), mpi.Config{}, func(_ context.Context, world *mpi.Comm) error {
		taskstest.Schedules(t, 20, func() (func(*tasks.Task) error, func() any) {
			cfg := aConfig(13, 11, 4)
			cfg.every = 2
			p := newPlate(cfg, 0, 1)
			return func(m *tasks.Task) error {
					_, err := p.simulate(m, world, blocking)
					return err
				}, func() any {
					return []any{p.cells(), p.residual}
				}
		})
		return nil
	}))
}

func TestInterruptEndsAllRanks(t *testing.T) {
	stop := errors.New("stop")
	cfg := aConfig(20, 20, 6)
	cfg.steps = maxSteps
	soon := func() context.Context {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(20*time.Millisecond, func() { cancel(stop) })
		return ctx
	}
	_, err := runSerial(soon(), cfg)
	assert.ErrorIs(t, err, stop)
	cfg.ranks = 3
	for name, via := range transfers {
		_, err := runTasks(soon(), cfg, via, nil, io.Discard)
		assert.ErrorIs(t, err, stop, name)
	}
}

func TestRanksShareTheRows(t *testing.T) {
	cfg := aConfig(10, 4, 3)
	next := 0
	for rank := range 4 {
		p := newPlate(cfg, rank, 4)
		assert.Equal(t, next, p.from)
		assert.Len(t, p.cells(), (p.to-p.from)*4)
		next = p.to
	}
	assert.Equal(t, 10, next)
	assert.Equal(t, []int{1, 3, 3, 3, 1, 1}, framed(10, 3))
}
