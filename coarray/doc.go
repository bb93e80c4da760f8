// Package coarray will provide the partitioned global address space of Fortran 2018: images that each own a part of an
// array and read and write the parts of the others by index, without a receiving side.
//
// Planned; there is no code here yet. The model:
//
//   - An image is a rank. A coarray is allocated by all images of a team at once, with the same shape on each; a co-index
//     selects the image, as in a[i] of image 3.
//   - Reads and writes of a remote part are one-sided transfers of package mpi. They are ordered by image control: sync
//     all, sync images, events, locks and critical sections, teams and their formation.
//   - Atomic and collective operations have the names and meanings of the standard.
//   - An image can fail while the others go on: operations that need it return a status instead of an end of the program,
//     and a new team of those that remain can be formed.
//   - Coarrays can be made persistent, so that a new run finds their content.
//
// In tasks, waiting for an image suspends the task and not its worker.
package coarray
