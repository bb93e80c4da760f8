package reduce

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNeutralElements(t *testing.T) {
	require.Equal(t, int8(math.MaxInt8), neutral(lowest[int8]{}))
	require.Equal(t, int8(math.MinInt8), neutral(highest[int8]{}))
	require.Equal(t, count(math.MaxInt8), neutral(lowest[count]{}))
	require.Equal(t, int16(math.MaxInt16), neutral(lowest[int16]{}))
	require.Equal(t, int16(math.MinInt16), neutral(highest[int16]{}))
	require.Equal(t, int32(math.MaxInt32), neutral(lowest[int32]{}))
	require.Equal(t, int32(math.MinInt32), neutral(highest[int32]{}))
	require.Equal(t, int64(math.MaxInt64), neutral(lowest[int64]{}))
	require.Equal(t, int64(math.MinInt64), neutral(highest[int64]{}))
	require.Equal(t, math.MaxInt, neutral(lowest[int]{}))
	require.Equal(t, math.MinInt, neutral(highest[int]{}))
	require.Equal(t, uint8(math.MaxUint8), neutral(lowest[uint8]{}))
	require.Equal(t, flags(math.MaxUint16), neutral(lowest[flags]{}))
	require.Equal(t, uint32(math.MaxUint32), neutral(lowest[uint32]{}))
	require.Equal(t, uint64(math.MaxUint64), neutral(lowest[uint64]{}))
	require.Equal(t, ^uintptr(0), neutral(lowest[uintptr]{}))
	require.Equal(t, uint64(0), neutral(highest[uint64]{}))
	require.Equal(t, math.Inf(1), neutral(lowest[float64]{}))
	require.Equal(t, math.Inf(-1), neutral(highest[float64]{}))
	require.Equal(t, float32(math.Inf(1)), neutral(lowest[float32]{}))
	require.Equal(t, celsius(math.Inf(-1)), neutral(highest[celsius]{}))
	require.Equal(t, flags(0xffff), neutral(and[flags]{}))
	require.Equal(t, int64(-1), neutral(and[int64]{}))
	require.Equal(t, yes(true), neutral(logicalAnd[yes]{}))
	require.Equal(t, complex64(1), neutral(logicalNxor[complex64]{}))
	require.Equal(t, complex128(1), neutral(prod[complex128]{}))
}

// folded combines one contribution after the other into item, by fold or by foldTwo.
func folded[T any](op operator[T], item T, contributions ...T) T {
	v := []T{item}
	if len(contributions) == 2 {
		op.foldTwo(v, contributions[:1], contributions[1:])
		return v[0]
	}
	for _, c := range contributions {
		op.fold(v, []T{c})
	}
	return v[0]
}

func TestMinAndMaxOfFloats(t *testing.T) {
	nan, inf, minus := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	for _, contributions := range [][]float64{{nan}, {nan, 1}, {1, nan}, {1, nan, inf}} {
		require.True(t, math.IsNaN(folded(lowest[float64]{}, 3, contributions...)), contributions)
		require.True(t, math.IsNaN(folded(highest[float64]{}, 3, contributions...)), contributions)
	}
	require.True(t, math.IsNaN(folded(lowest[float64]{}, nan, -inf)))
	require.True(t, math.IsNaN(folded(highest[float64]{}, nan, inf, 1)))
	for _, contributions := range [][]float64{{minus}, {minus, 0}, {0, minus}, {0, minus, 0}} {
		require.True(t, math.Signbit(folded(lowest[float64]{}, 0, contributions...)), contributions)
		require.False(t, math.Signbit(folded(highest[float64]{}, minus, append(contributions, 0)...)), contributions)
	}
	require.True(t, math.Signbit(folded(highest[float64]{}, minus, minus, minus)))
	require.Equal(t, 3.0, folded(lowest[float64]{}, 3, inf, inf))
	require.Equal(t, 3.0, folded(highest[float64]{}, 3, -inf))
}

func TestIntegersWrapRound(t *testing.T) {
	require.Equal(t, int8(-128), folded(sum[int8]{}, 127, 1))
	require.Equal(t, uint8(1), folded(sum[uint8]{}, 255, 1, 1))
	require.Equal(t, int32(0), folded(prod[int32]{}, 1<<16, 1<<16))
}

func TestLogicalsOfNumbersAreAsInC(t *testing.T) {
	require.Equal(t, 1, folded(logicalAnd[int]{}, 5, -3))
	require.Equal(t, 0, folded(logicalAnd[int]{}, 5, 2, 0))
	require.Equal(t, 1, folded(logicalOr[int]{}, 0, 0, 8))
	require.Equal(t, 0, folded(logicalXor[int]{}, 5, 7))
	require.Equal(t, 1, folded(logicalNxor[int]{}, 5, 7))
	require.Equal(t, 1.0, folded(logicalOr[float64]{}, 0, math.NaN()))
	require.Equal(t, 0.0, folded(logicalOr[float64]{}, math.Copysign(0, -1), 0))
	require.Equal(t, complex64(1), folded(logicalAnd[complex64]{}, 2i, 3))
}
