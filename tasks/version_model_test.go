package tasks

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func newModel(n int) *model {
	m := new(model)
	m.init(n)
	return m
}

func all(n int) []bool {
	a := make([]bool, n)
	for i := range a {
		a[i] = true
	}
	return a
}

// TestModelFindsTheBest: with random times and noise every version is tried, the best runs by far the most, and what goes
// to the others is bounded.
func TestModelFindsTheBest(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 2 + r.IntN(5)
		m := newModel(n)
		mean := make([]float64, n)
		best := 0
		for i := range mean {
			mean[i] = 100 * float64(1+r.IntN(100))
			if mean[i] < mean[best] {
				best = i
			}
		}
		const rounds = 20_000
		spent, started := 0.0, make([]int, n)
		for range rounds {
			i := m.choose(5, all(n), false)
			x := mean[i] * (0.9 + 0.2*r.Float64())
			m.learn(5, i, x)
			spent += x
			started[i]++
		}
		for i := range n {
			require.GreaterOrEqual(t, started[i], tries, "seed %d: %v", seed, started)
		}
		ideal := rounds*mean[best] + tries*float64(n)*100*101 // the first tries, whatever they take
		require.Less(t, spent, ideal*(1.1+float64(n)/retry*1.1), "seed %d: %v of %v", seed, started, mean)
	}
}

// TestModelFollows: when the best version becomes slow the model changes over, and comes back.
func TestModelFollows(t *testing.T) {
	m := newModel(2)
	for _, times := range [][]float64{{100, 300}, {900, 300}, {100, 300}} {
		best := 0
		if times[1] < times[0] {
			best = 1
		}
		last := 0
		for i := range 5000 {
			v := m.choose(0, all(2), false)
			m.learn(0, v, times[v])
			if i >= 4800 && v == best {
				last++
			}
		}
		require.Greater(t, last, 190, "%v", times)
	}
}

// TestModelClasses: what is best for small tasks need not be for large ones.
func TestModelClasses(t *testing.T) {
	m := newModel(2)
	chosen := [3][2]int{}
	for range 1000 {
		for class := range 3 {
			v := m.choose(class, all(2), false)
			times := []float64{1000, 10}
			if class == 2 {
				times = []float64{10, 1000}
			}
			m.learn(class, v, times[v])
			chosen[class][v]++
		}
	}
	require.Greater(t, chosen[0][1], 950)
	require.Greater(t, chosen[1][1], 950)
	require.Greater(t, chosen[2][0], 950)
}

// TestModelAvailability: nothing that is not available is ever chosen; one that never succeeds is the last choice.
func TestModelAvailability(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m := newModel(3)
	failing := 0
	for range 5000 {
		a := []bool{r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0}
		i := m.choose(0, a, false)
		if i < 0 {
			require.Equal(t, []bool{false, false, false}, a)
			continue
		}
		require.True(t, a[i])
		if i == 2 {
			if a[0] || a[1] {
				failing++
			}
		} else {
			m.learn(0, i, 50)
		}
	}
	require.Less(t, failing, 5000/retry+tries+10)
	require.Equal(t, 1, newModel(2).choose(0, []bool{false, true}, true))
	require.Equal(t, -1, newModel(2).choose(0, []bool{false, false}, true))
}

func TestEstimate(t *testing.T) {
	var e estimate
	for range 1000 {
		e.add(10)
	}
	require.InDelta(t, 10, e.mean, 1e-9)
	require.InDelta(t, 0, e.variance, 1e-9)
	r := rand.New(rand.NewPCG(1, 2))
	var sum, dev float64
	for range 10_000 {
		e.add(100 + 10*r.NormFloat64())
		sum += e.mean
		dev += e.variance
	}
	require.InDelta(t, 100, sum/10_000, 2)
	require.InDelta(t, 100, dev/10_000, 10)
}
