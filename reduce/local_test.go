package reduce

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// holder is a task with a private copy of an array.
type holder struct{ item, private []int }

func (h holder) PrivateCopy(item unsafe.Pointer, bytes uintptr) unsafe.Pointer {
	at := uintptr(item) - uintptr(unsafe.Pointer(&h.item[0]))
	if at+bytes > uintptr(len(h.item))*unsafe.Sizeof(h.item[0]) {
		panic("deps: not reduced")
	}
	return unsafe.Add(unsafe.Pointer(&h.private[0]), at)
}

func TestLocalOfAnArray(t *testing.T) {
	h := holder{make([]int, 8), make([]int, 8)}
	*Local(h, &h.item[3]) += 5
	private := LocalSlice(h, h.item[2:6])
	require.Len(t, private, 4)
	require.Equal(t, 4, cap(private))
	private[3] = 7
	require.Equal(t, []int{0, 0, 0, 5, 0, 7, 0, 0}, h.private)
	require.Equal(t, make([]int, 8), h.item)
	require.Empty(t, LocalSlice(nil, h.item[:0]))
	require.PanicsWithValue(t, "deps: not reduced", func() { LocalSlice(h, make([]int, 9)) })
}
