// Reductions: many tasks contribute to one result at the same time.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
)

// join puts words behind each other. An operator of your own is declared once.
var join = reduce.NewOp("join", func(into, from *string) { *into += *from }, nil) // "" is neutral

func main() {
	rt, err := tasks.New(tasks.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()

	pi := []byte("31415926535897932384626433832795028841971693993751")
	digits, longest, sentence := make([]int, 10), 0, "-"
	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		for part := range slices.Chunk(pi, 8) {
			tasks.Spawn(t, func(t *tasks.Task) {
				mine := reduce.LocalSlice(t, digits) // a copy that nobody else has, zeros at first
				for _, d := range part {
					mine[d-'0']++
				}
			}, deps.InSlice(part), reduce.SumSlice(digits))
		}
		tasks.Spawn(t, func() { fmt.Println("digits:", digits) }, deps.InSlice(digits), deps.InOut(os.Stdout))

		for word := range strings.FieldsSeq("data are the wires of a task program") {
			tasks.Spawn(t, func(t *tasks.Task) {
				top := reduce.Local(t, &longest)
				*top = max(*top, len(word))
				*reduce.Local(t, &sentence) += word + "-"
			}, reduce.Max(&longest), reduce.Ordered(reduce.With(&sentence, join)))
		}
		tasks.Spawn(t, func() { fmt.Println("words:", longest, sentence) },
			deps.In(&longest), deps.In(&sentence), deps.InOut(os.Stdout))

		var subsets int
		choose(t, 10, 15, &subsets)
		tasks.Spawn(t, func() { fmt.Println("subsets:", subsets) }, deps.In(&subsets), deps.InOut(os.Stdout))
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
}

// choose counts the subsets of {1 … n} with the given sum: those with n, and those without. It waits for nobody.
func choose(t *tasks.Task, n, sum int, subsets *int) {
	tasks.Spawn(t, func(t *tasks.Task) {
		if t.InFinal() {
			*reduce.Local(t, subsets) += count(n, sum)
			return
		}
		choose(t, n-1, sum, subsets)
		choose(t, n-1, sum-n, subsets)
	}, deps.Weak(reduce.Sum(subsets)), tasks.Final(n < 5)) // final: no tasks below, and weak is strong
}

func count(n, sum int) int {
	switch {
	case sum == 0:
		return 1
	case n == 0 || sum < 0:
		return 0
	}
	return count(n-1, sum) + count(n-1, sum-n)
}
