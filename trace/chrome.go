package trace

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"
)

// How a recording looks as Chrome JSON.
//
//	rank          process; pid = rank
//	stream        thread; tid = its number from 1; a shared stream only if something is drawn on it
//	piece         X slice named by the task's label; args: task, parent; "blocks" with the reason where the task blocked,
//	              "cut" where its end is not known. Pieces of a row never overlap (replay.go), so slices on a thread nest
//	idle time     X slice "idle"
//	Mark          instant event
//	message       X slices from post to completion on "messages" threads of the rank (transfers.go), and an arrow from
//	              the send's beginning to the receive's end
//	dependency    arrow from the end of the predecessor's last piece, or from where it was if it still runs, to the start of
//	              the piece in which the successor starts or goes on
//
// Times are microseconds since New with exactly three decimals. One event per line, in no order of time: a slice is
// written when it is over.
//
// An arrow is a pair of flow events, s and f with bp:"e", bound to the slices that enclose them. Viewers differ in whether
// a slice holds its borders and in what comes first of a slice and an arrow's end at one time. So the tail lies one
// nanosecond before its slice's end, or after its beginning, where the slice is long enough, and the head is written after
// its slice.

// WriteChrome writes what is visible of the whole recording, all ranks, in the JSON format of chrome://tracing and
// Perfetto. It streams: besides the recording it takes about 100 bytes of memory per task, and about 1 µs of time and 300
// bytes of output per task with its arrows. Some hundred MB of output are what the viewers can open.
//
// It is safe while streams are written. A nil Recorder gives an empty trace. The error is that of w.
func (r *Recorder) WriteChrome(w io.Writer) error {
	seen := &sight{}
	if r != nil {
		seen = r.rec.look()
	}
	c := &chrome{
		out: bufio.NewWriterSize(w, 64<<10), seen: seen, ranks: map[int]*chromeRank{},
		named: make([]bool, len(seen.rows)), heads: make([][]tail, len(seen.rows)),
	}
	c.replay = newReplay(seen, c)
	for _, name := range seen.names {
		c.labels = append(c.labels, quote(name))
	}
	c.out.WriteString(`{"displayTimeUnit":"ns","traceEvents":[`)
	for i := range seen.rows {
		c.rank(seen.rows[i].rank)
		if !seen.rows[i].shared {
			c.thread(int32(i))
		}
	}
	c.replay.all()
	c.finish()
	return c.out.Flush()
}

// chrome is the observer that writes.
type chrome struct {
	out     *bufio.Writer
	line    []byte
	lines   int
	seen    *sight
	replay  *replay
	labels  []string // quoted
	ranks   map[int]*chromeRank
	named   []bool   // rows whose thread has its name
	heads   [][]tail // by row: arrows to the piece that runs there now, which is not written yet
	flows   int64
	undrawn int64 // transfers without a lane
}

// tail is where a dependency arrow begins.
type tail struct {
	row int32
	at  int64
}

// chromeRank is where the lanes of a rank are.
type chromeRank struct {
	tid   int    // of lane 0
	named uint64 // lanes whose thread has its name
}

func (c *chrome) ran(p piece) {
	t := &c.replay.tasks[p.task]
	c.slice(c.seen.rows[p.row].rank, c.thread(p.row), p.from, p.to)
	c.name(t.label, "task")
	c.text(`,"cat":"task","args":{"task":`).int(int64(t.id))
	if t.parent != 0 {
		c.text(`,"parent":`).int(int64(c.replay.tasks[t.parent].id))
	}
	switch p.end {
	case TaskBlock:
		c.text(`,"blocks":`).text(c.label(p.reason, "wait"))
	case 0:
		c.text(`,"cut":true`)
	}
	c.text(`}}`).end()
	for _, from := range c.heads[p.row] {
		c.flows++
		c.flow("s", c.seen.rows[from.row].rank, c.thread(from.row), from.at, "dependency")
		c.flow("f", c.seen.rows[p.row].rank, c.thread(p.row), p.from, "dependency")
	}
	c.heads[p.row] = c.heads[p.row][:0]
}

func (c *chrome) idled(row int32, from, to int64) {
	c.slice(c.seen.rows[row].rank, c.thread(row), from, to)
	c.text(`,"name":"idle","cat":"idle"}`).end()
}

func (c *chrome) marked(e *event) {
	c.begin("i", c.seen.rows[e.row].rank, c.thread(e.row), e.time)
	c.name(e.label, "mark")
	c.text(`,"cat":"mark","s":"t","args":{"id":`).int(int64(e.id)).text(`}}`).end()
}

func (c *chrome) depended(pred *task, left int64, row int32) {
	c.heads[row] = append(c.heads[row], tail{pred.row, max(pred.since, left-1)})
}

func (c *chrome) messaged(x *transfer) {
	if x.lane < 0 {
		c.undrawn++
		return
	}
	c.slice(x.rank, c.lane(x), x.from, x.to)
	if x.recv {
		c.name(x.label, "receive")
	} else {
		c.name(x.label, "send")
	}
	c.text(`,"cat":"message","args":{"peer":`).int(int64(x.peer))
	c.text(`,"tag":`).int(int64(x.tag))
	c.text(`,"bytes":`).int(int64(x.bytes))
	if !x.recv || x.matched {
		c.text(`,"message":`).int(int64(x.id))
	}
	c.text(`}}`).end()
}

func (c *chrome) delivered(send, recv *transfer) {
	if send.lane < 0 || recv.lane < 0 {
		return
	}
	begin := min(send.from+1, recv.to)
	if send.over {
		begin = min(begin, send.to)
	}
	c.flows++
	c.flow("s", send.rank, c.lane(send), begin, "message")
	c.flow("f", recv.rank, c.lane(recv), max(recv.from, recv.to-1, begin), "message")
}

// finish writes what concerns the recording as a whole.
func (c *chrome) finish() {
	if lost := c.seen.lost; lost > 0 {
		c.begin("i", 0, 0, c.replay.last)
		c.text(`,"name":"`).int(int64(lost)).text(` events lost","cat":"trace","s":"g"}`).end()
	}
	c.text("\n" + `],"otherData":{"events":`).int(c.replay.events)
	c.text(`,"lost":`).int(int64(c.seen.lost))
	c.text(`,"messagesNotDrawn":`).int(c.undrawn).text("}}\n")
	c.out.Write(c.line)
	c.line = c.line[:0]
}

// rank returns the rank's lanes, after naming the process at first use.
func (c *chrome) rank(rank int) *chromeRank {
	known := c.ranks[rank]
	if known == nil {
		known = &chromeRank{tid: len(c.seen.rows) + 1 + lanes*len(c.ranks)}
		c.ranks[rank] = known
		c.meta("process_name", rank, 0).text(`"name":"rank `).int(int64(rank)).text(`"}}`).end()
		c.meta("process_sort_index", rank, 0).text(`"sort_index":`).int(int64(rank)).text(`}}`).end()
	}
	return known
}

// thread returns the thread of a row, after naming it at first use.
func (c *chrome) thread(row int32) int {
	tid := int(row) + 1
	if !c.named[row] {
		c.named[row] = true
		c.nameThread(c.seen.rows[row].rank, tid, c.seen.rows[row].name)
	}
	return tid
}

// lane returns the thread of a transfer, after naming it at first use.
func (c *chrome) lane(x *transfer) int {
	rank := c.rank(x.rank)
	tid := rank.tid + x.lane
	if rank.named&(1<<x.lane) == 0 {
		rank.named |= 1 << x.lane
		name := "messages"
		if x.lane > 0 {
			name += " " + strconv.Itoa(x.lane+1)
		}
		c.nameThread(x.rank, tid, name)
	}
	return tid
}

func (c *chrome) nameThread(rank, tid int, name string) {
	c.meta("thread_name", rank, tid).text(`"name":`).text(quote(name)).text(`}}`).end()
	c.meta("thread_sort_index", rank, tid).text(`"sort_index":`).int(int64(tid)).text(`}}`).end()
}

func quote(s string) string {
	text, _ := json.Marshal(s) // of a string it cannot fail
	return string(text)
}
