package conformance

// Policies. All of them create as much as they can before anything ends, but for wild and deep: what is held back is
// held back while everything behind it is there.

// oldestFirst lets the oldest body end first.
func oldestFirst(_ *play, at []*task) *task { return creating(at, false) }

// youngestFirst lets the youngest body end first: what may overtake does.
func youngestFirst(_ *play, at []*task) *task { return creating(at, true) }

// creating prefers bodies that create, of those the outermost.
func creating(at []*task, young bool) *task {
	var best *task
	for _, x := range at {
		if x.next < len(x.ops) && x.ops[x.next].do == doSpawn && (best == nil || x.depth() < best.depth()) {
			best = x
		}
	}
	switch {
	case best != nil:
		return best
	case young:
		return at[len(at)-1]
	}
	return at[0]
}

// outermostFirst lets parents end before their children, and the youngest of those first.
func outermostFirst(_ *play, at []*task) *task {
	best := creating(at, true)
	if best.next < len(best.ops) && best.ops[best.next].do == doSpawn {
		return best
	}
	for _, x := range at {
		if x.depth() < best.depth() {
			best = x
		}
	}
	return best
}

// deep lets the outermost task create everything and then always runs the youngest: the children of a task end before it
// creates the next.
func deep(p *play, at []*task) *task {
	if r := at[0]; r == p.root && r.next < len(r.ops) && r.ops[r.next].do == doSpawn {
		return r
	}
	return at[len(at)-1]
}

// wild goes on anywhere.
func wild(p *play, at []*task) *task { return at[p.rand.IntN(len(at))] }

var policies = []policy{oldestFirst, youngestFirst, outermostFirst, deep, wild}

func (t *task) depth() (n int) {
	for p := t.parent; p != nil; p = p.parent {
		n++
	}
	return n
}
