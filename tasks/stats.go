package tasks

import "github.com/gompss/gompss/internal/race"

// Stats is what a runtime has done since New. The counts are of tasks unless they say otherwise.
type Stats struct {
	Spawned   uint64     // by Spawn
	Executed  uint64     // bodies run, those of Run and Go included
	Skipped   uint64     // not run, because of a cancelled run or a failed predecessor
	Stolen    uint64     // taken from another slot's queue
	Blocked   uint64     // times that a body gave its slot away to wait
	Throttled uint64     // times that a creator was held back
	Workers   int        // slots wanted; see SetWorkers
	Idle      int        // slots without work now
	Graphs    GraphStats // of recorded loops
}

type slotStats struct {
	spawned, executed, skipped, stolen, blocked, throttled uint64
}

// Stats returns a snapshot. It may be called at any time by any goroutine; while tasks run the counts may lag behind
// each other by a few.
//
//go:norace
func (rt *Runtime) Stats() Stats {
	race.Disable()
	defer race.Enable()
	slots := rt.allSlots()
	st := Stats{Workers: int(rt.target.Load()), Idle: int(rt.idle.n.Load()), Graphs: rt.graphs.stats()}
	for i := 0; i <= len(slots); i++ {
		c := &rt.ext.slot.stats
		if i < len(slots) {
			c = &slots[i].stats
		}
		st.Spawned += c.spawned
		st.Executed += c.executed
		st.Skipped += c.skipped
		st.Stolen += c.stolen
		st.Blocked += c.blocked
		st.Throttled += c.throttled
	}
	return st
}
