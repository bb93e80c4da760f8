// Annotations: what bodies touch is what their tasks declare, and a test says so.
package main

import (
	"context"
	"fmt"
	"log"
	"slices"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func main() {
	rt, err := tasks.New(tasks.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()

	var peak float64
	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		smooth(t, make([]float64, 12), make([]float64, 12), &peak)
		return nil
	})
	fmt.Println(peak, err)
}

// smooth spawns tasks that fill signal, take the mean of every three neighbours, and look for the peak.
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
			from, to := max(lo-1, 0), min(lo+block+1, len(signal)) // one more on either side
			tasks.Spawn(t, func() {
				for i := lo; i < lo+block; i++ {
					mean[i] = (signal[max(i-1, from)] + signal[i] + signal[min(i+1, to-1)]) / 3
				}
			}, deps.InSlice(signal[from:to]), deps.OutSlice(mean[lo:lo+block]), tasks.Label("block"))
		}
	}, deps.Weak(deps.InSlice(signal)), deps.Weak(deps.OutSlice(mean)), tasks.Label("mean"))
	tasks.Spawn(t, func() { *peak = slices.Max(mean) }, deps.InSlice(mean), deps.Out(peak), tasks.Label("peak"))
}
