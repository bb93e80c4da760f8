package reduce

// operator is what copies need of one. Implementations are comparable: those built in have no fields, a user's is a
// pointer.
type operator[T any] interface {
	// prime gives elements of a fresh copy, all zero, the neutral element. It runs hidden from the race detector.
	prime(fresh []T)
	// fold sets into[i] = into[i] op a[i].
	fold(into, a []T)
	// foldTwo sets into[i] = (into[i] op a[i]) op b[i]: one load and store of into for two copies.
	foldTwo(into, a, b []T)
	// word names the operator in messages.
	word() string
}

//go:norace
func fill[T any](s []T, v T) {
	for i := range s {
		s[i] = v
	}
}

type sum[T Number] struct{}

func (sum[T]) word() string { return "sum" }

//go:norace
func (sum[T]) prime([]T) {}

func (sum[T]) fold(into, a []T) {
	a = a[:len(into)]
	for i := range into {
		into[i] += a[i]
	}
}

func (sum[T]) foldTwo(into, a, b []T) {
	a, b = a[:len(into)], b[:len(into)]
	for i, x := range into {
		into[i] = x + a[i] + b[i]
	}
}

type prod[T Number] struct{}

func (prod[T]) word() string { return "prod" }

//go:norace
func (prod[T]) prime(fresh []T) { fill(fresh, 1) }

func (prod[T]) fold(into, a []T) {
	a = a[:len(into)]
	for i := range into {
		into[i] *= a[i]
	}
}

func (prod[T]) foldTwo(into, a, b []T) {
	a, b = a[:len(into)], b[:len(into)]
	for i, x := range into {
		into[i] = x * a[i] * b[i]
	}
}

type lowest[T Real] struct{}

func (lowest[T]) word() string { return "min" }

//go:norace
func (lowest[T]) prime(fresh []T) {
	_, greatest := limits[T]()
	fill(fresh, greatest)
}

func (lowest[T]) fold(into, a []T) {
	a = a[:len(into)]
	for i := range into {
		into[i] = min(into[i], a[i])
	}
}

func (lowest[T]) foldTwo(into, a, b []T) {
	a, b = a[:len(into)], b[:len(into)]
	for i, x := range into {
		into[i] = min(x, a[i], b[i])
	}
}

type highest[T Real] struct{}

func (highest[T]) word() string { return "max" }

//go:norace
func (highest[T]) prime(fresh []T) {
	least, _ := limits[T]()
	fill(fresh, least)
}

func (highest[T]) fold(into, a []T) {
	a = a[:len(into)]
	for i := range into {
		into[i] = max(into[i], a[i])
	}
}

func (highest[T]) foldTwo(into, a, b []T) {
	a, b = a[:len(into)], b[:len(into)]
	for i, x := range into {
		into[i] = max(x, a[i], b[i])
	}
}

type and[T Integer] struct{}

func (and[T]) word() string { return "and" }

//go:norace
func (and[T]) prime(fresh []T) { fill(fresh, ^T(0)) }

func (and[T]) fold(into, a []T) {
	a = a[:len(into)]
	for i := range into {
		into[i] &= a[i]
	}
}

func (and[T]) foldTwo(into, a, b []T) {
	a, b = a[:len(into)], b[:len(into)]
	for i, x := range into {
		into[i] = x & a[i] & b[i]
	}
}

type or[T Integer] struct{}

func (or[T]) word() string { return "or" }

//go:norace
func (or[T]) prime([]T) {}

func (or[T]) fold(into, a []T) {
	a = a[:len(into)]
	for i := range into {
		into[i] |= a[i]
	}
}

func (or[T]) foldTwo(into, a, b []T) {
	a, b = a[:len(into)], b[:len(into)]
	for i, x := range into {
		into[i] = x | a[i] | b[i]
	}
}

type xor[T Integer] struct{}

func (xor[T]) word() string { return "xor" }

//go:norace
func (xor[T]) prime([]T) {}

func (xor[T]) fold(into, a []T) {
	a = a[:len(into)]
	for i := range into {
		into[i] ^= a[i]
	}
}

func (xor[T]) foldTwo(into, a, b []T) {
	a, b = a[:len(into)], b[:len(into)]
	for i, x := range into {
		into[i] = x ^ a[i] ^ b[i]
	}
}
