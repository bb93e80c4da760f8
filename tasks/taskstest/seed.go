package taskstest

import (
	"flag"
	"math/rand/v2"
	"testing"
)

const seedFlag = "taskstest.seed"

// The flag is there only where go test parses flags, and once: a binary may hold two copies of this package.
func init() {
	if testing.Testing() && flag.Lookup(seedFlag) == nil {
		flag.Uint64(seedFlag, 0, "run taskstest.Run, Schedules and Check with this seed only")
	}
}

// givenSeed returns the seed on the command line, 0 if there is none.
func givenSeed() uint64 {
	f := flag.Lookup(seedFlag)
	if f == nil {
		return 0
	}
	seed, _ := f.Value.(flag.Getter).Get().(uint64)
	return seed
}

// freshSeed returns the seed on the command line, or one that was not used before.
func freshSeed() uint64 {
	if seed := givenSeed(); seed != 0 {
		return seed
	}
	return rand.Uint64() | 1
}

// sequence is the numbers that follow from a seed (splitmix64). Its methods are hidden from the race detector: the
// scheduler calls them from one goroutine after the other, in an order that no task declared.
type sequence struct{ state uint64 }

//go:norace
func (s *sequence) next() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

//go:norace
func (s *sequence) below(n int) int { return int(s.next() % uint64(n)) }
