package trace

import "strconv"

// Kind says what happened. The comments tell what an event's id and arg mean and who emits it where.
//
// A row runs at most one task at a time. TaskStart, TaskBlock, TaskResume and TaskEnd are emitted on the row where they
// happen; the other task events may be emitted on any row.
type Kind uint8

// The kinds of events. "With arg" means [Stream.Emit2].
const (
	_ Kind = iota // a zero cell is padding

	TaskCreate // id = task, arg = its parent (0 = none); label = task type
	TaskReady  // id = task: nothing holds it back any more
	TaskStart  // id = task: its body begins on this row; label = task type
	TaskEnd    // id = task: its body is over on this row
	TaskBlock  // id = task: it gives its core away (waits, suspends); label = the reason
	TaskResume // id = task: it goes on, on this row, which may be another one than before
	TaskDone   // id = task: deeply complete, with all its children

	// Edge is a dependency: id = successor, arg = predecessor. It counts from the successor's next TaskStart or
	// TaskResume on, so it is emitted before that: for a task not yet started when it is registered or becomes ready,
	// for a running one (it waits for some of its children) while it is blocked.
	Edge

	IdleBegin // the worker of this row has nothing to do
	IdleEnd   // it found something

	// MsgSend: a message is posted; id = message (see [Recorder.NextMessage]), arg = [PackMessage] with the receiver
	// as peer; label = the operation.
	MsgSend
	MsgSendDone // id = message: the send is complete, cancelled or failed, its buffer free
	// MsgRecv: a receive is posted, not yet matched; id = a number for this receive, unique among the posted ones of
	// its rank (NextMessage will do), arg = PackMessage with the sender as peer; label = the operation.
	MsgRecv
	// MsgRecvDone: a receive is complete; id = the message it matched, 0 if it was cancelled or failed; arg = the id given
	// to MsgRecv. Without arg, the receive that was posted under the message's own number.
	MsgRecvDone

	Mark // the user's own mark: label = its name, id = anything

	kinds // how many
)

var kindNames = [kinds]string{
	TaskCreate: "TaskCreate", TaskReady: "TaskReady", TaskStart: "TaskStart", TaskEnd: "TaskEnd", TaskBlock: "TaskBlock",
	TaskResume: "TaskResume", TaskDone: "TaskDone", Edge: "Edge", IdleBegin: "IdleBegin", IdleEnd: "IdleEnd",
	MsgSend: "MsgSend", MsgSendDone: "MsgSendDone", MsgRecv: "MsgRecv", MsgRecvDone: "MsgRecvDone", Mark: "Mark",
}

// String returns the constant's name, or "Kind(n)".
func (k Kind) String() string {
	if k > 0 && k < kinds {
		return kindNames[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}
