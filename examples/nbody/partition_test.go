package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPartitionCoversEverythingOnce(t *testing.T) {
	for particles := range 40 {
		for block := 1; block <= 9; block++ {
			for ranks := 1; ranks <= 7; ranks++ {
				p := partition{particles: particles, block: block, ranks: ranks}
				nextParticle, nextBlock, largest, smallest := 0, 0, 0, particles
				for r := range ranks {
					lo, hi := p.blocksOf(r)
					assert.Equal(t, nextBlock, lo)
					assert.Equal(t, hi-lo, p.count(r))
					largest, smallest = max(largest, hi-lo), min(smallest, hi-lo)
					for b := lo; b < hi; b++ {
						first, end := p.particlesOf(b)
						assert.Equal(t, nextParticle, first)
						assert.Greater(t, end, first)
						assert.LessOrEqual(t, end-first, block)
						nextParticle = end
					}
					nextBlock = hi
				}
				assert.Equal(t, particles, nextParticle)
				assert.Equal(t, p.blocks(), nextBlock)
				assert.Equal(t, largest, p.largest(), "%+v", p)
				assert.LessOrEqual(t, largest-smallest, 1)
			}
		}
	}
}

func TestRingBringsEveryRankOnce(t *testing.T) {
	p := partition{particles: 100, block: 10, ranks: 5}
	for r := range p.ranks {
		seen := map[int]bool{}
		for shift := range p.ranks {
			seen[p.source(r, shift)] = true
			if shift > 0 { // what r holds now, the rank before it held one shift earlier
				assert.Equal(t, p.source(p.previous(r), shift-1), p.source(r, shift))
			}
		}
		assert.Len(t, seen, p.ranks)
		assert.Equal(t, r, p.source(r, 0))
		assert.Equal(t, r, p.next(p.previous(r)))
	}
}
