// Testing: a program whose tests check its accesses.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

func main() {
	rt, err := tasks.New(tasks.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()

	var mean, variance float64
	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		statistics(t, []float64{1, 2, 3, 6}, &mean, &variance)
		return nil
	})
	fmt.Println(mean, variance, err)
}

// statistics spawns tasks that compute mean and variance of v.
func statistics(t *tasks.Task, v []float64, mean, variance *float64) {
	tasks.Spawn(t, func() {
		*mean = 0
		for _, x := range v {
			*mean += x / float64(len(v))
		}
	}, deps.InSlice(v), deps.Out(mean))
	tasks.Spawn(t, func() {
		*variance = 0
		for _, x := range v {
			*variance += (x - *mean) * (x - *mean) / float64(len(v))
		}
	}, deps.InSlice(v), deps.In(mean), deps.Out(variance))
}
