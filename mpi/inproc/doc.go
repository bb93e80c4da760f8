// Package inproc carries messages between ranks that are goroutines of one process.
//
// Every rank has one mailbox, and a message is matched in its receiver's. Whoever arrives second — the message or the
// receive — does the match and the single copy from the sender's buffer into the receiver's, so messages progress without
// any polling. A small standard message that arrives first is copied into the mailbox and its sender goes on (eager); all
// others wait with a reference to the sender's buffer (rendezvous).
//
// The files: network.go makes the ranks, mailbox.go is one rank's matching state, table.go and line.go its two queue
// shapes, send.go and recv.go the two arrival protocols, letter.go the kept copies, move.go the meeting of the two,
// abort.go the end.
package inproc
