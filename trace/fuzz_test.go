package trace

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// Any sequence of events, as a damaged or incomplete recording may hold, is analysed without panic, and what must hold
// for every recording holds: S <= T, S <= W, W <= rows times T, and a Chrome trace that is well formed.
//
// Six bytes make an event: time step, row, kind, label, id, arg.
func FuzzAnalysis(f *testing.F) {
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		text := make([]byte, 6*200)
		for i := range text {
			text[i] = byte(rnd.IntN(1 + []int{9, 3, int(kinds), 4, 5, 5}[i%6]))
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := New(Config{})
		r.rec.clock = clock{}
		rows := []*Stream{r.Stream("a"), r.Stream("b"), r.Rank(1).Stream("c"), r.Rank(2).Stream("d")}
		now := uint64(0)
		for ; len(text) >= 6; text = text[6:] {
			now += uint64(text[0])
			s := rows[text[1]%4]
			k, l, id, arg := Kind(text[2]), Label(text[3]), uint64(text[4]), uint64(text[5])
			if id == 255 {
				id = idMask
			}
			cells := uint(2)
			if arg&1 == 0 {
				cells = 1
				s.Emit(k, l, id)
			} else {
				s.Emit2(k, l, id, arg/2)
			}
			s.cells[s.n-cells].time = now
			s.Publish()
		}
		s := r.Summary()
		if s.Span > s.Wall || s.Span > s.Work {
			t.Errorf("span %d, wall %d, work %d", s.Span, s.Wall, s.Work)
		}
		if s.Work > 4*s.Wall {
			t.Errorf("work %d in wall %d on 4 rows", s.Work, s.Wall)
		}
		total := int64(0)
		for _, l := range s.Labels {
			total += int64(l.Total)
		}
		if total != int64(s.Work) {
			t.Errorf("labels sum to %d, work is %d", total, s.Work)
		}
		_ = s.String()
		var out bytes.Buffer
		if err := r.WriteChrome(&out); err != nil {
			t.Fatal(err)
		}
		checkChrome(t, out.Bytes(), false)
	})
}
