// Package taskstest runs task programs under test: in program order, or one body at a time in an order that a seed
// decides and that therefore can be had again.
//
// The real scheduler shows few of the orders that a program's accesses allow, and seldom the same one twice. Four
// verbs help:
//
//	Serial     every body at its spawn: serial elision, what the program means
//	Run        one body at a time, the next one chosen by a seed
//	Schedules  a program under many seeds, each compared with serial elision
//	Check      the same, and what bodies touch is compared with what their tasks declare
//
// A program whose accesses are right gives the same result under all of them. One that forgot an access gives another
// result under some seed; the seed is printed, and with
//
//	go test -run TestThis -taskstest.seed=0x2545f4914f6cdd1d
//
// [Run], [Schedules] and [Check] use it alone. The order of bodies is the same each time, unless goroutines outside the runtime
// resume tasks or end their events: when they do so is not the seed's to decide. Add -race to see which accesses
// nothing ordered.
//
// Importing the package in a test adds the flag -taskstest.seed; elsewhere it adds nothing.
package taskstest
