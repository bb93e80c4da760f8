package main

import (
	"testing"

	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/taskstest"
)

func TestStatistics(t *testing.T) {
	taskstest.Schedules(t, 20, func() (func(*tasks.Task) error, func() any) {
		var mean, variance float64
		body := func(t *tasks.Task) error {
			statistics(t, []float64{1, 2, 3, 6}, &mean, &variance)
			return nil
		}
		return body, func() any { return [2]float64{mean, variance} }
	})
}
