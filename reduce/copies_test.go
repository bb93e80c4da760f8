package reduce

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/stretchr/testify/require"
)

func TestScopeWithoutCopiesHasNothingToCombine(t *testing.T) {
	x := []int{5}
	require.Zero(t, openOn(free[int](sum[int]{}), x).Parts())
	require.Zero(t, openOn(ordered[int](sum[int]{}), x).Parts())
	require.Zero(t, openOn(free[struct{}](NewOp("none", func(_, _ *struct{}) {}, nil).declared), make([]struct{}, 3)).Parts())
}

func TestUntouchedCopiesChangeNothing(t *testing.T) {
	x := []float64{5, -1}
	for _, r := range []deps.Reduction{
		free[float64](sum[float64]{}), free[float64](prod[float64]{}),
		free[float64](lowest[float64]{}), free[float64](highest[float64]{}),
	} {
		c := openOn(r, x)
		give(c, take[float64](c, nil, 2))
		give(c, take[float64](c, nil, 2))
		combine(c)
		require.Equal(t, []float64{5, -1}, x, r)
	}
}

func TestItemIsNotTouchedBeforeCombine(t *testing.T) {
	x := []int{5}
	c := openOn(free[int](sum[int]{}), x)
	private := take[int](c, nil, 1)
	private[0]++
	give(c, private)
	require.Equal(t, 1, c.Parts())
	require.Equal(t, 5, x[0])
	c.Combine(0)
	require.Equal(t, 6, x[0])
}

// TestPiecesCoverTheItemOnce combines arrays of many lengths, at every offset from a cache line.
func TestPiecesCoverTheItemOnce(t *testing.T) {
	pieces[int8](t, 1)
	pieces[int64](t, 1)
	pieces[complex128](t, 1)
	pieces3(t)
}

func pieces[T Number](t *testing.T, one T) {
	size := int(unsafe.Sizeof(one))
	backing := make([]T, 8*pieceBytes/size+64)
	piece := pieceBytes / size
	for _, n := range []int{1, 2, apart / size, piece - 1, piece, 2*piece + 1, 5*piece + 3} {
		for offset := range 3 {
			s := backing[5*offset:][:n:n]
			clear(backing)
			c := openOn(free[T](sum[T]{}), s)
			private := take[T](c, nil, n)
			for i := range private {
				private[i]++
			}
			give(c, private)
			combine(c)
			for i := range backing {
				if in := i >= 5*offset && i < 5*offset+n; (backing[i] == one) != in || !in && backing[i] != 0 {
					require.Fail(t, "covered wrongly", "%d elements of %T at %d: element %d is %v", n, one, 5*offset, i-5*offset, backing[i])
				}
			}
			most := max(1, min(n*size/pieceBytes+1, piecesPerCore*runtime.GOMAXPROCS(0)))
			require.LessOrEqual(t, c.Parts(), most, n)
		}
	}
}

// pieces3 has elements of a size that divides no cache line.
func pieces3(t *testing.T) {
	type vector [3]float64
	op := NewOp("add", func(into, from *vector) {
		for i := range into {
			into[i] += from[i]
		}
	}, nil)
	s := make([]vector, 20_001)
	c := openOn(free[vector](op.declared), s)
	private := take[vector](c, nil, len(s))
	for i := range private {
		private[i] = vector{1, 2, float64(i)}
	}
	give(c, private)
	if runtime.GOMAXPROCS(0) > 1 {
		require.Greater(t, c.Parts(), 1)
	}
	combine(c)
	for i, v := range s {
		require.Equal(t, vector{1, 2, float64(i)}, v)
	}
}

// TestCopiesKeepApart sees to it that no two copies touch one pair of cache lines.
func TestCopiesKeepApart(t *testing.T) {
	keepApart[int8](t)
	keepApart[float64](t)
	keepApart[[3]int32](t)
	keepApart[[200]byte](t)
	keepApart[struct {
		next *int
		m    map[int]int
	}](t)
	keepApart[[100]*int](t)
	keepApart[[9000]byte](t)
}

func keepApart[T any](t *testing.T) {
	op := NewOp("any", func(_, _ *T) {}, nil)
	var e T
	for _, n := range []int{1, 2, 3, 17, 300} {
		if n*int(unsafe.Sizeof(e)) > 2*wholePages {
			break
		}
		owner := map[uintptr]int{}
		c := openOn(free[T](op.declared), make([]T, n))
		for i := range 40 {
			private := take[T](c, nil, n)
			first := uintptr(unsafe.Pointer(&private[0]))
			require.Zero(t, first%unsafe.Alignof(private[0]))
			for line := first / apart; line <= (first+uintptr(n)*unsafe.Sizeof(private[0])-1)/apart; line++ {
				other, shared := owner[line]
				require.False(t, shared, "%d elements of %T: copies %d and %d", n, private[0], other, i)
				owner[line] = i
			}
			runtime.KeepAlive(private)
		}
	}
}

// FuzzCopies holds a scope to its word under any sequence of Take, update and Give: a byte each.
func FuzzCopies(f *testing.F) {
	f.Add([]byte{0, 1, 9, 33, 0, 2, 200, 77, 0, 0, 0, 4}, uint16(3), false)
	f.Add([]byte{0, 0, 0, 5, 6, 7, 1, 1, 1, 0, 9}, uint16(9000), true)
	f.Fuzz(func(t *testing.T, script []byte, length uint16, inOrder bool) {
		n := int(length)%10_000 + 1
		item, want := make([]int32, n), make([]int32, n)
		for i := range item {
			item[i] = int32(i)
			want[i] = int32(i)
		}
		r := free[int32](sum[int32]{})
		if inOrder {
			r = ordered[int32](sum[int32]{})
		}
		c := openOn(r, item)
		var held [][]int32
		taken := 0
		for i, b := range script {
			switch {
			case b%3 == 0 || len(held) == 0:
				taken++
				private := take[int32](c, deps.NewPlace(nil, i), n)
				for _, h := range held {
					require.NotSame(t, &h[0], &private[0])
				}
				held = append(held, private)
			case b%3 == 1:
				k := int(b) / 3 % len(held)
				give(c, held[k])
				held = append(held[:k], held[k+1:]...)
			default:
				at := (int(b)*257 + i) % n
				held[int(b)/3%len(held)][at] += int32(b)
				want[at] += int32(b)
			}
		}
		for _, h := range held {
			give(c, h)
		}
		require.Equal(t, taken == 0, c.Parts() == 0)
		combine(c)
		require.Equal(t, want, item)
	})
}

func TestFloatSumsAreWithinRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	const n, tasks = 3000, 50
	item, want, size := make([]float64, n), make([]float64, n), make([]float64, n)
	parts := make([][]float64, tasks)
	for k := range parts {
		parts[k] = make([]float64, n)
		for i := range parts[k] {
			x := r.NormFloat64()
			parts[k][i] = x
			want[i] += x
			size[i] += max(x, -x)
		}
	}
	c := openOn(free[float64](sum[float64]{}), item)
	contribute(c, n, tasks, nil, func(k int, private []float64) {
		for i, x := range parts[k] {
			private[i] += x
		}
	})
	combine(c)
	for i := range item {
		require.InDelta(t, want[i], item[i], size[i]*tasks*0x1p-52, fmt.Sprint(i))
	}
}
