package reduce_test

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
)

// run contributes what the bodies do, as tasks with the access a would: tasks.Spawn(t, body, a) for each of them.
func run(a deps.Access, bodies ...func(t task)) {
	item, bytes := a.Region()
	copies := a.Reduction().Open(item, bytes)
	for i, body := range bodies {
		private := copies.Take(deps.NewPlace(nil, i))
		body(task{item, private})
		copies.Give(private)
	}
	for part := range copies.Parts() {
		copies.Combine(part)
	}
}

type task struct{ item, private unsafe.Pointer }

func (t task) PrivateCopy(p unsafe.Pointer, _ uintptr) unsafe.Pointer {
	return unsafe.Add(t.private, uintptr(p)-uintptr(t.item))
}

func ExampleSum() {
	total := 100
	run(reduce.Sum(&total),
		func(t task) { *reduce.Local(t, &total) += 3 },
		func(t task) { *reduce.Local(t, &total) += 4 })
	fmt.Println(total)
	// Output: 107
}

func ExampleSumSlice() {
	histogram := make([]int, 4)
	count := func(digits ...int) func(t task) {
		return func(t task) {
			private := reduce.LocalSlice(t, histogram)
			for _, d := range digits {
				private[d]++
			}
		}
	}
	run(reduce.SumSlice(histogram), count(0, 2, 2), count(3, 2), count(0))
	fmt.Println(histogram)
	// Output: [2 0 3 1]
}

func ExampleProd() {
	factorial, scale := 1, []float64{1, 10}
	run(reduce.Prod(&factorial),
		func(t task) { *reduce.Local(t, &factorial) *= 2 * 3 },
		func(t task) { *reduce.Local(t, &factorial) *= 4 * 5 })
	run(reduce.ProdSlice(scale),
		func(t task) { *reduce.Local(t, &scale[0]) *= 0.5 },
		func(t task) { *reduce.Local(t, &scale[1]) *= 2 })
	fmt.Println(factorial, scale)
	// Output: 120 [0.5 20]
}

func ExampleMin() {
	lowest, highest := 20.5, 20.5
	see := func(x float64) {
		run(reduce.Min(&lowest), func(t task) { p := reduce.Local(t, &lowest); *p = min(*p, x) })
		run(reduce.Max(&highest), func(t task) { p := reduce.Local(t, &highest); *p = max(*p, x) })
	}
	see(18)
	see(23.25)
	see(19)
	fmt.Println(lowest, highest)
	// Output: 18 23.25
}

func ExampleMaxSlice() {
	// A bounding box.
	lower, upper := []int{5, 5}, []int{5, 5}
	points := [][]int{{1, 7}, {8, 6}}
	for _, p := range points {
		run(reduce.MinSlice(lower), func(t task) {
			for i, private := 0, reduce.LocalSlice(t, lower); i < 2; i++ {
				private[i] = min(private[i], p[i])
			}
		})
		run(reduce.MaxSlice(upper), func(t task) {
			for i, private := 0, reduce.LocalSlice(t, upper); i < 2; i++ {
				private[i] = max(private[i], p[i])
			}
		})
	}
	fmt.Println(lower, upper)
	// Output: [1 5] [8 7]
}

func ExampleOr() {
	common, seen, parity := byte(0b1111), byte(0), byte(0)
	for _, mask := range []byte{0b0110, 0b0011} {
		run(reduce.And(&common), func(t task) { *reduce.Local(t, &common) &= mask })
		run(reduce.Or(&seen), func(t task) { *reduce.Local(t, &seen) |= mask })
		run(reduce.Xor(&parity), func(t task) { *reduce.Local(t, &parity) ^= mask })
	}
	fmt.Printf("%04b %04b %04b\n", common, seen, parity)
	// Output: 0010 0111 0101
}

func ExampleOrSlice() {
	allowed, reached, flipped := []uint64{0xff, 0xff}, []uint64{0, 0}, []uint64{0, 0}
	run(reduce.AndSlice(allowed), func(t task) { reduce.LocalSlice(t, allowed)[0] &= 0xf0 })
	run(reduce.OrSlice(reached), func(t task) { reduce.LocalSlice(t, reached)[1] |= 0x01 })
	run(reduce.XorSlice(flipped), func(t task) { reduce.LocalSlice(t, flipped)[1] ^= 0x03 })
	fmt.Printf("%x %x %x\n", allowed, reached, flipped)
	// Output: [f0 ff] [0 1] [0 3]
}

func ExampleLogicalAnd() {
	converged, failed, odd, even := true, false, false, true
	run(reduce.LogicalAnd(&converged), func(t task) {
		p := reduce.Local(t, &converged)
		*p = *p && 0.1 < 0.01
	})
	run(reduce.LogicalOr(&failed), func(t task) { *reduce.Local(t, &failed) = true })
	vote := func(t task) { p := reduce.Local(t, &odd); *p = !*p }
	run(reduce.LogicalXor(&odd), vote, vote, vote)
	veto := func(t task) { p := reduce.Local(t, &even); *p = !*p }
	run(reduce.LogicalNxor(&even), veto, veto)
	fmt.Println(converged, failed, odd, even)
	// Output: false true true true
}

func ExampleLogicalOrSlice() {
	// Numbers count as in C.
	all, some, odd, even := []int{1, 7}, []int{0, 0}, []int{0, 0}, []int{1, 1}
	run(reduce.LogicalAndSlice(all), func(t task) { reduce.LocalSlice(t, all)[1] *= 5 })
	run(reduce.LogicalOrSlice(some), func(t task) { reduce.LocalSlice(t, some)[1] += 5 })
	flip := func(s []int) func(t task) {
		return func(t task) { *reduce.Local(t, &s[1]) ^= 1 }
	}
	run(reduce.LogicalXorSlice(odd), flip(odd), flip(odd), flip(odd))
	run(reduce.LogicalNxorSlice(even), flip(even))
	fmt.Println(all, some, odd, even)
	// Output: [1 1] [0 1] [0 1] [1 0]
}

type extremum struct {
	at    int
	value float64
}

var largest = reduce.NewOp("largest with its place", func(into, from *extremum) {
	if from.value > into.value {
		*into = *from
	}
}, func(private *extremum) { *private = extremum{-1, 0} })

func ExampleWith() {
	data := []float64{3, 9, 4, 7}
	pivot := extremum{-1, 0}
	search := func(lo, hi int) func(t task) {
		return func(t task) {
			for i := lo; i < hi; i++ {
				if p := reduce.Local(t, &pivot); data[i] > p.value {
					*p = extremum{i, data[i]}
				}
			}
		}
	}
	run(reduce.With(&pivot, largest), search(0, 2), search(2, 4))
	fmt.Println(pivot, largest)
	// Output: {1 9} largest with its place
}

func ExampleNewOp() {
	// The copy has a map of its own; from's words move into the result.
	merge := reduce.NewOp("merge", func(into, from *map[string]int) {
		for word, n := range *from {
			(*into)[word] += n
		}
	}, func(private *map[string]int) { *private = map[string]int{} })

	words := map[string]int{}
	for _, line := range []string{"the cat", "the dog"} {
		run(reduce.With(&words, merge), func(t task) {
			for _, w := range strings.Fields(line) {
				(*reduce.Local(t, &words))[w]++
			}
		})
	}
	fmt.Println(words)
	// Output: map[cat:1 dog:1 the:2]
}

func ExampleWithSlice() {
	columns := []extremum{{-1, 0}, {-1, 0}}
	row := func(i int, values ...float64) func(t task) {
		return func(t task) {
			for j, c := range reduce.LocalSlice(t, columns) {
				if values[j] > c.value {
					*reduce.Local(t, &columns[j]) = extremum{i, values[j]}
				}
			}
		}
	}
	run(reduce.WithSlice(columns, largest), row(0, 2, 5), row(1, 3, 1))
	fmt.Println(columns)
	// Output: [{1 3} {0 5}]
}

func ExampleOrdered() {
	// The same bits in every run, however the tasks were scheduled.
	sum := 0.1
	run(reduce.Ordered(reduce.Sum(&sum)),
		func(t task) { *reduce.Local(t, &sum) += 0.2 },
		func(t task) { *reduce.Local(t, &sum) += 0.3 })
	x, y, z := 0.1, 0.2, 0.3
	fmt.Println(sum == x+y+z, sum == x+(y+z))
	// Output: true false
}

func ExampleLocal() {
	// Of an array that the task reduces, one element or a part will do.
	forces := make([]float64, 6)
	run(reduce.SumSlice(forces), func(t task) {
		*reduce.Local(t, &forces[0]) += 1.5
		last := reduce.LocalSlice(t, forces[4:])
		last[0], last[1] = last[0]-0.5, last[1]-0.5
	})
	fmt.Println(forces)
	// Output: [1.5 0 0 0 -0.5 -0.5]
}
