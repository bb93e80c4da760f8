package gravity

import "math"

// sum adds float64 values with Neumaier's compensation: the error of the total is about two roundings, however many
// values there are, as long as they do not cancel almost completely.
type sum struct{ total, lost float64 }

func (s *sum) add(v float64) {
	t := s.total + v
	if math.Abs(s.total) >= math.Abs(v) {
		s.lost += (s.total - t) + v
	} else {
		s.lost += (v - t) + s.total
	}
	s.total = t
}

func (s *sum) value() float64 { return s.total + s.lost }
