package deps

// List is a number of accesses known only at run time (multi-dependences): one clause for all of them.
type List []Access

// TaskClause marks List as a clause of tasks.Spawn.
func (List) TaskClause() {}

// Range is the list of the accesses that of returns for lo, lo+step, lo+2·step … below hi (above hi if step is
// negative): OmpSs-2's {of(i), i=lo:hi-1:step}. It panics if step is 0. Ranges nest with [List.And]. Cost: one
// allocation for the list.
//
//	tasks.Spawn(t, body, deps.Range(0, n, 1, func(i int) deps.Access { return deps.InSlice(rows[i]) }))
//
//go:norace
func Range(lo, hi, step int, of func(i int) Access) List {
	count := 0
	switch {
	case step > 0 && lo < hi:
		count = int((uint(hi) - uint(lo) + uint(step) - 1) / uint(step))
	case step < 0 && lo > hi:
		count = int((uint(lo) - uint(hi) + uint(-step) - 1) / uint(-step))
	case step == 0:
		panic("deps: Range with step 0")
	}
	l := make(List, count)
	for i := range l {
		l[i] = of(lo + i*step)
	}
	return l
}

// Over is the list of the accesses that of returns for each of the values: OmpSs-2's {of(v), v={v1, v2, …}}. Cost: one
// allocation for the list.
//
//	tasks.Spawn(t, body, deps.Over(neighbours, func(b *block) deps.Access { return deps.InSlice(b.rim) }))
//
//go:norace
func Over[T any](values []T, of func(v T) Access) List {
	l := make(List, len(values))
	for i := range values {
		l[i] = of(values[i])
	}
	return l
}

// And is l with the accesses of more behind it. l is not changed.
//
//go:norace
func (l List) And(more ...Access) List {
	both := make(List, len(l)+len(more))
	for i := range l {
		both[i] = l[i]
	}
	for i := range more {
		both[len(l)+i] = more[i]
	}
	return both
}
