package trace

// Replay turns events into what an observer of the rows would have seen: which task ran where from when to when.
//
// A piece is a time in which one row runs one task; a row runs at most one piece at a time, so pieces never overlap on a
// row. A task has one piece per stretch of running:
//
//	TaskStart, TaskResume   begin a piece of the task on the row
//	TaskBlock, TaskEnd      end it
//
// Tasks may nest on a row: a waiting task runs a child on top of its stack. In full that is TaskBlock(parent),
// TaskStart(child), TaskEnd(child), TaskResume(parent), which makes three pieces side by side. If the middle of a piece
// sees another task's TaskStart without the TaskBlock, the piece ends there all the same, and goes on where the upper task
// ends, on whatever row that is; so time is never counted twice.
//
// IdleBegin and IdleEnd enclose idle time, which ends early when a task begins; IdleBegin ends a piece.
//
// Incomplete recordings. Rows are published at different times and events may have been dropped at the end of a row. A
// row's last visible event closes what is open on it: what is shown is what is known to have happened. Only idleness goes
// on to the end of the recording: it ends with an event. Events that contradict the state, such as the end of a task that
// does not run on the row, are skipped.

// piece is a stretch of running.
type piece struct {
	row      int32
	task     int32 // index in the table
	from, to int64
	end      Kind  // TaskEnd, TaskBlock, or 0: cut by the recording's end or by another event
	reason   Label // of the block; 0 when another task started on top
}

// observer is told what replay finds, each item when it is complete, so not in the order of beginnings. The table is
// valid during the calls and afterwards.
type observer interface {
	ran(p piece)
	idled(row int32, from, to int64)
	// depended reports a dependency on the task that begins its piece on row now, before that piece is reported: pred's
	// last piece ended at left, or was running then.
	depended(pred *task, left int64, row int32)
	marked(e *event)
	messaged(x *transfer)           // a send or receive is over
	delivered(send, recv *transfer) // a message has arrived
}

// rowState is what a row does now.
type rowState struct {
	task int32 // 0 = none
	idle bool
	from int64 // since when, of either
}

type replay struct {
	seen *sight
	to   observer
	table
	rows      []rowState
	edges     []edge // lists of predecessors, by task.preds; free ones by freeEdge
	freeEdge  int32
	transfers transfers

	events      int64
	first, last int64 // times of the first and last event
}

// edge is an element of a task's list of predecessors. Element 0 is the end of every list.
type edge struct{ pred, next int32 }

func newReplay(seen *sight, to observer) *replay {
	return &replay{
		seen: seen, to: to, table: newTable(),
		rows: make([]rowState, len(seen.rows)), edges: make([]edge, 1), transfers: newTransfers(),
	}
}

// all replays the whole recording.
func (r *replay) all() {
	m := r.seen.merge()
	for e, ok := m.next(); ok; e, ok = m.next() {
		if r.events == 0 {
			r.first = e.time
		}
		r.events++
		r.last = e.time
		r.step(e)
		if e.last && !r.rows[e.row].idle {
			r.settle(e.row, e.time, 0, 0)
		}
	}
	for i := range r.rows {
		r.settle(int32(i), r.last, 0, 0) // an idle worker says nothing until it finds work
	}
	r.transfers.cut(r.last, r.to)
}

func (r *replay) step(e *event) {
	switch e.kind {
	case TaskCreate:
		r.create(e)
	case TaskStart:
		i := r.index(e.id)
		if t := &r.tasks[i]; e.label != 0 {
			t.label = e.label
		}
		r.enter(i, e)
	case TaskResume:
		i := r.index(e.id)
		if t := &r.tasks[i]; t.children == 0 {
			t.follow(t.joined, e.time)
		}
		r.enter(i, e)
	case TaskBlock:
		if r.runs(e) {
			r.settle(e.row, e.time, TaskBlock, e.label)
		}
	case TaskEnd:
		if r.runs(e) {
			r.settle(e.row, e.time, TaskEnd, 0)
			r.leave(e)
		}
	case TaskDone:
		t := &r.tasks[r.index(e.id)]
		if t.created && !t.done && t.parent != 0 {
			t.complete(&r.tasks[t.parent], e.time)
		}
		t.done = true
	case Edge:
		r.edge(r.index(e.id), r.index(e.arg))
	case IdleBegin:
		r.settle(e.row, e.time, 0, 0)
		r.rows[e.row].idle, r.rows[e.row].from = true, e.time
	case IdleEnd:
		if r.rows[e.row].idle {
			r.settle(e.row, e.time, 0, 0)
		}
	case Mark:
		r.to.marked(e)
	case MsgSend, MsgSendDone, MsgRecv, MsgRecvDone:
		r.transfers.step(e, r.seen.rows[e.row].rank, r.to)
	}
}

// create links a task to its parent. A second TaskCreate is skipped.
func (r *replay) create(e *event) {
	i, p := r.index(e.id), r.index(e.arg)
	t, parent := &r.tasks[i], &r.tasks[p]
	if t.created || i == 0 {
		return
	}
	t.created = true
	if e.label != 0 {
		t.label = e.label
	}
	if p != 0 && p != i && !t.done {
		t.parent = p
		parent.children++
		t.follow(parent.depthAt(e.time), e.time)
	}
}

// runs tells whether the event's task is the one that runs on the event's row.
func (r *replay) runs(e *event) bool {
	i := r.rows[e.row].task
	return i != 0 && r.tasks[i].id == e.id
}

// enter begins a piece of task i. A task that runs on the row is paused under it.
func (r *replay) enter(i int32, e *event) {
	row, t := &r.rows[e.row], &r.tasks[i]
	if i == 0 || row.task == i {
		return
	}
	if lower := row.task; lower != 0 {
		r.settle(e.row, e.time, TaskBlock, 0)
		if t.below == 0 {
			t.below = lower
			t.follow(r.tasks[lower].depthAt(e.time), e.time)
		}
	}
	r.join(t, e)
	r.begin(i, e)
}

// leave continues the task that the ended one had paused.
func (r *replay) leave(e *event) {
	i := r.index(e.id)
	t := &r.tasks[i]
	t.ended = true
	if lower := t.below; lower != 0 {
		t.below = 0
		r.tasks[lower].follow(t.depthAt(e.time), e.time)
		r.begin(lower, e)
	}
}

func (r *replay) begin(i int32, e *event) {
	r.settle(e.row, e.time, 0, 0)
	row, t := &r.rows[e.row], &r.tasks[i]
	row.task, row.from = i, e.time
	t.row = e.row
	t.started = true
	t.run(e.time)
}

// settle ends what the row does.
func (r *replay) settle(i int32, now int64, end Kind, reason Label) {
	row := &r.rows[i]
	switch {
	case row.task != 0:
		t := &r.tasks[row.task]
		t.stop(now, now-row.from)
		t.row = i
		r.to.ran(piece{row: i, task: row.task, from: row.from, to: now, end: end, reason: reason})
		row.task = 0
	case row.idle:
		row.idle = false
		r.to.idled(i, row.from, now)
	}
}

// edge notes that succ waits for pred.
func (r *replay) edge(succ, pred int32) {
	if succ == 0 || pred == 0 || succ == pred {
		return
	}
	i := r.freeEdge
	if i != 0 {
		r.freeEdge = r.edges[i].next
	} else {
		i = int32(len(r.edges))
		r.edges = append(r.edges, edge{})
	}
	r.edges[i] = edge{pred: pred, next: r.tasks[succ].preds}
	r.tasks[succ].preds = i
}

// join lets the dependencies of t take effect, at the beginning of a piece on the event's row.
func (r *replay) join(t *task, e *event) {
	for i := t.preds; i != 0; {
		pred, next := &r.tasks[r.edges[i].pred], r.edges[i].next
		if pred.started {
			t.follow(pred.depthAt(e.time), e.time)
			left := pred.until
			if pred.open > 0 {
				left = e.time
			}
			r.to.depended(pred, left, e.row)
		}
		r.edges[i].next, r.freeEdge = r.freeEdge, i
		i = next
	}
	t.preds = 0
}
