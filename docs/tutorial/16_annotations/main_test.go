package main

import (
	"testing"

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
