// Package conformance holds the runtime to the semantics of OmpSs-2, row by row. It has nothing to import: its tests are
// its content, and docs/conformance.md is the table that they write.
//
// A program is a tree of tasks that declare regions of one small matrix, spawn, release and wait. The oracle tells from
// what happened so far which tasks may run, by looking at every cell and every earlier task each time; it knows nothing
// of how package deps works. The stage runs the program on a real runtime, one step of one body at a time, each body
// held at a gate between its steps. After every step
//
//   - every task that entered its body must have been allowed to;
//   - every task that is allowed to run must have entered its body, whatever bodies are held: so two tasks that may run
//     together do meet;
//   - every wait whose condition holds must have returned, and no other.
//
// On the stage with one slot, whose order Config.Pick decides, "nothing else starts" is exact: the runtime has nothing
// ready any more. On the stage with many slots bodies hold their slots at the gates, so tasks that meet run at the same
// time. A third way runs programs freely under the seeds of package taskstest, and checks at entry and exit.
//
// In race builds the gates are hidden from the detector and the bodies touch what they declared, so an order that the
// runtime keeps but does not declare is reported.
package conformance
