package reduce

// The logical operators normalise: whatever is combined becomes 0 or 1, false or true.

func of[T Truth](v bool, yes T) (no T) {
	if v {
		return yes
	}
	return no
}

type logicalAnd[T Truth] struct{}

func (logicalAnd[T]) word() string { return "logical and" }

//go:norace
func (logicalAnd[T]) prime(fresh []T) { fill(fresh, truth[T]()) }

func (logicalAnd[T]) fold(into, a []T) {
	var no T
	yes := truth[T]()
	a = a[:len(into)]
	for i, x := range into {
		into[i] = of(x != no && a[i] != no, yes)
	}
}

func (logicalAnd[T]) foldTwo(into, a, b []T) {
	var no T
	yes := truth[T]()
	a, b = a[:len(into)], b[:len(into)]
	for i, x := range into {
		into[i] = of(x != no && a[i] != no && b[i] != no, yes)
	}
}

type logicalOr[T Truth] struct{}

func (logicalOr[T]) word() string { return "logical or" }

//go:norace
func (logicalOr[T]) prime([]T) {}

func (logicalOr[T]) fold(into, a []T) {
	var no T
	yes := truth[T]()
	a = a[:len(into)]
	for i, x := range into {
		into[i] = of(x != no || a[i] != no, yes)
	}
}

func (logicalOr[T]) foldTwo(into, a, b []T) {
	var no T
	yes := truth[T]()
	a, b = a[:len(into)], b[:len(into)]
	for i, x := range into {
		into[i] = of(x != no || a[i] != no || b[i] != no, yes)
	}
}

type logicalXor[T Truth] struct{}

func (logicalXor[T]) word() string { return "logical xor" }

//go:norace
func (logicalXor[T]) prime([]T) {}

func (logicalXor[T]) fold(into, a []T) {
	var no T
	yes := truth[T]()
	a = a[:len(into)]
	for i, x := range into {
		into[i] = of((x != no) != (a[i] != no), yes)
	}
}

func (logicalXor[T]) foldTwo(into, a, b []T) {
	var no T
	yes := truth[T]()
	a, b = a[:len(into)], b[:len(into)]
	for i, x := range into {
		into[i] = of(((x != no) != (a[i] != no)) != (b[i] != no), yes)
	}
}

type logicalNxor[T Truth] struct{}

func (logicalNxor[T]) word() string { return "logical nxor" }

//go:norace
func (logicalNxor[T]) prime(fresh []T) { fill(fresh, truth[T]()) }

func (logicalNxor[T]) fold(into, a []T) {
	var no T
	yes := truth[T]()
	a = a[:len(into)]
	for i, x := range into {
		into[i] = of((x != no) == (a[i] != no), yes)
	}
}

func (logicalNxor[T]) foldTwo(into, a, b []T) {
	var no T
	yes := truth[T]()
	a, b = a[:len(into)], b[:len(into)]
	for i, x := range into {
		into[i] = of(((x != no) == (a[i] != no)) == (b[i] != no), yes)
	}
}
