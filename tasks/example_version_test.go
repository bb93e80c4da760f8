package tasks_test

import (
	"fmt"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// vectors are what both versions of a task work on.
type vectors struct{ x, y []float64 }

func ExampleVersions() {
	axpy := tasks.NewVersions("axpy",
		tasks.Version[vectors]{Name: "plain", Body: func(_ *tasks.Task, v vectors) error {
			for i := range v.x {
				v.y[i] += 2 * v.x[i]
			}
			return nil
		}},
		tasks.Version[vectors]{
			Name: "by fours",
			Body: func(_ *tasks.Task, v vectors) error {
				for i := 0; i < len(v.x); i += 4 {
					x, y := v.x[i:i+4], v.y[i:i+4]
					y[0] += 2 * x[0]
					y[1] += 2 * x[1]
					y[2] += 2 * x[2]
					y[3] += 2 * x[3]
				}
				return nil
			},
			Available: func(v vectors) bool { return len(v.x)%4 == 0 },
		})

	v := vectors{x: []float64{1, 2, 3, 4}, y: make([]float64, 4)}
	example(func(t *tasks.Task) error {
		for range 10 {
			axpy.Spawn(t, v, deps.InSlice(v.x), deps.InOutSlice(v.y), tasks.Cost(4))
		}
		return nil
	})
	tried := true
	for _, e := range axpy.Estimates() {
		tried = tried && e.Started >= 3
	}
	fmt.Println(v.y, tried)
	// Output: [20 40 60 80] true
}

func ExampleNewVersions() {
	f := tasks.NewVersions("f",
		tasks.Version[string]{Name: "only", Body: func(t *tasks.Task, who string) error {
			fmt.Println(t.Label(), who)
			return nil
		}})
	example(func(t *tasks.Task) error {
		f.Spawn(t, "there")
		return nil
	})
	// Output: f there
}

func ExampleRuntime_Predicted() {
	rt, _ := tasks.New(tasks.Config{Workers: 1})
	defer rt.Close()
	kind := tasks.NewType("kind", 0)
	_ = rt.Run(ctx, func(t *tasks.Task) error {
		tasks.Spawn(t, func() {}, kind, tasks.Cost(10))
		_ = t.Wait() // now a unit's time is known
		tasks.Spawn(t, func() {}, kind, tasks.Cost(30))
		for _, p := range rt.Predictions() {
			fmt.Println(p.Label, p.Tasks, p.Units, rt.Predicted() == p.Work)
		}
		return nil
	})
	fmt.Println(rt.Predicted())
	// Output:
	// kind 1 30 true
	// 0s
}
