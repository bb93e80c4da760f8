// Ranks: every rank passes numbers round a ring, in both modes of tampi.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/mpi"
	"github.com/gompss/gompss/tampi"
	"github.com/gompss/gompss/tasks"
)

func main() {
	if err := mpi.Run(context.Background(), mpi.Config{Ranks: 3}, rank); err != nil {
		log.Fatal(err)
	}
}

// rank is what each rank runs, with a runtime of its own. It passes its ctx on, so that a failed rank ends the others.
func rank(ctx context.Context, world *mpi.Comm) error {
	rt, err := tasks.New(tasks.Config{Workers: 1})
	if err != nil {
		return err
	}
	defer rt.Close()

	n, me := world.Size(), world.Rank()
	next, previous := (me+1)%n, (me+n-1)%n
	const first, second = 1, 2 // tags: tasks that run together need different ones
	return rt.Run(ctx, func(t *tasks.Task) error {
		mine, one, two := make([]int, 2), make([]int, 2), make([]int, 2)
		tasks.Spawn(t, func() { mine[0], mine[1] = me, me*me }, deps.OutSlice(mine))

		// Blocking: the task is suspended, its core runs other tasks.
		tasks.Spawn(t, func(t *tasks.Task) error {
			return tampi.Send(t, world, mine, next, first)
		}, deps.InSlice(mine))
		tasks.Spawn(t, func(t *tasks.Task) error {
			if _, err := tampi.Recv(t, world, one, previous, first); err != nil {
				return err
			}
			one[0] += 10 // here the numbers are there
			return nil
		}, deps.OutSlice(one))

		// Non-blocking: the body is over at once, the accesses are given up when the message has gone or come.
		tasks.Spawn(t, func(t *tasks.Task) error {
			return tampi.Isend(t, world, one, next, second)
		}, deps.InSlice(one))
		tasks.Spawn(t, func(t *tasks.Task) error {
			return tampi.Irecv(t, world, two, previous, second, nil) // do not read two in this body
		}, deps.OutSlice(two))

		tasks.Spawn(t, func() {
			if me == 0 {
				fmt.Println("rank 0 has", one, "and", two)
			}
		}, deps.InSlice(one), deps.InSlice(two))
		return t.Wait()
	})
}
