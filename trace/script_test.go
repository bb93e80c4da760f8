package trace

import "testing"

// script builds recordings with given times, in nanoseconds.
type script struct {
	*Recorder
	rows map[string]*Stream
}

func newScript() *script {
	r := New(Config{})
	r.rec.clock = clock{} // ticks are nanoseconds from 0
	return &script{Recorder: r, rows: map[string]*Stream{}}
}

// on returns rank 0's row of that name.
func (s *script) on(name string) *scriptRow { return s.onRank(0, name) }

func (s *script) onRank(rank int, name string) *scriptRow {
	key := string(rune('0'+rank)) + name
	if s.rows[key] == nil {
		s.rows[key] = s.Rank(rank).Stream(name)
	}
	return &scriptRow{s, s.rows[key]}
}

type scriptRow struct {
	script *script
	stream *Stream
}

// at records one event and publishes it. With an arg it takes two cells.
func (r *scriptRow) at(time uint64, k Kind, label string, id uint64, arg ...uint64) *scriptRow {
	s, l := r.stream, r.script.Label(label)
	last := uint(1)
	if len(arg) == 0 {
		s.Emit(k, l, id)
	} else {
		s.Emit2(k, l, id, arg[0])
		last = 2
	}
	s.cells[s.n-last].time = time
	s.Publish()
	return r
}

// runs records a task that runs in one piece.
func (r *scriptRow) runs(from, to, id uint64, label string) *scriptRow {
	return r.at(from, TaskStart, label, id).at(to, TaskEnd, "", id)
}

// small is a recording with one of everything: two ranks, a parent that waits with a child on its stack, a task that
// blocks and goes on elsewhere, dependencies, a message, idle time, a mark.
func small(t testing.TB) *script {
	t.Helper()
	s := newScript()
	w0, w1, w2 := s.on("worker 0"), s.on("worker 1"), s.onRank(1, "worker 0")

	w0.at(0, TaskStart, "main", 1)
	w0.at(1000, TaskCreate, "produce", 2, 1).at(1000, TaskReady, "", 2)
	w0.at(2000, TaskCreate, "send", 3, 1).at(2000, Edge, "", 3, 2)
	w0.at(3000, TaskCreate, "check", 4, 1).at(3000, Edge, "", 4, 2)
	w0.at(4000, TaskBlock, "taskwait", 1)

	w1.at(0, IdleBegin, "", 0).at(1500, IdleEnd, "", 0)
	w1.runs(1500, 5500, 2, "produce").at(5510, TaskDone, "", 2)
	w1.at(6000, TaskStart, "send", 3)
	w1.at(7000, TaskBlock, "message", 3)

	w0.at(5520, TaskStart, "check", 4) // on the stack of main
	w0.at(6100, Mark, `half "way"`, 7)
	w0.at(9000, TaskEnd, "", 4).at(9010, TaskDone, "", 4)
	w0.at(9100, TaskResume, "", 3).at(9600, TaskEnd, "", 3).at(9610, TaskDone, "", 3)
	w0.at(9700, TaskResume, "", 1).at(10000, TaskEnd, "", 1).at(10010, TaskDone, "", 1)

	w2.at(0, TaskStart, "", 5)

	m0, m1 := s.onRank(0, "messages"), s.onRank(1, "messages")
	m1.at(500, MsgRecv, "Irecv", 90, PackMessage(0, 5, 800))
	m0.at(6900, MsgSend, "Isend", 11, PackMessage(1, 5, 800))
	m1.at(7500, MsgRecv, "", 91, PackMessage(-1, -1, 16)) // never completes
	m1.at(8000, MsgRecvDone, "", 11, 90)
	m0.at(8500, MsgSendDone, "", 11)
	w2.at(8200, TaskEnd, "", 5)
	return s
}
