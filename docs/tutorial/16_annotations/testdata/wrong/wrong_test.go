package wrong

import (
	"slices"
	"testing"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
)

func TestSmooth(t *testing.T) {
	taskstest.Check(t, 20, func() (func(*tasks.Task) error, func() any) {
		var peak float64
		body := func(t *tasks.Task) error {
			smooth(t, make([]float64, 12), make([]float64, 12), &peak)
			return nil
		}
		return body, func() any { return peak }
	})
}

func smooth(t *tasks.Task, signal, mean []float64, peak *float64) {
	const block = 4
	for lo := 0; lo < len(signal); lo += block {
		tasks.Spawn(t, func() {
			for i := lo; i < lo+block; i++ {
				signal[i] = float64(i * 3 % 7)
			}
		}, deps.OutSlice(signal[lo:lo+block]), tasks.Label("fill"))
	}
	tasks.Spawn(t, func(t *tasks.Task) {
		for lo := 0; lo < len(signal); lo += block {
			from, to := max(lo-1, 0), min(lo+block+1, len(signal))
			tasks.Spawn(t, func() {
				for i := lo; i < lo+block; i++ {
					mean[i] = (signal[max(i-1, from)] + signal[i] + signal[min(i+1, to-1)]) / 3
				}
			}, deps.InSlice(signal[lo:lo+block]), // without the neighbours
				deps.OutSlice(mean[lo:lo+block]), tasks.Label("block"))
		}
	}, deps.Weak(deps.InSlice(signal)), // and the mean?
		tasks.Label("mean"))
	tasks.Spawn(t, func() { *peak = slices.Max(mean) }, deps.InSlice(mean), deps.Out(peak), tasks.Label("peak"))
}
