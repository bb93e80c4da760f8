package main

import (
	"cmp"
	"slices"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// Small merges go before large ones by themselves: a large one needs them.
var (
	splitType = tasks.NewType("split", 1) // before work that is ready: more of it becomes so
	sortType  = tasks.NewType("sort", 0)
	mergeType = tasks.NewType("merge", 0)
)

// sortTasks spawns tasks that sort v and may write to scratch, which is as long. A task of t's that reads any part of v is
// ordered after those that write that part.
func sortTasks[T cmp.Ordered](t *tasks.Task, v, scratch []T, cutoff int) {
	if len(v) <= cutoff {
		tasks.Spawn(t, func() { slices.Sort(v) }, sortType, deps.InOutSlice(v))
		return
	}
	tasks.Spawn(t, func(t *tasks.Task) {
		mid := len(v) / 2
		sortTasks(t, v[:mid], scratch[:mid], cutoff)
		sortTasks(t, v[mid:], scratch[mid:], cutoff)
		tasks.Spawn(t, func() { merge(v, mid, scratch) }, mergeType, deps.InOutSlice(v), deps.OutSlice(scratch[:mid]))
	}, splitType, deps.Weak(deps.InOutSlice(v)), deps.Weak(deps.OutSlice(scratch)))
}

// sortSerial is sortTasks without tasks.
func sortSerial[T cmp.Ordered](v, scratch []T, cutoff int) {
	if len(v) <= cutoff {
		slices.Sort(v)
		return
	}
	mid := len(v) / 2
	sortSerial(v[:mid], scratch[:mid], cutoff)
	sortSerial(v[mid:], scratch[mid:], cutoff)
	merge(v, mid, scratch)
}

// merge sorts v, of which the numbers before mid are in order, and those from mid on. It writes to scratch[:mid].
func merge[T cmp.Ordered](v []T, mid int, scratch []T) {
	left, right := scratch[:mid], v[mid:]
	copy(left, v)
	i, j := 0, 0
	for k := range v { // v[k:] has room for what is left, and right's part of it is in place
		switch {
		case i == len(left):
			return
		case j == len(right) || left[i] <= right[j]:
			v[k] = left[i]
			i++
		default:
			v[k] = right[j]
			j++
		}
	}
}
