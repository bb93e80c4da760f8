package main

import (
	"cmp"
	"slices"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

var (
	partitionType = tasks.NewType("partition", 1) // before work that is ready: more of it becomes so
	sortType      = tasks.NewType("sort", 0)
	inspectType   = tasks.NewType("inspect", 0)
)

// sortTasks spawns a task that sorts v. It gives each part up when that is sorted, so a task of t's that reads numbers is
// ordered after the tasks that sort these numbers.
func sortTasks[T cmp.Ordered](t *tasks.Task, v []T, cutoff int) {
	if len(v) <= cutoff {
		tasks.Spawn(t, func() { slices.Sort(v) }, sortType, deps.InOutSlice(v))
		return
	}
	tasks.Spawn(t, func(t *tasks.Task) {
		mid := partition(v)
		sortTasks(t, v[:mid], cutoff)
		sortTasks(t, v[mid:], cutoff)
	}, partitionType, deps.InOutSlice(v))
}

// sortSerial is sortTasks without tasks.
func sortSerial[T cmp.Ordered](v []T, cutoff int) {
	if len(v) <= cutoff {
		slices.Sort(v)
		return
	}
	mid := partition(v)
	sortSerial(v[:mid], cutoff)
	sortSerial(v[mid:], cutoff)
}

// partition moves numbers so that none before mid is greater than any from mid on, 0 < mid < len(v). The number that decides
// is the median of three, and equal ones go to both sides: sorted input and few different numbers are not bad luck. It needs
// two numbers.
func partition[T cmp.Ordered](v []T) (mid int) {
	a, b, c := v[0], v[(len(v)-1)/2], v[len(v)-1]
	pivot := max(min(a, b), min(max(a, b), c))
	i, j := -1, len(v)
	for {
		for i++; v[i] < pivot; i++ {
		}
		for j--; v[j] > pivot; j-- {
		}
		if i >= j {
			return max(i, 1)
		}
		v[i], v[j] = v[j], v[i]
	}
}

// A piece is what a reader found in its numbers.
type piece[T any] struct {
	first, last T
	sorted      bool
}

// inspectTasks spawns readers of v, size numbers each, and returns where they leave what they find.
func inspectTasks[T cmp.Ordered](t *tasks.Task, v []T, size int) []piece[T] {
	pieces := make([]piece[T], 0, (len(v)+size-1)/size)
	for part := range slices.Chunk(v, size) {
		pieces = append(pieces, piece[T]{})
		p := &pieces[len(pieces)-1] // stays where it is: there is room for all
		tasks.Spawn(t, func() { *p = piece[T]{part[0], part[len(part)-1], slices.IsSorted(part)} }, inspectType,
			deps.InSlice(part), deps.Out(p))
	}
	return pieces
}
