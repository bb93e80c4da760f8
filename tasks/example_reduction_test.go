package tasks_test

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
)

func ExampleTask_PrivateCopy() {
	rt, _ := tasks.New(tasks.Config{Workers: 2})
	defer rt.Close()
	err := rt.Run(context.Background(), func(t *tasks.Task) error {
		sum := 0
		for i := range 5 {
			tasks.Spawn(t, func(t *tasks.Task) {
				mine := (*int)(t.PrivateCopy(unsafe.Pointer(&sum), unsafe.Sizeof(sum))) // reduce.Local(t, &sum)
				*mine += i
			}, reduce.Sum(&sum))
		}
		tasks.Spawn(t, func() { fmt.Println(sum) }, deps.In(&sum))
		return nil
	})
	fmt.Println(err)
	// Output:
	// 10
	// <nil>
}
