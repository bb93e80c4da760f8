// Package accel will run tasks on devices: graphics processors through OpenCL and CUDA, and the host itself as the device
// that is always there.
//
// Planned; there is no code here yet. The model:
//
//   - A device task is a task like any other. It is spawned with a kernel instead of a body, and its accesses say what the
//     kernel reads and writes.
//   - A directory knows for each region which memories hold its latest copy. Before a task starts, what it reads is copied
//     to where it runs; after it, copies elsewhere are out of date. Copies that nobody needs are not made, and transfers
//     overlap with the kernels of other tasks.
//   - Where a task may run is a clause. Where several devices could run it, the one that has most of its data, or will be
//     free first, is taken.
//   - No worker waits for a device: the task completes when the device reports, as one with an outstanding Hold does.
//
// OpenCL and CUDA libraries are found at run time or bound behind a build tag, so that the default build needs neither them
// nor cgo. The package plugs into tasks through an interface that tasks declares.
package accel
