package trace

// merge yields the events of all rows in the order of time: a binary heap of cursors, the earliest first.
type merge struct {
	heap    []*cursor
	started bool
}

func (seen *sight) merge() *merge {
	m := &merge{}
	for i := range seen.rows {
		c := &cursor{sight: seen, chunk: seen.rows[i].head, left: seen.rows[i].cells}
		c.event.row = int32(i)
		c.skipPadding()
		if c.next() {
			m.heap = append(m.heap, c)
		}
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
	return m
}

// next returns the next event; it is valid until the following call.
func (m *merge) next() (*event, bool) {
	if m.started && len(m.heap) > 0 {
		if !m.heap[0].next() {
			last := len(m.heap) - 1
			m.heap[0] = m.heap[last]
			m.heap = m.heap[:last]
		}
		m.sink(0)
	}
	m.started = true
	if len(m.heap) == 0 {
		return nil, false
	}
	return &m.heap[0].event, true
}

// sink moves the cursor at i down to its place.
func (m *merge) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(m.heap) {
			return
		}
		if right := child + 1; right < len(m.heap) && m.before(right, child) {
			child = right
		}
		if !m.before(child, i) {
			return
		}
		m.heap[i], m.heap[child] = m.heap[child], m.heap[i]
		i = child
	}
}

func (m *merge) before(i, j int) bool {
	a, b := &m.heap[i].event, &m.heap[j].event
	return a.time < b.time || a.time == b.time && a.row < b.row
}
