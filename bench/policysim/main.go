// Policysim asks what order of ready tasks is worth having: it plays the graphs of examples/cholesky and
// examples/sparselu on any number of slots, without overhead, and prints how much longer each order takes than the
// bound, the larger of work per slot and the longest path.
//
//	go run ./bench/policysim
package main

import (
	"flag"
	"fmt"
)

var (
	window = flag.Int("window", 512, "live tasks that the creator may be ahead (Config.Throttle)")
	tiles  = flag.Int("tiles", 0, "tiles in a row; 0 is several")
)

func main() {
	flag.Parse()
	sizes := []int{8, 16, 24, 32, 48}
	if *tiles > 0 {
		sizes = []int{*tiles}
	}
	for _, build := range []func(int) *graph{cholesky, sparselu} {
		for _, n := range sizes {
			g := build(n)
			fmt.Printf("\n%s, %d × %d tiles, %d tasks, parallelism %.0f\n%6s", g.name, n, n, len(g.tasks), g.work()/g.span(), "slots")
			for _, p := range policies {
				fmt.Printf("%11s", p.name)
			}
			fmt.Println()
			for _, slots := range []int{2, 8, 16, 32} {
				fmt.Printf("%6d", slots)
				raises := 0
				bound := max(g.work()/float64(slots), g.span())
				for _, p := range policies {
					took, n := play(g, p, slots, *window)
					fmt.Printf("%+10.1f%%", 100*(took/bound-1))
					if p.name == "raised" {
						raises = n
					}
				}
				fmt.Printf("   %.1f raises a task\n", float64(raises)/float64(len(g.tasks)))
			}
		}
	}
}
