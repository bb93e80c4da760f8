package mpi_test

import (
	"testing"

	"github.com/gompss/gompss/mpi"
	"github.com/stretchr/testify/assert"
)

func TestDupIsASpaceOfItsOwn(t *testing.T) {
	inModes(t, 3, func(w *mpi.Comm) error {
		d, err := w.Dup()
		if err != nil {
			return err
		}
		assert.Equal(t, w.Rank(), d.Rank())
		assert.Equal(t, mpi.Congruent, mpi.Compare(w, d))
		me, n := w.Rank(), w.Size()
		x, y := []int{0}, []int{0}
		a, err := mpi.Irecv(w, x, mpi.AnySource, mpi.AnyTag)
		b, err2 := mpi.Irecv(d, y, mpi.AnySource, mpi.AnyTag)
		s, err3 := mpi.Isend(d, []int{2}, (me+1)%n, 0)
		r, err4 := mpi.Isend(w, []int{1}, (me+1)%n, 0)
		if err := first(err, err2, err3, err4, mpi.Waitall([]*mpi.Request{a, b, s, r}, nil), mpi.Barrier(w)); err != nil {
			return err
		}
		assert.Equal(t, []int{1, 2}, []int{x[0], y[0]})

		late, err := mpi.Irecv(d, x, (me+1)%n, 5)
		err2 = mpi.Send(d, []int{9}, (me+n-1)%n, 5)
		assert.NoError(t, d.Free())
		assert.ErrorIs(t, d.Free(), mpi.ErrComm)
		assert.ErrorIs(t, mpi.Send(d, x, 0, 0), mpi.ErrComm)
		assert.ErrorIs(t, mpi.Barrier(d), mpi.ErrComm)
		_, err3 = late.Wait() // what was started goes on
		return first(err, err2, err3)
	})
}

func TestSplit(t *testing.T) {
	inSizes(t, func(w *mpi.Comm) error {
		me, n := w.Rank(), w.Size()
		colour, key := me%3, -me // backwards
		if me%3 == 2 {
			colour = mpi.Undefined
		}
		c, err := w.Split(colour, key)
		if err != nil {
			return err
		}
		if me%3 == 2 {
			assert.Nil(t, c)
			return nil
		}
		size := (n - me%3 + 2) / 3
		assert.Equal(t, size, c.Size())
		assert.Equal(t, size-1-me/3, c.Rank())
		all, want := make([]int, size), make([]int, size)
		for i := range want {
			want[size-1-i] = me%3 + 3*i
		}
		if err := mpi.Allgather(c, []int{me}, all); err != nil {
			return err
		}
		assert.Equal(t, want, all)

		x := []int{0} // status and addressing are in ranks of c
		st, err := mpi.Sendrecv(c, []int{me}, (c.Rank()+1)%size, 0, x, mpi.AnySource, 0)
		assert.Equal(t, (c.Rank()+size-1)%size, st.Source)
		assert.Equal(t, want[st.Source], x[0])

		same, err2 := c.Split(0, c.Rank()) // a split of a split
		if err := first(err, err2); err != nil {
			return err
		}
		assert.Equal(t, mpi.Congruent, mpi.Compare(c, same))
		flat, err := c.Split(0, 0) // ties by rank
		if err != nil {
			return err
		}
		assert.Equal(t, c.Rank(), flat.Rank())
		return mpi.Barrier(same)
	})
}

func TestCompare(t *testing.T) {
	inModes(t, 2, func(w *mpi.Comm) error {
		back, err := w.Split(0, -w.Rank())
		self, err2 := w.Split(w.Rank(), 0)
		if err := first(err, err2); err != nil {
			return err
		}
		assert.Equal(t, mpi.Ident, mpi.Compare(w, w))
		assert.Equal(t, mpi.Similar, mpi.Compare(w, back))
		assert.Equal(t, mpi.Unequal, mpi.Compare(w, self))
		_, err = w.Split(-1, 0)
		assert.ErrorIs(t, err, mpi.ErrColour)
		return nil
	})
}
