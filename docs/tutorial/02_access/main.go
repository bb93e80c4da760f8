// Access: what tasks read and write decides which of them run together.
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

	var price, tax, shipping, total int
	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		tasks.Spawn(t, func() { price = 100 }, deps.Out(&price))
		tasks.Spawn(t, func() { tax = price / 5 }, deps.In(&price), deps.Out(&tax))
		tasks.Spawn(t, func() { shipping = price / 10 }, deps.In(&price), deps.Out(&shipping))
		tasks.Spawn(t, func() { price -= 30 }, deps.InOut(&price)) // a discount, when both have read the price
		tasks.Spawn(t, func() { total = price + tax + shipping },
			deps.In(&price), deps.In(&tax), deps.In(&shipping), deps.Out(&total))
		return nil
	})
	fmt.Println(total, err)
}
