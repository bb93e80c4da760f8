// Package gompss is the landing page of GOmpSs, OmpSs-2 for Go. It holds no code.
//
// A program spawns tasks that say what they read and write. The runtime finds the order, keeps the cores busy, overlaps
// messages, transfers and checkpoints with computation, and shows what happened.
//
// Where to start:
//
//   - package tasks: the runtime, Spawn, Wait, errors and suspension
//   - package deps: what a task touches (In, Out, InOut, …), and when one task must wait for another
//   - package reduce: results to which many tasks contribute
//   - package worksharing: loops as tasks
//   - package mpi, with package tampi: messages between ranks, and tasks that wait for them without holding a core
//   - package trace: recording a run and reading it
//
// Packages accel, chk and coarray are planned; each says in its comment what it will do. Package tasks/config reads the
// runtime's configuration from a file and the environment, tasks/taskstest is for the tests of programs that use tasks.
// Runnable programs are in examples.
package gompss
