// Package interval is an ordered map from disjoint byte intervals to pointers. It answers "what is there between these two
// addresses?", the question behind regions that overlap in part.
//
// It is a B+ tree: all intervals are in the leaves, which are linked in ascending order, and the nodes above hold for each
// child a lower bound of its starts. Nodes are freed when empty and never merged when half full: under mixed insertions
// and deletions that keeps nearly the same occupancy with far fewer moves (Johnson and Shasha, "B-trees with inserts and
// deletes: why free-at-empty is better than merge-at-half", 1993). Freed nodes are kept for the next insertion, so a map
// that is filled and emptied again and again stops allocating.
//
// Costs on a map of 10⁵ intervals, one core (BenchmarkInsert and its neighbours): an ascending insertion 4 ns, a random
// one, a random deletion or look-up about 140 ns; one step of a walk 1 ns.
//
// A map belongs to one goroutine at a time. Addresses in it are numbers: it neither keeps the memory alive nor notices
// when a stack moves. The runtime calls this package hidden from the race detector (see internal/race), so every
// function is //go:norace and uses no closure, append, copy or map.
package interval
